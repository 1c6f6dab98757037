// This file defines the server and its connection.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Options are the settings of a server.
type Options struct {
	// Arch is the profile to check for: a2, a3 or a5. If it is "", each module is checked
	// for the profile that it names.
	Arch string
	// Version is reported to clients.
	Version string
	// Run executes kernels; if it is nil, the server offers no commands that run kernels.
	Run Run
}

// server is the state of one client.
type server struct {
	protocol.UnimplementedServer
	// client sends notifications and requests to the editor.
	client protocol.Client
	// version is reported to the client.
	version string
	// run executes kernels, or is nil; see Options.Run.
	run Run
	// exit is closed when the client asks the server to exit.
	exit chan struct{}

	// mu guards the fields below.
	mu sync.Mutex
	// arch is the chip family (a2, a3 or a5) to check for; the client can configure it.
	arch string
	// utf8 reports whether positions count bytes and not UTF-16 units.
	utf8 bool
	// docs are the current versions of the open files.
	docs map[uri.URI]*document
	// folders are the paths of the folders of the workspace.
	folders []string
	// shutdown reports whether the client has requested the shutdown.
	shutdown bool
	// publishes counts the diagnostics that are being computed.
	publishes sync.WaitGroup
}

// Serve answers a client on conn until it exits or the connection ends. It returns an
// error if the client exits without a shutdown request.
func Serve(ctx context.Context, conn io.ReadWriteCloser, o Options) error {
	s := &server{version: o.Version, run: o.Run, arch: o.Arch, docs: map[uri.URI]*document{}, exit: make(chan struct{})}
	c := jsonrpc2.NewConn(jsonrpc2.NewStream(conn), jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(c)
	c.Go(ctx, s.guard(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler)))
	select {
	case <-s.exit:
	case <-c.Done():
	case <-ctx.Done():
	}
	s.publishes.Wait()
	go c.Close() // it waits for the reader, and nothing ends a read of standard input
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shutdown {
		return fmt.Errorf("the client ended the connection without a shutdown request")
	}
	return nil
}

// guard returns a handler that converts a panic in a request to an error of this request,
// so that the server continues.
func (s *server) guard(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		defer func() {
			if x := recover(); x != nil {
				result, err = nil, fmt.Errorf("request %s failed because of a bug in this server: %v; please report it with the program", req.Method(), x)
			}
		}()
		result, err = next(ctx, req)
		if err == nil && strings.HasPrefix(req.Method(), "$/") {
			return nil, nil
		}
		return result, err
	}
}

// codec encodes and decodes the messages of the protocol. Package protocol has the same
// codec but does not export it.
type codec struct{}

// Marshal implements jsonrpc2.Codec. It encodes a message of the protocol as JSON.
func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok && raw != nil {
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal implements jsonrpc2.Codec. It decodes a message of the protocol from JSON.
func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// settings holds the options that a client configures, as initializationOptions or in the
// section "pto" of its configuration.
type settings struct {
	// Arch is the profile to check for; nil keeps the current one.
	Arch *string `json:"arch"`
}

// configure applies the settings in raw, which has the form {"arch": ...} or {"pto":
// {"arch": ...}}. It ignores other contents.
func (s *server) configure(raw []byte) {
	var outer struct {
		settings
		Pto settings `json:"pto"`
	}
	if json.Unmarshal(raw, &outer) != nil {
		return
	}
	for _, set := range []settings{outer.settings, outer.Pto} {
		if set.Arch != nil {
			s.arch = *set.Arch
		}
	}
}

// Initialize implements protocol.Server. It applies the settings of the client, stores
// its workspace folders, and returns the capabilities of the server.
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.configure(p.InitializationOptions)
	if g := p.Capabilities.General; g != nil {
		s.utf8 = slices.Contains(g.PositionEncodings, protocol.PositionEncodingKindUTF8)
	}
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		s.folders = append(s.folders, fileName(f.URI))
	}
	return &protocol.InitializeResult{
		ServerInfo:   protocol.ServerInfo{Name: "pto-lsp-server", Version: protocol.NewOptional(s.version)},
		Capabilities: s.capabilities(),
	}, nil
}

// capabilities returns the requests that the server supports, and the negotiated position
// encoding.
func (s *server) capabilities() protocol.ServerCapabilities {
	encoding := protocol.PositionEncodingKindUTF16
	if s.utf8 {
		encoding = protocol.PositionEncodingKindUTF8
	}
	prepare := true
	var commands []string
	for _, c := range lensCommands {
		commands = append(commands, c.command)
	}
	return protocol.ServerCapabilities{
		CodeLensProvider:           &protocol.CodeLensOptions{},
		ExecuteCommandProvider:     protocol.ExecuteCommandOptions{Commands: commands},
		PositionEncoding:           encoding,
		TextDocumentSync:           protocol.TextDocumentSyncKindIncremental,
		HoverProvider:              protocol.Boolean(true),
		CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{".", "%", "@", "!", "#", "<"}},
		SignatureHelpProvider:      &protocol.SignatureHelpOptions{TriggerCharacters: []string{" ", ",", "("}},
		DefinitionProvider:         protocol.Boolean(true),
		ReferencesProvider:         protocol.Boolean(true),
		DocumentHighlightProvider:  protocol.Boolean(true),
		DocumentSymbolProvider:     protocol.Boolean(true),
		WorkspaceSymbolProvider:    protocol.Boolean(true),
		FoldingRangeProvider:       protocol.Boolean(true),
		DocumentFormattingProvider: protocol.Boolean(true),
		RenameProvider:             &protocol.RenameOptions{PrepareProvider: &prepare},
		InlayHintProvider:          protocol.Boolean(true),
		CodeActionProvider: &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{
			protocol.CodeActionKindQuickFix, protocol.CodeActionKindRefactorRewrite,
		}},
		SemanticTokensProvider: &protocol.SemanticTokensOptions{Legend: tokenLegend, Full: protocol.Boolean(true)},
	}
}

// Initialized implements protocol.Server. It does nothing, because the server needs no
// work after the handshake.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error { return nil }

// SetTrace implements protocol.Server. It does nothing, because the server writes no
// trace.
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// Shutdown implements protocol.Server. It records the request, so that a following exit
// is not an error.
func (s *server) Shutdown(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shutdown = true
	return nil
}

// Exit implements protocol.Server. It makes Serve return.
func (s *server) Exit(context.Context) error {
	close(s.exit)
	return nil
}

// DidChangeConfiguration implements protocol.Server. It applies the new settings and
// checks all open files again.
func (s *server) DidChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	s.mu.Lock()
	s.configure(p.Settings)
	var open []*document
	for at, d := range s.docs {
		d = newDocument(s, at, d.version, d.src.Text)
		s.docs[at] = d
		open = append(open, d)
	}
	s.mu.Unlock()
	for _, d := range open {
		s.publish(d)
	}
	return nil
}

// DidOpen implements protocol.Server. It stores the text of the opened file and publishes
// its diagnostics.
func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	s.set(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
	return nil
}

// DidChange implements protocol.Server. It applies the edits to the text of an open file
// and publishes the new diagnostics.
func (s *server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	d, err := s.anyDocument(p.TextDocument.URI)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(d.src.Text, "\n")
	for _, change := range p.ContentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			lines = strings.SplitAfter(c.Text, "\n")
		case *protocol.TextDocumentContentChangePartial:
			lines = edited(lines, c, d.utf8)
		}
	}
	if text := strings.Join(lines, ""); d.isCpp() { // until it is saved, the editor moves the diagnostics
		s.replace(p.TextDocument.URI, p.TextDocument.Version, text)
	} else {
		s.set(p.TextDocument.URI, p.TextDocument.Version, text)
	}
	return nil
}

// edited returns the lines of a text after an edit. Each line includes its line end; the
// last one has none. The edit changes lines in place, so that n edits of a text do not
// copy it n times. inBytes states whether columns count bytes.
func edited(lines []string, c *protocol.TextDocumentContentChangePartial, inBytes bool) []string {
	place := func(p protocol.Position) (line, at int) {
		if int(p.Line) >= len(lines) {
			return len(lines) - 1, len(lines[len(lines)-1])
		}
		return int(p.Line), newMapper(lines[p.Line], inBytes).offset(protocol.Position{Character: p.Character})
	}
	from, start := place(c.Range.Start)
	to, end := place(c.Range.End)
	if to < from || to == from && end < start {
		to, end = from, start
	}
	changed := strings.SplitAfter(lines[from][:start]+c.Text+lines[to][end:], "\n")
	if to+1 < len(lines) { // the last of these lines ends in a line end, after which nothing follows
		changed = changed[:len(changed)-1]
	}
	return slices.Replace(lines, from, to+1, changed...)
}

// DidSave implements protocol.Server. It checks a C++ file; other files are checked after
// each edit.
func (s *server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	d, err := s.anyDocument(p.TextDocument.URI)
	if err == nil && d.isCpp() {
		s.set(d.uri, d.version, d.src.Text)
	}
	return nil
}

// DidClose implements protocol.Server. It removes the diagnostics of the file.
func (s *server) DidClose(ctx context.Context, p *protocol.DidCloseTextDocumentParams) error {
	s.mu.Lock()
	delete(s.docs, p.TextDocument.URI)
	s.mu.Unlock()
	return s.client.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{URI: p.TextDocument.URI, Diagnostics: []protocol.Diagnostic{}})
}

// set replaces the text of a document, and publishes the diagnostics of the new text. The
// parameter at is the URI of the document, and version is the version of the new text.
func (s *server) set(at uri.URI, version int32, text string) {
	s.publish(s.replace(at, version, text))
}

// replace replaces the text of a document and returns the new document.
func (s *server) replace(at uri.URI, version int32, text string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := newDocument(s, at, version, text)
	s.docs[at] = d
	return d
}

// publish sends the diagnostics of d from another goroutine, unless an edit has replaced
// d in the meantime.
func (s *server) publish(d *document) {
	s.publishes.Go(func() {
		if !s.current(d) {
			return
		}
		found := d.diagnostics()
		if s.current(d) {
			s.client.PublishDiagnostics(context.Background(), &protocol.PublishDiagnosticsParams{
				URI: d.uri, Version: protocol.NewOptional(d.version), Diagnostics: found,
			})
		}
	})
}

// current reports whether d is the newest version of its file.
func (s *server) current(d *document) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.docs[d.uri] == d
}

// document returns the newest version of the open file with the given URI, or an error if
// the file is not open. For a C++ file it returns an empty program: requests about the
// text of programs have no answer for C++.
func (s *server) document(at uri.URI) (*document, error) {
	d, err := s.anyDocument(at)
	if err == nil && d.isCpp() {
		return newDocument(s, "", d.version, ""), nil
	}
	return d, err
}

// anyDocument returns the newest version of the open file with the given URI, which may be
// a C++ file.
func (s *server) anyDocument(at uri.URI) (*document, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.docs[at]; d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("the file %s is not open", filepath.Base(string(at)))
}
