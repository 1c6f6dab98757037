package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/ir"
)

var ctx = context.Background()

const scale = `// Multiplies a tile by a number.
func.func @scale(%x: !pto.ptr<f32, gm>, %y: !pto.ptr<f32, gm>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  // Views of both arrays.
  %in = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %out = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %p = pto.partition_view %in, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %q = pto.partition_view %out, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %t = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<loc=vec, 16x64xf32>
  %u = pto.tmuls %t, %s : (!pto.tile<loc=vec, 16x64xf32>, f32) -> !pto.tile<loc=vec, 16x64xf32> // the work
  pto.tstore %u, %q : !pto.tile<loc=vec, 16x64xf32>, !pto.partition_tensor_view<16x64xf32>
  return
  // The end.
}
`

// opened starts a session with the file scale.pto, which must have no diagnostics.
func opened(t *testing.T) *session {
	t.Helper()
	s := start(t, nil)
	if found := s.open("scale.pto", scale); len(found) > 0 {
		t.Fatalf("diagnostics: %q", messages(found))
	}
	return s
}

func TestDiagnosticsFollowEdits(t *testing.T) {
	s := opened(t)
	found := s.replace("scale.pto", "%t, %s :", "%tt, %s :")
	if len(found) != 1 || !strings.Contains(messages(found)[0], "undeclared SSA value name '%tt'") {
		t.Fatalf("diagnostics: %q", messages(found))
	}
	want := s.at("scale.pto", "%tt", 0).Position
	if r := found[0].Range; r.Start != want || r.End.Character != want.Character+3 {
		t.Errorf("range %v, want 3 characters from %v", r, want)
	}
	if found = s.replace("scale.pto", "%tt", "%t"); len(found) > 0 {
		t.Errorf("after mending it: %q", messages(found))
	}
}

func TestAllErrorsAreReported(t *testing.T) {
	s := start(t, nil)
	text := strings.NewReplacer("%c0 = arith.constant 0", "%c0 = arith.constnt 0", "pto.tmuls %t", "pto.tmulz %t").Replace(scale)
	if found := messages(s.open("two.pto", text)); len(found) != 2 {
		t.Errorf("diagnostics: %q", found)
	}
}

// hover returns the hover text at a position of a file, given as in session.at.
func (s *session) hover(name, marker string, skip int) string {
	s.t.Helper()
	h, err := s.server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: s.at(name, marker, skip)})
	if err != nil {
		s.t.Fatal(err)
	}
	if h == nil {
		return ""
	}
	return h.Contents.(*protocol.MarkupContent).Value
}

func TestHover(t *testing.T) {
	s := opened(t)
	for _, c := range []struct {
		marker string
		skip   int
		want   string
	}{
		{"pto.tmuls", 5, "# pto.tmuls"},
		{"%t, %s", 1, "4096 bytes in `vec`"},
		{"%t, %s", 1, "used once"},
		{"@scale", 2, "func.func @scale(%x"},
		{"!pto.tensor_view<16x64xf32>\n  %out", 3, "tensor_view"},
		{"%s: f32", 1, "4 bytes"},
	} {
		if text := s.hover("scale.pto", c.marker, c.skip); !strings.Contains(text, c.want) {
			t.Errorf("at %q: %q lacks %q", c.marker, text, c.want)
		}
	}
	if text := s.hover("scale.pto", "The end", 1); text != "" {
		t.Errorf("in a comment: %q", text)
	}
}

// labels returns the labels of the completions at a position, given as in session.at.
func (s *session) labels(name, marker string, skip int) (labels []string) {
	s.t.Helper()
	result, err := s.server.Completion(ctx, &protocol.CompletionParams{TextDocumentPositionParams: s.at(name, marker, skip)})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, i := range result.(*protocol.CompletionList).Items {
		labels = append(labels, i.Label)
	}
	return labels
}

func TestCompletion(t *testing.T) {
	s := opened(t)
	if got := s.labels("scale.pto", "pto.tmuls", 8); !slices.Contains(got, "pto.tmuls") || slices.ContainsFunc(got, func(l string) bool { return !strings.HasPrefix(l, "pto.tmul") }) {
		t.Errorf("operations: %q", got)
	}
	if got := s.labels("scale.pto", "%t, %s", 1); !slices.Contains(got, "%t") || slices.Contains(got, "%u") {
		t.Errorf("values: %q", got)
	}
	if got := s.labels("scale.pto", "!pto.tensor_view<16x64xf32>\n  %out", 6); !slices.Contains(got, "!pto.tensor_view") {
		t.Errorf("types: %q", got)
	}
}

// TestCompletionKnowsTarget checks that an operation that only A5 supports is offered
// only for A5.
func TestCompletionKnowsTarget(t *testing.T) {
	for _, c := range []struct {
		arch string
		want bool
	}{{"a5", true}, {"a3", false}} {
		s := start(t, &protocol.InitializeParams{InitializationOptions: protocol.LSPAny(`{"arch": "` + c.arch + `"}`)})
		s.open("scale.pto", strings.Replace(scale, "pto.tmuls", "pto.absf", 1))
		if got := slices.Contains(s.labels("scale.pto", "pto.absf", 8), "pto.absf"); got != c.want {
			t.Errorf("%s: pto.absf is offered: %v", c.arch, got)
		}
	}
}

func TestNavigation(t *testing.T) {
	s := opened(t)
	p := s.at("scale.pto", "%t, %s", 1)
	result, err := s.server.Definition(ctx, &protocol.DefinitionParams{TextDocumentPositionParams: p})
	if err != nil {
		t.Fatal(err)
	}
	want := s.at("scale.pto", "%t = ", 0).Position
	if at := result.(protocol.LocationSlice); len(at) != 1 || at[0].Range.Start != want {
		t.Errorf("definition %v, want %v", at, want)
	}
	refs, err := s.server.References(ctx, &protocol.ReferenceParams{TextDocumentPositionParams: s.at("scale.pto", "%c64 = ", 1), Context: protocol.ReferenceContext{IncludeDeclaration: true}})
	if err != nil || len(refs) != strings.Count(scale, "%c64") {
		t.Errorf("%d references of %%c64 (%v), want %d", len(refs), err, strings.Count(scale, "%c64"))
	}
}

func TestRename(t *testing.T) {
	s := opened(t)
	edit, err := s.server.Rename(ctx, &protocol.RenameParams{TextDocumentPositionParams: s.at("scale.pto", "%c16 = ", 1), NewName: "rows"})
	if err != nil {
		t.Fatal(err)
	}
	file := uri.File("/kernels/scale.pto")
	if got, want := s.apply(file, edit.Changes[file]), strings.ReplaceAll(scale, "%c16", "%rows"); got != want {
		t.Errorf("renamed:\n%s", got)
	}
	for _, name := range []string{"%t", "a b", "", "%"} {
		if _, err := s.server.Rename(ctx, &protocol.RenameParams{TextDocumentPositionParams: s.at("scale.pto", "%c16 = ", 1), NewName: name}); err == nil {
			t.Errorf("the name %q was accepted", name)
		}
	}
}

func TestOutlineAndFolding(t *testing.T) {
	s := start(t, nil)
	s.open("m.pto", "module {\n  module {\n    func.func @a() {\n      return\n    }\n  }\n  func.func @b() {\n    return\n  }\n}\n")
	id := protocol.TextDocumentIdentifier{URI: uri.File("/kernels/m.pto")}
	result, err := s.server.DocumentSymbol(ctx, &protocol.DocumentSymbolParams{TextDocument: id})
	if err != nil {
		t.Fatal(err)
	}
	var names func(list []protocol.DocumentSymbol) string
	names = func(list []protocol.DocumentSymbol) (text string) {
		for _, d := range list {
			text += d.Name + "(" + names(d.Children) + ")"
		}
		return text
	}
	if got := names(result.(protocol.DocumentSymbolSlice)); got != "module(module(a())b())" {
		t.Errorf("symbols: %s", got)
	}
	folds, err := s.server.FoldingRanges(ctx, &protocol.FoldingRangeParams{TextDocument: id})
	if err != nil || len(folds) != 4 {
		t.Errorf("%d folding ranges (%v), want 4", len(folds), err)
	}
}

func TestWorkspaceSymbols(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a.pto"), []byte("func.func private @hidden(%x: f32) {\n  return\n}\n"), 0o644)
	s := start(t, &protocol.InitializeParams{WorkspaceFoldersInitializeParams: protocol.WorkspaceFoldersInitializeParams{
		WorkspaceFolders: protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(dir), Name: "k"}}),
	}})
	s.open("scale.pto", scale)
	result, err := s.server.Symbols(ctx, &protocol.WorkspaceSymbolParams{Query: ""})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range result.(protocol.SymbolInformationSlice) {
		names = append(names, i.Name)
	}
	if slices.Sort(names); !slices.Equal(names, []string{"hidden", "scale"}) {
		t.Errorf("symbols: %q", names)
	}
}

func TestSemanticTokens(t *testing.T) {
	s := opened(t)
	result, err := s.server.SemanticTokensFull(ctx, &protocol.SemanticTokensParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File("/kernels/scale.pto")}})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	var line, column uint32
	lines := strings.Split(scale, "\n")
	for d := range slices.Chunk(result.Data, 5) {
		if d[0] > 0 {
			column = 0
		}
		line, column = line+d[0], column+d[1]
		kinds[lines[line][column:column+d[2]]] = tokenLegend.TokenTypes[d[3]]
	}
	for word, want := range map[string]string{
		"pto.tmuls": "method", "%u": "variable", "%x": "parameter", "f32": "type", "@scale": "function", "!pto.tile": "type",
		"// The end.": "comment", "16": "number", "shape": "keyword",
	} {
		if kinds[word] != want {
			t.Errorf("%s is %q, want %q", word, kinds[word], want)
		}
	}
}

func TestSignatureHelp(t *testing.T) {
	s := opened(t)
	help, err := s.server.SignatureHelp(ctx, &protocol.SignatureHelpParams{TextDocumentPositionParams: s.at("scale.pto", "%t, %s", 4)})
	if err != nil || help == nil {
		t.Fatal(err)
	}
	if sig := help.Signatures[0]; !strings.HasPrefix(sig.Label, "pto.tmuls src, scalar") {
		t.Errorf("signature %q", sig.Label)
	} else if n, _ := sig.ActiveParameter.Get(); n != 1 {
		t.Errorf("active parameter %d, want 1", n)
	}
}

// TestFormattingKeepsComments checks that formatting returns the output of pto-opt with
// every comment at its original operation.
func TestFormattingKeepsComments(t *testing.T) {
	s := start(t, nil)
	s.open("scale.pto", strings.Replace(scale, "\n  %c1 =", "\n      %c1  =", 1))
	file := uri.File("/kernels/scale.pto")
	edits, err := s.server.Formatting(ctx, &protocol.DocumentFormattingParams{TextDocument: protocol.TextDocumentIdentifier{URI: file}})
	if err != nil {
		t.Fatal(err)
	}
	got := s.apply(file, edits)
	s.open("again.pto", got)
	again := uri.File("/kernels/again.pto")
	edits, err = s.server.Formatting(ctx, &protocol.DocumentFormattingParams{TextDocument: protocol.TextDocumentIdentifier{URI: again}})
	if err != nil || s.apply(again, edits) != got {
		t.Errorf("formatting twice differs (%v):\n%s", err, s.apply(again, edits))
	}
	lines := strings.Split(got, "\n")
	for want, next := range map[string]string{
		"// Multiplies a tile by a number.": "func.func @scale", "  // Views of both arrays.": "  %in = pto.make_tensor_view", "  // The end.": "}",
	} {
		if i := slices.Index(lines, want); i < 0 || !strings.HasPrefix(lines[i+1], next) {
			t.Errorf("%q is not before %q:\n%s", want, next, got)
		}
	}
	if !strings.Contains(got, " // the work\n") {
		t.Errorf("the trailing comment is missing:\n%s", got)
	}
}

// actions returns the code actions of a kind at the position p, by title.
func (s *session) actions(p protocol.TextDocumentPositionParams, kind protocol.CodeActionKind) map[string]*protocol.CodeAction {
	list, err := s.server.CodeAction(ctx, &protocol.CodeActionParams{
		TextDocument: p.TextDocument, Range: protocol.Range{Start: p.Position, End: p.Position},
		Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}, Only: []protocol.CodeActionKind{kind}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	byTitle := map[string]*protocol.CodeAction{}
	for _, a := range list {
		a := a.(*protocol.CodeAction)
		byTitle[a.Title] = a
	}
	return byTitle
}

func TestQuickFix(t *testing.T) {
	s := opened(t)
	s.replace("scale.pto", "pto.tmuls", "pto.tmulss")
	p := s.at("scale.pto", "pto.tmulss", 3)
	fix := s.actions(p, protocol.CodeActionKindQuickFix)["Replace 'pto.tmulss' by 'pto.tmuls'"]
	if fix == nil {
		t.Fatalf("actions: %v", s.actions(p, protocol.CodeActionKindQuickFix))
	}
	if got := s.apply(p.TextDocument.URI, fix.Edit.Changes[p.TextDocument.URI]); got != scale {
		t.Errorf("fixed:\n%s", got)
	}
}

// TestQuickFixSearched checks the edit of an error for which the parser proposes none.
func TestQuickFixSearched(t *testing.T) {
	s := opened(t)
	s.replace("scale.pto", "-> !pto.tile<loc=vec, 16x64xf32> //", "-> !pto.tile<loc=vec, 16x64xf16> //")
	p := s.at("scale.pto", "pto.tstore %u", 11)
	fixes := s.actions(p, protocol.CodeActionKindQuickFix)
	for _, fix := range fixes {
		got := s.apply(p.TextDocument.URI, fix.Edit.Changes[p.TextDocument.URI])
		if strings.Contains(got, "-> !pto.tile<16x64xf32> // the work") {
			return
		}
	}
	t.Errorf("actions: %v", fixes)
}

func TestOfferedPassesExist(t *testing.T) {
	for _, o := range offered {
		for _, name := range o.passes {
			if registry.Lookup(name) == nil {
				t.Errorf("there is no pass %s", name)
			}
		}
	}
}

// TestPassActions checks that the action that inserts synchronization preserves comments
// and yields a program without errors.
func TestPassActions(t *testing.T) {
	s := opened(t)
	p := s.at("scale.pto", "pto.tmuls", 3)
	actions := s.actions(p, protocol.CodeActionKindRefactorRewrite)
	a := actions["Insert synchronization, as for the device (pto-insert-sync)"]
	if a == nil {
		t.Fatalf("actions: %v", actions)
	}
	got := s.apply(p.TextDocument.URI, a.Edit.Changes[p.TextDocument.URI])
	for _, want := range []string{"pto.set_flag", "pto.wait_flag", "// Views of both arrays.", "// the work", "// The end."} {
		if !strings.Contains(got, want) {
			t.Errorf("the result lacks %q:\n%s", want, got)
		}
	}
	if found := s.open("synced.pto", got); len(found) > 0 {
		t.Errorf("the result has diagnostics: %q", messages(found))
	}
}

// TestInlayHints checks the hints about tile addresses, and about the flags that a pass
// would insert.
func TestInlayHints(t *testing.T) {
	s := opened(t)
	hints, err := s.server.InlayHint(ctx, &protocol.InlayHintParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.File("/kernels/scale.pto")}, Range: newMapper(scale, false).whole(),
	})
	var texts []string
	for _, h := range hints {
		texts = append(texts, string(h.Label.(protocol.String)))
	}
	want := []string{"vec 0x0, 4096 B; raises MTE2→V", "vec 0x1000, 4096 B; waits MTE2→V; raises V→MTE3", "waits V→MTE3"}
	if err != nil || !slices.Equal(texts, want) {
		t.Errorf("hints %q (%v), want %q", texts, err, want)
	}
}

func TestInlayHintsOfFlags(t *testing.T) {
	s := start(t, nil)
	text := strings.Replace(scale, "  return\n", "  pto.barrier <PIPE_ALL>\n  return\n", 1)
	s.open("flags.pto", text)
	hints, err := s.server.InlayHint(ctx, &protocol.InlayHintParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.File("/kernels/flags.pto")}, Range: newMapper(text, false).whole(),
	})
	if err != nil || len(hints) != 2 {
		t.Errorf("%d hints (%v), want 2", len(hints), err)
	}
}

// TestCodeLens checks that each kernel has lenses whose command runs the kernel.
func TestCodeLens(t *testing.T) {
	s := start(t, nil)
	s.open("scale.pto", strings.Replace(scale, ", %s: f32) {", ", %s: f32) attributes {pto.kernel} {", 1))
	lenses, err := s.server.CodeLens(ctx, &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File("/kernels/scale.pto")}})
	if err != nil || len(lenses) != len(lensCommands) {
		t.Fatalf("%d lenses (%v), want %d", len(lenses), err, len(lensCommands))
	}
	c := lenses[1].Command
	result, err := s.server.ExecuteCommand(ctx, &protocol.ExecuteCommandParams{Command: c.Command, Arguments: c.Arguments})
	if err != nil || string(result) != `"ran scale --check=all\n"` {
		t.Errorf("result %s (%v)", result, err)
	}
	for _, p := range []*protocol.ExecuteCommandParams{{Command: "pto.none"}, {Command: c.Command}, {Command: c.Command, Arguments: c.Arguments[:1]}} {
		if _, err := s.server.ExecuteCommand(ctx, p); err == nil {
			t.Errorf("%+v is not refused", p)
		}
	}
}

// TestPositionEncodings checks that columns count UTF-16 units, or bytes if the client
// requests them.
func TestPositionEncodings(t *testing.T) {
	const text = "a\U0001F600b\r\nä%x\n"
	for _, inBytes := range []bool{false, true} {
		m := newMapper(text, inBytes)
		for off := range text { // every start of a character
			if got := m.offset(m.position(off)); got != off {
				t.Errorf("bytes %v: offset %d becomes %d", inBytes, off, got)
			}
		}
	}
	if p := newMapper(text, false).position(strings.Index(text, "b")); p.Character != 3 {
		t.Errorf("UTF-16 column %d, want 3", p.Character)
	}
	if p := newMapper(text, true).position(strings.Index(text, "b")); p.Character != 5 {
		t.Errorf("byte column %d, want 5", p.Character)
	}
	if off := newMapper(text, false).offset(protocol.Position{Line: 99, Character: 99}); off != len(text) {
		t.Errorf("a position after the text is offset %d", off)
	}
}

// TestEveryRequestOnExamples checks that the examples have no diagnostics, and that every
// request succeeds at every word.
func TestEveryRequestOnExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.pto")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d examples (%v)", len(files), err)
	}
	s := start(t, nil)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f)
		for _, d := range s.open(name, string(text)) {
			if d.Severity == protocol.DiagnosticSeverityError {
				t.Errorf("%s: %v", name, d.Message)
			}
		}
		d := newDocument(&server{}, uri.File("/kernels/"+name), 1, string(text))
		for _, tok := range ir.Tokens(d.src.Text) {
			word := d.src.Text[tok.Start:tok.End]
			if tok.Kind == ir.ValueToken && len(d.occurrences(tok.Start)) == 0 {
				t.Errorf("%s:%d: %s has no definition", name, d.position(tok.Start).Line+1, word)
			}
			if tok.Kind == ir.WordToken && strings.HasPrefix(word, "pto.") && d.isOpName(tok.Start) && d.describe(tok.Start, word) == "" {
				t.Errorf("%s: no page about %s", name, word)
			}
		}
	}
}

func TestRequestOfClosedFileIsError(t *testing.T) {
	s := start(t, nil)
	_, err := s.server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File("/kernels/none.pto")}}})
	if err == nil || !strings.Contains(err.Error(), "none.pto is not open") {
		t.Errorf("error %v", err)
	}
}
