package lsp

import (
	"context"
	"net"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/ir"
)

// session is a test client, connected to a server in the same process.
type session struct {
	t         *testing.T
	server    protocol.Server
	published chan *protocol.PublishDiagnosticsParams
	done      chan error
	utf8      bool
	texts     map[uri.URI]string
	versions  map[uri.URI]int32
}

// editor receives the notifications that the server sends.
type editor struct {
	protocol.UnimplementedClient
	published chan *protocol.PublishDiagnosticsParams
}

// PublishDiagnostics implements protocol.Client.
func (e editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.published <- p
	return nil
}

// LogMessage and ShowMessage implement protocol.Client.
func (editor) LogMessage(context.Context, *protocol.LogMessageParams) error   { return nil }
func (editor) ShowMessage(context.Context, *protocol.ShowMessageParams) error { return nil }

// start connects a test client and initializes the server.
func start(t *testing.T, init *protocol.InitializeParams) *session {
	t.Helper()
	ours, theirs := net.Pipe()
	s := &session{t: t, published: make(chan *protocol.PublishDiagnosticsParams, 100), done: make(chan error, 1), texts: map[uri.URI]string{}, versions: map[uri.URI]int32{}}
	ctx := context.Background()
	go func() { s.done <- Serve(ctx, theirs, Options{Version: "test", Run: echoRun}) }()
	_, conn, server := protocol.NewClient(ctx, editor{published: s.published}, jsonrpc2.NewStream(ours))
	s.server = server
	if init == nil {
		init = &protocol.InitializeParams{}
	}
	result, err := server.Initialize(ctx, init)
	if err != nil {
		t.Fatal(err)
	}
	s.utf8 = result.Capabilities.PositionEncoding == protocol.PositionEncodingKindUTF8
	server.Initialized(ctx, &protocol.InitializedParams{})
	t.Cleanup(func() {
		if err := server.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		server.Exit(ctx)
		if err := <-s.done; err != nil {
			t.Errorf("Serve: %v", err)
		}
		conn.Close()
	})
	return s
}

// echoRun replaces pto-run in tests: it returns the command that would be run as text.
func echoRun(src *ir.Source, kernelName, arch string, flags ...string) (output string, exit int) {
	return strings.Join(append([]string{"ran", kernelName}, flags...), " ") + "\n", 0
}

// open opens a file with the given text, and returns its diagnostics.
func (s *session) open(name, text string) []protocol.Diagnostic {
	at := uri.File("/kernels/" + name)
	s.texts[at], s.versions[at] = text, 1
	err := s.server.DidOpen(context.Background(), &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: at, LanguageID: "mlir", Version: 1, Text: text},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.diagnostics(at)
}

// diagnostics waits for the diagnostics of the newest version of the file at the given
// URI.
func (s *session) diagnostics(at uri.URI) []protocol.Diagnostic {
	for p := range s.published {
		if v, ok := p.Version.Get(); p.URI == at && ok && v == s.versions[at] {
			return p.Diagnostics
		}
	}
	s.t.Fatal("the connection ended")
	return nil
}

// replace edits a file: it replaces the first occurrence of old by new. It returns the
// new diagnostics.
func (s *session) replace(name, old, new string) []protocol.Diagnostic {
	at := uri.File("/kernels/" + name)
	text := s.texts[at]
	i := strings.Index(text, old)
	if i < 0 {
		s.t.Fatalf("the text has no %q", old)
	}
	m := newMapper(text, s.utf8)
	s.versions[at]++
	s.texts[at] = text[:i] + new + text[i+len(old):]
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangePartial{Range: m.span(i, i+len(old)), Text: new},
	}}
	p.TextDocument.URI, p.TextDocument.Version = at, s.versions[at]
	if err := s.server.DidChange(context.Background(), p); err != nil {
		s.t.Fatal(err)
	}
	return s.diagnostics(at)
}

// at returns the position skip bytes after the start of the marker, which must occur
// exactly once in the file.
func (s *session) at(name, marker string, skip int) protocol.TextDocumentPositionParams {
	s.t.Helper()
	file := uri.File("/kernels/" + name)
	text := s.texts[file]
	if n := strings.Count(text, marker); n != 1 {
		s.t.Fatalf("the text has %q %d times", marker, n)
	}
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: file},
		Position:     newMapper(text, s.utf8).position(strings.Index(text, marker) + skip),
	}
}

// apply applies edits to the text of a file and returns the result.
func (s *session) apply(at uri.URI, edits []protocol.TextEdit) string {
	text := s.texts[at]
	m := newMapper(text, s.utf8)
	for i := len(edits) - 1; i >= 0; i-- { // from the end, so that offsets stay right
		e := edits[i]
		text = text[:m.offset(e.Range.Start)] + e.NewText + text[m.offset(e.Range.End):]
	}
	return text
}

// messages returns the message texts of diagnostics.
func messages(list []protocol.Diagnostic) (texts []string) {
	for _, d := range list {
		texts = append(texts, string(d.Message.(protocol.String)))
	}
	return texts
}
