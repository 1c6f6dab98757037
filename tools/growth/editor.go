// This file measures the requests of an editor.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/internal/lsp"
)

// document is the name of the file that the editor has open.
const document = uri.URI("file:///k.pto")

// requests are the requests that are measured, after the document was opened.
var requests = []struct {
	method string
	// params are the parameters in JSON beside the document; {line} and {character} are the
	// position of the last value with a name that begins with v.
	params string
}{
	{"textDocument/semanticTokens/full", ``},
	{"textDocument/documentSymbol", ``},
	{"textDocument/foldingRange", ``},
	{"textDocument/codeLens", ``},
	{"textDocument/formatting", `"options": {"tabSize": 2, "insertSpaces": true}`},
	{"textDocument/inlayHint", `"range": {"start": {"line": 0, "character": 0}, "end": {"line": {line}, "character": 0}}`},
	{"textDocument/codeAction", `"range": {"start": {"line": 0, "character": 0}, "end": {"line": {line}, "character": 0}}, "context": {"diagnostics": []}`},
	{"textDocument/hover", at},
	{"textDocument/definition", at},
	{"textDocument/documentHighlight", at},
	{"textDocument/completion", at},
	{"textDocument/references", at + `, "context": {"includeDeclaration": true}`},
	{"textDocument/rename", at + `, "newName": "renamed"`},
}

// at is the position of a request.
const at = `"position": {"line": {line}, "character": {character}}`

// EditorShapes returns the requests on documents of many lines and of one long line, and
// changes of a document.
func EditorShapes() (all []Shape) {
	texts := []struct {
		name string
		text func(n int) string
	}{
		{"lines", dead},
		{"functions", func(n int) string {
			return each(n, "func.func @f{i}(%n: i32) -> i32 {\n  %v = arith.addi %n, %n : i32\n  return %v : i32\n}")
		}},
		{"line", func(n int) string { return "\n" + strings.ReplaceAll(dead(n), "\n", " ") }},
	}
	for _, t := range texts {
		for _, r := range requests {
			all = append(all, Shape{"editor/" + r.method + " of " + t.name, 200, 0, t.text, func(text string) error {
				return edit(text, func(ctx context.Context, c jsonrpc2.Conn) error {
					before := text[:strings.LastIndex(text, "%v")+1]
					line, character := strings.Count(before, "\n"), len(before)-1-strings.LastIndexByte(before, '\n')
					params := strings.NewReplacer("{line}", number(line), "{character}", number(character)).Replace(r.params)
					if params != "" {
						params = ", " + params
					}
					var result json.RawMessage
					_, err := c.Call(ctx, r.method, json.RawMessage(fmt.Sprintf(`{"textDocument": {"uri": %q}%s}`, document, params)), &result)
					return err
				})
			}})
		}
	}
	return append(all, Shape{"editor/change with many edits", 200, 0, dead, func(text string) error {
		return edit(text, func(ctx context.Context, c jsonrpc2.Conn) error {
			lines := strings.Count(text, "\n")
			var edits []string
			for i := range lines - 6 {
				edits = append(edits, fmt.Sprintf(`{"range": {"start": {"line": %d, "character": 0}, "end": {"line": %[1]d, "character": 1}}, "text": "\t"}`, i+5))
			}
			return c.Notify(ctx, "textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument": {"uri": %q, "version": 2}, "contentChanges": [%s]}`, document, strings.Join(edits, ","))))
		})
	}})
}

// client is an editor that ignores the notifications of the server.
type client struct{ protocol.UnimplementedClient }

// edit opens the text in a language server in this process, does the given work and ends
// the session.
func edit(text string, work func(context.Context, jsonrpc2.Conn) error) error {
	ours, theirs := net.Pipe()
	ctx := context.Background()
	ended := make(chan error, 1)
	go func() { ended <- lsp.Serve(ctx, theirs, lsp.Options{}) }()
	_, conn, server := protocol.NewClient(ctx, client{}, jsonrpc2.NewStream(ours))
	_, err := server.Initialize(ctx, &protocol.InitializeParams{})
	if err != nil {
		return err
	}
	opened, err := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": document, "languageId": "pto", "version": 1, "text": text}})
	if err != nil {
		return err
	}
	if err := conn.Notify(ctx, "textDocument/didOpen", json.RawMessage(opened)); err != nil {
		return err
	}
	if err := work(ctx, conn); err != nil {
		return err
	}
	if err := server.Shutdown(ctx); err != nil {
		return err
	}
	if err := server.Exit(ctx); err != nil {
		return err
	}
	return <-ended
}
