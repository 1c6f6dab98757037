// This file escapes what is written to terminals.

package report

import (
	"io"
	"strings"

	"ptogo/ir"
)

// visibleWriter is a writer that replaces control characters by visible text
// (ir.VisibleLines). All output for humans passes through a visibleWriter: messages,
// listings, and the output of kernels. Programs, data and documents for other programs
// are written without it; see raw.
type visibleWriter struct {
	w io.Writer
	// inLine reports that the last line of the output is incomplete. The writer needs
	// this, because it replaces commands to a CI system only at the start of a line.
	inLine bool
}

// NewVisibleWriter returns a writer that writes to w with control characters replaced.
func NewVisibleWriter(w io.Writer) io.Writer { return &visibleWriter{w: w} }

// Write implements io.Writer. It writes p with control characters replaced.
func (v *visibleWriter) Write(p []byte) (int, error) {
	text := string(p)
	for line := range strings.Lines(text) {
		body, ends := strings.CutSuffix(line, "\n")
		shown := ir.Visible(body)
		if v.inLine { // a colon that follows other text is only that
			shown = strings.TrimPrefix(ir.Visible("."+body), ".")
		} else if strings.TrimLeft(body, " \t") == ":" && !ends {
			shown = strings.Replace(shown, ":", `\x3a`, 1) // the next write may bring the second colon
		}
		if ends {
			shown += "\n"
		}
		v.inLine = !ends && (v.inLine || strings.TrimLeft(body, " \t") != "")
		if _, err := io.WriteString(v.w, shown); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Raw returns the writer that a visibleWriter wraps. It is used for text that other
// programs read, for colors, and for progress lines on a terminal.
func Raw(w io.Writer) io.Writer {
	if v, ok := w.(*visibleWriter); ok {
		return v.w
	}
	return w
}
