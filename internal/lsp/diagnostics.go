// This file converts diagnostics to the protocol.

package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"ptogo/ir"
)

// severities maps severities of our diagnostics to those of the protocol.
var severities = map[ir.Severity]protocol.DiagnosticSeverity{
	ir.Error: protocol.DiagnosticSeverityError, ir.Warning: protocol.DiagnosticSeverityWarning, ir.Remark: protocol.DiagnosticSeverityInformation,
}

// diagnostics returns the diagnostics of a document in the form of the protocol. The
// result is never nil, because clients expect a list.
func (d *document) diagnostics() []protocol.Diagnostic {
	found := []protocol.Diagnostic{}
	for _, diag := range d.analysis().diags {
		found = append(found, d.diagnostic(diag))
	}
	return found
}

// diagnostic converts one diagnostic to the form of the protocol. A note with a position
// becomes related information, which editors show as a link. Other notes are appended to
// the message.
func (d *document) diagnostic(diag *ir.Diag) protocol.Diagnostic {
	text := ir.Visible(diag.Text)
	var related []protocol.DiagnosticRelatedInformation
	for _, n := range diag.Notes {
		if src, off := n.Loc.Source(); src == d.src {
			at := protocol.Location{URI: d.uri, Range: d.tokenSpan(off)}
			related = append(related, protocol.DiagnosticRelatedInformation{Location: at, Message: ir.Visible(n.Text)})
			continue
		}
		text += "\n" + ir.Visible(n.Text)
	}
	src, off := diag.Loc.Source()
	if src != d.src { // a file that a C++ file includes
		off = 0
	}
	var code protocol.ProgressToken
	if diag.Code != 0 {
		code = protocol.String(diag.Code.String())
	}
	return protocol.Diagnostic{
		Code:  code,
		Range: d.tokenSpan(off), Severity: severities[diag.Severity], Source: protocol.NewOptional("pto"),
		Message: protocol.String(text), RelatedInformation: related,
	}
}

// tokenSpan returns the text range of the token at offset off, which has at least one
// character.
func (d *document) tokenSpan(off int) protocol.Range {
	return d.span(off, ir.TokenEnd(d.src.Text, off))
}

// wordAt returns the start and the end of the word that contains the byte offset off, or
// whose end is at off. A word consists of letters, digits, the characters $ . _ - and an
// optional sigil at its start.
func wordAt(text string, off int) (start, end int) {
	start, end = off, off
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	if start > 0 && strings.IndexByte("%@!#^", text[start-1]) >= 0 {
		start--
	}
	for end < len(text) && (isWordByte(text[end]) || end == start && strings.IndexByte("%@!#^", text[end]) >= 0) {
		end++
	}
	return start, end
}

// isWordByte reports whether the byte c can be part of a name.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("$._-", c) >= 0
}
