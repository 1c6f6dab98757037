// This file writes diagnostics as JSON.

package report

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

// JSONDiag is a diagnostic in the format of --diagnostics=json. A field whose value is
// unknown is omitted from the output.
type JSONDiag struct {
	Severity string `json:"severity"` // error, warning, remark or note
	// Code is the stable identifier of this kind of diagnostic, such as PTO1004, which
	// --explain describes.
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	// Line counts from 1.
	Line int `json:"line,omitempty"`
	// Column counts bytes, from 1.
	Column int `json:"column,omitempty"`
	// EndLine and EndColumn are the position past the word that the diagnostic refers to.
	EndLine   int `json:"endLine,omitempty"`
	EndColumn int `json:"endColumn,omitempty"`
	// Op is the name of the operation.
	Op string `json:"op,omitempty"`
	// Check is the checker that reported the diagnostic: race, sync, init, mem, device,
	// output or redundant.
	Check string `json:"check,omitempty"`
	// Fault is set for faults of a run, and for warnings about a run.
	Fault *jsonFault `json:"fault,omitempty"`
	// Bytes is the memory that the diagnostic refers to.
	Bytes *jsonBytes `json:"bytes,omitempty"`
	// Origins are positions, file:line:col, in the source from which a frontend generated
	// the program.
	Origins []string   `json:"origins,omitempty"`
	Notes   []JSONDiag `json:"notes,omitempty"`
	// Fix is the text edit that a note proposes.
	Fix *jsonFix `json:"fix,omitempty"`
	// runes and endRunes are the values of Column and EndColumn, counted in characters
	// instead of bytes.
	runes, endRunes int
	// sourceLine is the source line of the diagnostic, without leading and trailing
	// spaces.
	sourceLine string
	// Rendered is the diagnostic as --diagnostics=text writes it.
	Rendered string `json:"rendered,omitempty"`
}

// jsonFix is a text edit: it replaces the text between two positions by Text.
type jsonFix struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
	// runes and endRunes are the two columns of the edit, counted in characters instead
	// of bytes.
	runes, endRunes int
}

// newJSONFix converts a text edit to its JSON form.
func newJSONFix(f *ir.Fix) *jsonFix {
	j := &jsonFix{Text: f.New}
	j.Line, j.Column, j.runes = position(f.Src, f.Off)
	j.EndLine, j.EndColumn, j.endRunes = position(f.Src, f.End)
	return j
}

// position returns the line and the column of the byte offset off in a source, both from
// 1. The result column counts bytes, and runes counts characters.
func position(src *ir.Source, off int) (line, column, runes int) {
	line, column = src.Position(off)
	before := src.Line(off)
	return line, column, utf8.RuneCountInString(before[:min(column-1, len(before))]) + 1
}

// jsonFault identifies where in a launch a fault occurred: the number of the block, and
// the number of the rank (device) if the launch has several.
type jsonFault struct {
	Block int `json:"block"`
	Rank  int `json:"rank,omitempty"`
}

// jsonBytes is a range of bytes in a memory space, from First to Last inclusive.
type jsonBytes struct {
	Space string `json:"space"`
	// Argument is the index of the kernel argument that contains the bytes, if they are
	// in global memory.
	Argument *int  `json:"argument,omitempty"`
	First    int64 `json:"first"`
	Last     int64 `json:"last"`
}

// opName returns a regular expression that matches the operation name in the text of a
// diagnostic.
var opName = pattern.Of(`^(?:\[\w+\] )?'([A-Za-z_][\w.]*)' op\b`)

// newJSONDiag converts a diagnostic to its JSON form.
func newJSONDiag(d Finding) JSONDiag {
	j := JSONDiag{Severity: d.Severity.String(), Code: d.Code.String(), Message: ir.Visible(d.Text), Origins: d.Origins(), Rendered: d.Format()}
	j.place(d.Loc)
	if m := opName().FindStringSubmatch(d.Text); m != nil {
		j.Op = m[1]
	} else if d.Op != nil {
		j.Op = d.Op.Name()
	}
	for _, n := range d.Notes {
		note := JSONDiag{Severity: "note", Message: ir.Visible(n.Text)}
		note.place(n.Loc)
		if n.Fix != nil {
			note.Fix = newJSONFix(n.Fix)
		}
		j.Notes = append(j.Notes, note)
	}
	if f := d.Fault; f != nil {
		j.Op, j.Check, j.Fault = f.Op, f.Check, &jsonFault{f.Block, f.Rank}
		if r := f.Range; r != nil {
			j.Bytes = &jsonBytes{Space: r.Space.String(), First: r.First, Last: r.Last}
			if r.Buffer >= 0 {
				j.Bytes.Argument = &r.Buffer
			}
		}
	}
	if r := d.Report; r != nil {
		j.Check = string(r.Check)
		if r.Hi > r.Lo {
			j.Bytes = &jsonBytes{Space: r.Space, First: r.Lo, Last: r.Hi - 1}
		}
	}
	return j
}

// placeText returns a regular expression that matches a position such as file:line:col.
var placeText = pattern.Of(`^(.+):(\d+):(\d+)$`)

// place sets the file, line and column of the diagnostic to those of the location l.
func (j *JSONDiag) place(l ir.Loc) {
	if src, off := l.Source(); src != nil {
		j.File = src.Name
		j.Line, j.Column, j.runes = position(src, off)
		j.EndLine, j.EndColumn, j.endRunes = position(src, ir.TokenEnd(src.Text, off))
		j.sourceLine = strings.TrimSpace(src.Line(off))
		return
	}
	if m := placeText().FindStringSubmatch(l.String()); m != nil {
		j.File = m[1]
		j.Line, _ = strconv.Atoi(m[2])
		j.Column, _ = strconv.Atoi(m[3])
		j.runes = j.Column
	}
}

// jsonLines returns a function that writes each diagnostic as one line of JSON to w.
func jsonLines(w io.Writer) func(JSONDiag) {
	return func(d JSONDiag) {
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		enc.Encode(d)
		w.Write(ir.VisibleJSON(line.Bytes()))
	}
}
