package lsp

import (
	"context"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/frontend/cpp"
)

const cppKernel = `#include <pto/pto-inst.hpp>
using namespace pto;
extern "C" __global__ AICORE void neg(__gm__ float *x) {
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<1, 1, 1, 8, 1>> g(x);
  Tile<TileType::Vec, float, 8, 8> t;
  TASSIGN(t, 0);
  TLOAD(t, g);
  TNEG(t, t);
  TSTORE(g, t);
}
`

// TestCppHover asks for the page of an instruction in a C++ file, and for completions,
// which C++ files do not have.
func TestCppHover(t *testing.T) {
	s := start(t, nil)
	s.open("neg.cpp", strings.Replace(cppKernel, "#include <pto", "#include <other", 1))
	h, err := s.server.Hover(context.Background(), &protocol.HoverParams{TextDocumentPositionParams: s.at("neg.cpp", "TNEG", 1)})
	if err != nil || h == nil {
		t.Fatal(h, err)
	}
	if text := h.Contents.(*protocol.MarkupContent).Value; !strings.Contains(text, "pto.tneg") {
		t.Errorf("hover of TNEG:\n%s", text)
	}
	c, err := s.server.Completion(context.Background(), &protocol.CompletionParams{TextDocumentPositionParams: s.at("neg.cpp", "TNEG", 1)})
	if list, ok := c.(*protocol.CompletionList); err != nil || !ok || len(list.Items) != 0 {
		t.Errorf("completions in C++: %v, %v", c, err)
	}
}

// TestCppDiagnosticsOnSave edits a C++ file: its errors appear when it is saved.
func TestCppDiagnosticsOnSave(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang++ and opt of LLVM 17 to 20 are not installed")
	}
	s := start(t, nil)
	if d := s.open("neg.cpp", cppKernel); len(d) != 0 {
		t.Fatalf("diagnostics of a right kernel: %v", d)
	}
	at := uri.File("/kernels/neg.cpp")
	s.versions[at]++
	s.texts[at] = strings.Replace(cppKernel, "TNEG(t, t)", "TNAG(t, t)", 1)
	change := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangeWholeDocument{Text: s.texts[at]},
	}}
	change.TextDocument.URI, change.TextDocument.Version = at, s.versions[at]
	if err := s.server.DidChange(context.Background(), change); err != nil {
		t.Fatal(err)
	}
	if err := s.server.DidSave(context.Background(), &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: at}}); err != nil {
		t.Fatal(err)
	}
	d := s.diagnostics(at)
	if len(d) != 1 || d[0].Range.Start.Line != 7 || !strings.Contains(string(d[0].Message.(protocol.String)), "nearest name") {
		t.Errorf("diagnostics after a save: %v", d)
	}
}
