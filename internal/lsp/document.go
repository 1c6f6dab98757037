// This file holds open documents and their analysis.

package lsp

import (
	"fmt"
	"slices"
	"sync"

	"go.lsp.dev/uri"

	"ptogo/internal/inspect"
	"ptogo/internal/repair"
	"ptogo/ir"
	"ptogo/kernel"
)

// document is one version of an open file. It is immutable; an edit creates a new
// document.
type document struct {
	*mapper
	// server is the server that has the file open.
	server *server
	// uri is the address of the file.
	uri uri.URI
	// version is the number that the client has given to this version.
	version int32
	// src is the text in the form that the parser accepts.
	src *ir.Source
	// arch is the chip family (a2, a3 or a5) to check for, or "" for the one that each
	// module names.
	arch string

	// once guards analysed, which the method analysis computes.
	once     sync.Once
	analysed analysis
	// onceRepaired guards repaired, which the method repairs computes.
	onceRepaired sync.Once
	repaired     []*ir.Diag
}

// analysis is the result of parsing and verifying a text.
type analysis struct {
	// index records the positions of names and operations. It is also filled for a text
	// with errors.
	index ir.TextIndex
	// diags are the diagnostics in text order.
	diags []*ir.Diag
	// module is the program, or nil after a syntax error.
	module *ir.Op
	// target is the target that the program was checked for.
	target ir.Target
	// ok reports whether the verifier accepts the module.
	ok bool
}

// newDocument returns a version of the file at the given URI. The text is parsed later,
// on demand.
func newDocument(s *server, at uri.URI, version int32, text string) *document {
	d := &document{
		mapper: newMapper(text, s.utf8), server: s, uri: at, version: version, arch: s.arch,
		src: &ir.Source{Name: fileName(at), Text: text},
	}
	if d.isCpp() {
		d.readCpp()
	}
	return d
}

// maxText is the maximum size of a text, in bytes, that the server analyses.
const maxText = 16 << 20

// analysis returns the result of parsing and verifying the text. It is computed on the
// first call.
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

// repairs returns the diagnostics of the document with the edits that remove errors. It is
// computed on the first call, as the search for edits reads many changed texts.
func (d *document) repairs() []*ir.Diag {
	d.onceRepaired.Do(func() {
		for _, diag := range d.analysis().diags {
			c := *diag
			c.Notes = slices.Clone(c.Notes)
			d.repaired = append(d.repaired, &c)
		}
		if d.isCpp() || d.analysis().ok {
			return
		}
		repair.Suggest(d.src, d.repaired, func(edited *ir.Source) []*ir.Diag { return inspect.Read(edited, d.arch, nil).Diags })
	})
	return d.repaired
}

// read parses the text of the document once more and returns the new module. The caller
// runs passes on this module, which modify it; the module of the analysis must not
// change. read returns nil if the text has errors.
func (d *document) read() *ir.Op {
	if !d.analysis().ok {
		return nil
	}
	var diags ir.Diags
	return kernel.Parse(d.src, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, &diags)
}

// fileName returns the path of the file to which the URI in the parameter at refers. It
// returns any other URI unchanged, for example the URI of a document that has not been
// saved.
func fileName(at uri.URI) string {
	if path := at.FsPath(); path != "" {
		return path
	}
	return string(at)
}
