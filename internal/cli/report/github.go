// This file writes diagnostics as annotations of GitHub Actions.

package report

import (
	"fmt"
	"io"
	"strings"

	"ptogo/ir"
)

// githubCommands maps severities of diagnostics to workflow commands of GitHub Actions.
var githubCommands = map[string]string{"error": "error", "warning": "warning", "remark": "notice", "note": "notice"}

// githubData and githubProperty escape the message and the properties of a workflow
// command, like the toolkit of GitHub Actions.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubLines returns a function that prints a diagnostic as a workflow command, which
// GitHub displays at the source line. Notes without a position are printed as plain
// text.
func githubLines(w io.Writer) func(JSONDiag) {
	return func(d JSONDiag) {
		if d.File == "" && d.Severity == "note" {
			io.WriteString(w, ir.Visible(strings.TrimSuffix(d.Rendered, "\n"))+"\n")
			return
		}
		var properties []string
		add := func(name, value string) { properties = append(properties, name+"="+githubProperty.Replace(value)) }
		if d.File != "" {
			add("file", d.File)
			add("line", fmt.Sprint(d.Line))
			add("col", fmt.Sprint(d.Column))
			if d.EndLine > 0 {
				add("endLine", fmt.Sprint(d.EndLine))
				add("endColumn", fmt.Sprint(d.EndColumn))
			}
		}
		if d.Code != "" {
			add("title", d.Code)
		}
		text := d.Message
		for _, n := range d.Notes {
			text += "\n" + n.Message
		}
		fmt.Fprintf(w, "::%s %s::%s\n", githubCommands[d.Severity], strings.Join(properties, ","), githubData.Replace(text))
	}
}
