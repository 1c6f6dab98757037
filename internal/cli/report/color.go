// This file colours diagnostics on terminals.

package report

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"ptogo/ir"
)

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether output to w should be colored. mode is the value of --color:
// auto, always or never.
func colored(w io.Writer, mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return IsTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// The escape sequences for the colors of diagnostics in a terminal. The colors are the
// same as in clang.
const (
	boldText  = "\x1b[1m"
	greenText = "\x1b[1;32m"
	plainText = "\x1b[0m"
)

// severityColors maps severities of diagnostics to the escape sequences of their
// colors.
var severityColors = map[string]string{
	"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "remark": "\x1b[1;34m", "note": "\x1b[1;36m",
}

// colorTeller writes diagnostics as colored text.
type colorTeller struct{ w io.Writer }

// end implements teller. It does nothing, because colored text needs no closing syntax.
func (c colorTeller) end() error { return nil }

// tell writes a diagnostic as colored text.
func (c colorTeller) tell(d Finding) { io.WriteString(c.w, painted(d.Diag)) }

// painted returns the text of a diagnostic with colors: the position and the message
// are bold, the severity has its color, and carets are green.
func painted(d *ir.Diag) string {
	var b strings.Builder
	rest := d.Format()
	take := func(head, at, severity, message, style string) bool {
		if !strings.HasPrefix(rest, head+"\n") {
			return false
		}
		rest = rest[len(head)+1:]
		b.WriteString(at + severityColors[severity] + severity + ": " + plainText + style + message)
		if style != "" {
			b.WriteString(plainText)
		}
		b.WriteString("\n")
		return true
	}
	take(d.String(), boldPlace(d.Loc), d.Severity.String(), ir.Visible(d.Text), boldText)
	notes := d.Notes
	for rest != "" {
		if len(notes) > 0 && take(notes[0].String(), boldPlace(notes[0].Loc), "note", ir.Visible(notes[0].Text), "") {
			notes = notes[1:]
			continue
		}
		line, after, _ := strings.Cut(rest, "\n")
		if strings.TrimLeft(line, " \t") == "^" {
			line = strings.TrimSuffix(line, "^") + greenText + "^" + plainText
		}
		b.WriteString(line + "\n")
		rest = after
	}
	return b.String()
}

// boldPlace returns a source position in bold, or "" if it is unknown.
func boldPlace(l ir.Loc) string {
	if !l.Known() {
		return ""
	}
	return boldText + ir.Visible(l.String()) + ": " + plainText
}
