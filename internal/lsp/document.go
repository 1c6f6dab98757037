// This file holds open documents and their analysis.

package lsp

import (
	"fmt"
	"sync"

	"go.lsp.dev/uri"

	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/kernel"
)

// document is one version of an open file. It never changes; an edit makes another one.
type document struct {
	*mapper
	server  *server
	uri     uri.URI
	version int32
	src     *ir.Source
	arch    string

	once     sync.Once
	analysed analysis
}

// analysis is what is known of a text.
type analysis struct {
	index  ir.TextIndex
	diags  []*ir.Diag
	module *ir.Op // nil after a syntax error
	target ir.Target
	ok     bool // the verifier accepts the module
}

func newDocument(s *server, at uri.URI, version int32, text string) *document {
	return &document{
		mapper: newMapper(text, s.utf8), server: s, uri: at, version: version, arch: s.arch,
		src: &ir.Source{Name: fileName(at), Text: text},
	}
}

// maxText is the size of a text, in bytes, up to which the server analyses it.
const maxText = 16 << 20

// analysis reads and verifies the text when it is first needed.
func (d *document) analysis() *analysis {
	d.once.Do(func() {
		a := &d.analysed
		if len(d.src.Text) > maxText {
			var diags ir.Diags
			diags.Add(ir.Warning, ir.LocAt(d.src, 0), fmt.Sprintf("the text is larger than %d MiB, so the language server does not check it; pto-opt does", maxText>>20))
			a.diags = diags.All()
			return
		}
		p := inspect.Read(d.src, d.arch, &a.index)
		a.diags, a.module, a.target, a.ok = p.Diags, p.Module, p.Target, p.OK
	})
	return &d.analysed
}

// read parses the text again, for passes that change the program. It returns nil if
// the text has errors.
func (d *document) read() *ir.Op {
	if !d.analysis().ok {
		return nil
	}
	var diags ir.Diags
	return kernel.Parse(d.src, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
}

// fileName returns the path of a file, or the address if it has another scheme, such as
// that of a text that has not been saved.
func fileName(at uri.URI) string {
	if path := at.FsPath(); path != "" {
		return path
	}
	return string(at)
}
