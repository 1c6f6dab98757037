package cli

import (
	"encoding/json"
	"io"
	"path/filepath"

	"ptogo/ir"
)

// SARIF 2.1.0, as far as diagnostics need it; field names are those of the
// standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId,omitempty"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn,omitempty"`
		} `json:"region"`
	}
)

// sarifLevels are SARIF's words for severities.
var sarifLevels = map[string]string{"error": "error", "warning": "warning", "remark": "note", "note": "note"}

// sarifWriter collects diagnostics for one log.
type sarifWriter struct {
	to  io.Writer
	log sarifLog
}

func newSARIF(to io.Writer, tool string) *sarifWriter {
	w := &sarifWriter{to: to, log: sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{tool, Version()}
	w.log.Runs = []sarifRun{run}
	return w
}

func (w *sarifWriter) add(d jsonDiag) {
	r := sarifResult{RuleID: d.rule(), Level: sarifLevels[d.Severity], Message: sarifMessage{d.Message}}
	if d.File != "" {
		r.Locations = []sarifLocation{{Physical: d.physical()}}
	}
	for _, n := range d.Notes {
		at := sarifLocation{Message: &sarifMessage{n.Message}}
		if n.File != "" {
			at.Physical = n.physical()
		}
		r.Related = append(r.Related, at)
	}
	run := &w.log.Runs[0]
	run.Results = append(run.Results, r)
}

// rule names the kind of a diagnostic: the checker, a fault, or the operation
// that is not as it should be.
func (j *jsonDiag) rule() string {
	switch {
	case j.Check != "":
		return j.Check
	case j.Fault != nil:
		return "fault"
	}
	return j.Op
}

func (j *jsonDiag) physical() *sarifPhysical {
	p := &sarifPhysical{}
	p.Artifact.URI = filepath.ToSlash(j.File)
	p.Region.Line, p.Region.Column = j.Line, j.runes
	return p
}

func (w *sarifWriter) write() error {
	text, err := json.MarshalIndent(w.log, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.to.Write(append(ir.VisibleJSON(text), '\n'))
	return err
}
