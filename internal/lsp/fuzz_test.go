package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// FuzzRequests edits a text and sends each kind of request at the position of the edit.
// No request may panic.
func FuzzRequests(f *testing.F) {
	files, err := filepath.Glob("../../examples/*.pto")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	f.Add(scale, 0, 0, "")
	f.Add(scale, 500, 20, "%t = ")
	f.Add("func.func @f() { return }", 16, 3, "\U0001F600\r\n")
	text, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text), len(text)/2, 100, "}")
	f.Fuzz(func(t *testing.T, text string, at, n int, insert string) {
		if len(text)+len(insert) > 8<<10 {
			return
		}
		at = min(max(0, at), len(text))
		n = min(max(0, n), len(text)-at)
		s := &server{docs: map[uri.URI]*document{}}
		file := uri.File("/kernels/fuzz.pto")
		d := newDocument(s, file, 2, text[:at]+insert+text[at+n:])
		s.docs[file] = d
		d.diagnostics()
		p := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: file}, Position: d.position(at)}
		id := p.TextDocument
		s.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: p})
		s.Completion(ctx, &protocol.CompletionParams{TextDocumentPositionParams: p})
		s.SignatureHelp(ctx, &protocol.SignatureHelpParams{TextDocumentPositionParams: p})
		s.Definition(ctx, &protocol.DefinitionParams{TextDocumentPositionParams: p})
		s.References(ctx, &protocol.ReferenceParams{TextDocumentPositionParams: p})
		s.Rename(ctx, &protocol.RenameParams{TextDocumentPositionParams: p, NewName: "%new"})
		s.DocumentSymbol(ctx, &protocol.DocumentSymbolParams{TextDocument: id})
		s.FoldingRanges(ctx, &protocol.FoldingRangeParams{TextDocument: id})
		s.SemanticTokensFull(ctx, &protocol.SemanticTokensParams{TextDocument: id})
		s.InlayHint(ctx, &protocol.InlayHintParams{TextDocument: id, Range: d.whole()})
		s.CodeAction(ctx, &protocol.CodeActionParams{TextDocument: id, Range: d.whole()})
		s.Formatting(ctx, &protocol.DocumentFormattingParams{TextDocument: id})
	})
}
