// This file selects a program from the output of ptoas.

package ptoas

import (
	"fmt"
	"strings"

	"ptogo/ir"
)

// dumpHeader reads the comment that precedes each printed program in the output of
// --mlir-print-ir-after and related options. The public compiler and pto-opt write the
// same comment, for example
//
//	// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //
//
// The result ok is false if the line is not such a comment.
func dumpHeader(line string) (d dump, ok bool) {
	rest, ok1 := strings.CutPrefix(line, "// -----// IR Dump ")
	rest, ok2 := strings.CutSuffix(strings.TrimRight(rest, " \t\r\n"), " //----- //")
	d.when, rest, _ = strings.Cut(rest, " ")
	d.pass, rest, _ = strings.Cut(rest, " ")
	rest = strings.TrimPrefix(rest, "Failed ")
	rest, ok3 := strings.CutPrefix(rest, "(")
	d.arg, rest, ok = strings.Cut(rest, ")")
	return d, ok && ok1 && ok2 && ok3 && d.pass != "" && (d.when == "Before" || d.when == "After") && (rest == "" || strings.HasPrefix(rest, " ('"))
}

// dump is one program in the output of a compiler with an option such as
// --mlir-print-ir-after, with the data of its header.
type dump struct {
	// from and to are the byte offsets of the program in the text, without the header.
	from, to int
	// when is Before or After.
	when string
	// pass is the class name of the pass.
	pass string
	// arg is the option name of the pass.
	arg string
}

// Dumped selects one program in the output of the public compiler, which can contain the
// program after each pass. If the parameter pass is "", the result is the last program.
// Otherwise the result is the program after the last run of the pass with this option
// name or class name. If the pass ran on functions, the program consists of the last
// state of each function. If the output contains no header comments, it is a single
// program, and Dumped only omits the messages of the compiler before and after it. Lines
// keep their numbers.
func Dumped(src *ir.Source, pass string) (*ir.Source, error) {
	dumps := dumpsIn(src.Text)
	if len(dumps) == 0 {
		start := programStart(src.Text)
		return only(src, [][2]int{{start, start + programEnd(src.Text[start:])}}), nil
	}
	last := len(dumps) - 1
	if pass != "" {
		for last >= 0 && !(dumps[last].when == "After" && (dumps[last].arg == pass || dumps[last].pass == pass)) {
			last--
		}
		if last < 0 {
			return nil, fmt.Errorf("file %s must contain a dump after pass '%s': %s", src.Name, ir.Visible(pass), passesOf(dumps))
		}
	}
	chosen := dumps[last]
	if symbolOf(src.Text, chosen) == "" {
		return only(src, [][2]int{{chosen.from, chosen.to}}), nil
	}
	var parts [][2]int
	seen := map[string]bool{}
	for i := last; i >= 0; i-- {
		d := dumps[i]
		if d.when != chosen.when || d.arg != chosen.arg {
			continue
		}
		if name := symbolOf(src.Text, d); name != "" && !seen[name] {
			seen[name] = true
			parts = append([][2]int{{d.from, d.to}}, parts...)
		}
	}
	return only(src, parts), nil
}

// dumpsIn returns the programs in the output of the public compiler ptoas, the parameter
// text. With certain options, ptoas prints the program after each pass. In the output,
// each program follows a comment line with the name of the pass. The result has the order
// of the output.
func dumpsIn(text string) (dumps []dump) {
	at := 0
	for line := range strings.Lines(text) {
		if d, ok := dumpHeader(line); ok {
			if n := len(dumps); n > 0 {
				dumps[n-1].to = at
			}
			d.from, d.to = at+len(line), len(text)
			dumps = append(dumps, d)
		}
		at += len(line)
	}
	for i := range dumps {
		d := &dumps[i]
		d.to = d.from + programEnd(text[d.from:d.to])
	}
	return dumps
}

// symbolOf returns the name of a function. d describes a range of text that contains one
// program. If this program is a function, the result is the name of the function; if it
// is a module, the result is "".
func symbolOf(text string, d dump) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text[d.from:d.to], " \t\r\n"), "\n")
	if !strings.HasPrefix(line, "func.func") && !strings.HasPrefix(line, `"func.func"`) {
		return ""
	}
	_, name, ok := strings.Cut(line, "@")
	if end := strings.IndexAny(name, " \t\r("); end >= 0 {
		name = name[:end]
	}
	if !ok || name == "" {
		return ""
	}
	return "@" + name
}

// programStart returns the offset at which a program in MLIR syntax starts, after messages
// of the compiler.
func programStart(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		word := strings.TrimLeft(line, " \t\r")
		for _, start := range []string{"module", "func.func"} {
			if rest, ok := strings.CutPrefix(word, start); ok && (rest == "" || !isWord(rest[0])) {
				return at
			}
		}
		if strings.HasPrefix(word, "//") || strings.IndexAny(word, "\"#!") == 0 {
			return at
		}
		at += len(line)
	}
	return 0
}

// isWord reports whether c can be in the name of an operation.
func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// programEnd returns the offset at which the program in text ends, before messages of the
// compiler. This is the end of the last line that starts with a closing brace or that
// defines an alias.
func programEnd(text string) int {
	end, at := 0, 0
	for line := range strings.Lines(text) {
		at += len(line)
		if strings.HasPrefix(line, "}") || strings.HasPrefix(line, "#") {
			end = at
		}
	}
	if end == 0 {
		return len(text)
	}
	return end
}

// only returns a source that consists of the given ranges of the text of src. Empty lines
// replace the text between the ranges, so that lines keep their numbers.
func only(src *ir.Source, parts [][2]int) *ir.Source {
	var b strings.Builder
	end := 0
	for _, p := range parts {
		b.WriteString(strings.Repeat("\n", strings.Count(src.Text[end:p[0]], "\n")))
		b.WriteString(src.Text[p[0]:p[1]])
		end = p[1]
	}
	return &ir.Source{Name: src.Name, Text: b.String(), Line0: src.Line0}
}

// passesOf returns the names of the passes in the headers of the given programs, for an
// error message.
func passesOf(dumps []dump) string {
	var names []string
	seen := map[string]bool{}
	for _, d := range dumps {
		if d.when == "After" && !seen[d.arg] {
			seen[d.arg] = true
			names = append(names, ir.Visible(d.arg))
		}
	}
	return "it has dumps after " + strings.Join(names, ", ")
}
