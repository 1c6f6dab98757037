// This file writes diagnostics as SARIF 2.1.0.

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"ptogo/internal/version"
	"ptogo/ir"
)

// The JSON objects of SARIF 2.1.0, the standard format for static analysis results, as
// far as diagnostics need them. Field names are those of the standard.
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
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	// sarifRule describes a diagnostic code. A log contains the rules of those codes
	// that its results have.
	sarifRule struct {
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
		Full  sarifMessage `json:"fullDescription"`
		Help  sarifHelp    `json:"help"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId,omitempty"`
		RuleIndex    *int              `json:"ruleIndex,omitempty"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Properties   map[string]string `json:"properties,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn,omitempty"`
		EndLine   int `json:"endLine,omitempty"`
		EndColumn int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifMessage  `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion  `json:"deletedRegion"`
		Inserted sarifMessage `json:"insertedContent"`
	}
)

// sarifLevels maps severities of diagnostics to the levels of SARIF.
var sarifLevels = map[string]string{"error": "error", "warning": "warning", "remark": "note", "note": "note"}

// sarifWriter collects diagnostics for one SARIF log, which it writes at the end.
type sarifWriter struct {
	to  io.Writer
	log sarifLog
}

// newSARIF returns a writer for a SARIF log without results. The parameter tool is the
// name of the tool in the log.
func newSARIF(to io.Writer, tool string) *sarifWriter {
	w := &sarifWriter{to: to, log: sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0"}}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{tool, version.Text(), []sarifRule{}}
	w.log.Runs = []sarifRun{run}
	return w
}

// add appends a diagnostic to the SARIF log as a result.
func (w *sarifWriter) add(d JSONDiag) {
	r := sarifResult{RuleID: d.Code, RuleIndex: w.rule(d.Code), Level: sarifLevels[d.Severity], Message: sarifMessage{d.Message}, Properties: d.properties()}
	if d.File != "" {
		r.Locations = []sarifLocation{{Physical: d.physical()}}
		r.Fingerprints = map[string]string{"ptoDiagnostic/v1": d.fingerprint()}
	}
	for _, n := range d.Notes {
		at := sarifLocation{Message: &sarifMessage{n.Message}}
		if n.File != "" {
			at.Physical = n.physical()
		}
		r.Related = append(r.Related, at)
		if f := n.Fix; f != nil {
			r.Fixes = append(r.Fixes, n.sarifFix())
		}
	}
	run := &w.log.Runs[0]
	run.Results = append(run.Results, r)
}

// rule returns a pointer to the index of the SARIF rule that describes a diagnostic code.
// If the output does not contain this rule yet, it is added. The result is nil for a
// diagnostic without a code.
func (w *sarifWriter) rule(code string) *int {
	info, ok := ir.CodeInfoOf(code)
	if !ok {
		return nil
	}
	driver := &w.log.Runs[0].Tool.Driver
	i := slices.IndexFunc(driver.Rules, func(r sarifRule) bool { return r.ID == code })
	if i < 0 {
		i = len(driver.Rules)
		driver.Rules = append(driver.Rules, sarifRule{ID: code, Short: sarifMessage{info.Title}, Full: sarifMessage{info.Title + ". " + info.Text}, Help: sarifHelp{info.Text, info.Text}})
	}
	return &i
}

// fingerprint returns a key that identifies a diagnostic even if its line moves. The key
// depends on the code, on the message and on the text of the source line, but not on the
// line number.
func (j *JSONDiag) fingerprint() string {
	sum := sha256.Sum256([]byte(j.Code + "\x00" + filepath.Base(j.File) + "\x00" + j.Message + "\x00" + j.sourceLine))
	return hex.EncodeToString(sum[:16])
}

// properties returns data for which SARIF has no field: the name of the operation and
// of the checker.
func (j *JSONDiag) properties() map[string]string {
	m := map[string]string{}
	if j.Op != "" {
		m["op"] = j.Op
	}
	if j.Check != "" {
		m["check"] = j.Check
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// physical returns the position of the diagnostic in the source file, as a SARIF object.
func (j *JSONDiag) physical() *sarifPhysical {
	return &sarifPhysical{j.artifact(), sarifRegion{j.Line, j.runes, j.EndLine, j.endRunes}}
}

// artifact returns the file of the diagnostic in SARIF form, as a URI.
func (j *JSONDiag) artifact() sarifArtifact {
	path := url.URL{Path: filepath.ToSlash(j.File)}
	return sarifArtifact{path.EscapedPath()}
}

// sarifFix returns the text edit of a note in SARIF form.
func (j *JSONDiag) sarifFix() sarifFix {
	f := j.Fix
	return sarifFix{sarifMessage{j.Message}, []sarifChange{{j.artifact(), []sarifReplacement{
		{sarifRegion{f.Line, f.runes, f.EndLine, f.endRunes}, sarifMessage{f.Text}},
	}}}}
}

// write writes the complete log as JSON.
func (w *sarifWriter) write() error {
	text, err := json.MarshalIndent(w.log, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.to.Write(append(ir.VisibleJSON(text), '\n'))
	return err
}
