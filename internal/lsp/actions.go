// This file offers code actions: fixes of diagnostics, and passes with a diff.

package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/passes"
)

// CodeAction implements protocol.Server. It returns the fixes for the diagnostics in the
// range, and the passes that would change the program.
func (s *server) CodeAction(_ context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	wants := func(kind protocol.CodeActionKind) bool {
		return len(p.Context.Only) == 0 || slices.Contains(p.Context.Only, kind) || slices.Contains(p.Context.Only, protocol.CodeActionKindRefactor) && kind == protocol.CodeActionKindRefactorRewrite
	}
	actions := []protocol.CommandOrCodeAction{}
	if wants(protocol.CodeActionKindQuickFix) {
		for _, a := range d.quickFixes(p.Range) {
			actions = append(actions, a)
		}
	}
	if wants(protocol.CodeActionKindRefactorRewrite) {
		for _, a := range d.passActions() {
			actions = append(actions, a)
		}
	}
	return actions, nil
}

// quickFixes returns the fixes for the diagnostics that touch a range.
func (d *document) quickFixes(within protocol.Range) (actions []*protocol.CodeAction) {
	from, to := d.offset(within.Start), d.offset(within.End)
	kind, preferred := protocol.CodeActionKindQuickFix, true
	for _, diag := range d.repairs() {
		_, off := diag.Loc.Source()
		for _, n := range diag.Notes {
			f := n.Fix
			if f == nil || f.Src != d.src || !touches(from, to, off, ir.TokenEnd(d.src.Text, off)) && !touches(from, to, f.Off, f.End) {
				continue
			}
			actions = append(actions, &protocol.CodeAction{
				Title: title(n), Kind: &kind, IsPreferred: &preferred, Diagnostics: []protocol.Diagnostic{d.diagnostic(diag)},
				Edit: d.edit(protocol.TextEdit{Range: d.span(f.Off, f.End), NewText: f.New}),
			})
		}
	}
	return actions
}

// maxTitle is the length of the longest title of an action, in bytes.
const maxTitle = 100

// title returns the title of the action that applies the fix of a note.
func title(n ir.Note) string {
	if t := n.Fix.Title(); len(t) <= maxTitle {
		return t
	}
	return strings.ToUpper(n.Text[:1]) + n.Text[1:]
}

// touches reports whether two ranges of offsets have a common offset. The first two
// arguments are the first and the last offset of one range, and the other two are those
// of the second range. The last offset belongs to the range.
func touches(a, b, from, to int) bool { return a <= to && from <= b }

// edit returns an edit of this document in the form that a client applies.
func (d *document) edit(edits ...protocol.TextEdit) *protocol.WorkspaceEdit {
	return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{d.uri: edits}}
}

// offered lists the code actions that run passes. Each action has a title and the names
// of its passes, which run one after the other.
var offered = []struct {
	title  string
	passes []string
}{
	{"Insert synchronization, as for the device", []string{"pto-bufferize", "pto-materialize-implicit-tmp", "pto-plan-memory", "pto-insert-sync"}},
	{"Insert scratch tiles", []string{"pto-materialize-implicit-tmp"}},
	{"Lower tiles to buffers", []string{"pto-bufferize"}},
	{"Assign addresses", []string{"pto-bufferize", "pto-plan-memory"}},
	{"Split into cube and vector cores", []string{"pto-split-cores"}},
	{"Canonicalize", []string{"canonicalize"}},
}

// registry contains the passes that the editor can run. The function passActions offers
// some of them as code actions.
var registry = passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})

// passActions returns an action for each entry of offered that would change the program.
// It returns none for a program with errors or for a large one, because the user waits
// for the result.
func (d *document) passActions() (actions []*protocol.CodeAction) {
	if !d.analysis().ok || len(d.src.Text) > maxTransformed {
		return nil
	}
	kind := protocol.CodeActionKindRefactorRewrite
	same, _ := d.transformed(nil)
	for _, o := range offered {
		text, ok := d.transformed(o.passes)
		if !ok || text == same {
			continue
		}
		actions = append(actions, &protocol.CodeAction{
			Title: o.title + " (" + o.passes[len(o.passes)-1] + ")", Kind: &kind,
			Edit: d.edit(protocol.TextEdit{Range: d.whole(), NewText: text}),
		})
	}
	return actions
}

// maxTransformed is the maximum size of a text, in bytes, on which passActions runs
// passes.
const maxTransformed = 256 << 10

// transformed runs the passes with the given names and returns the new text of the
// document. It keeps the comments of operations that still exist after the passes. The
// result ok is false if a pass fails.
func (d *document) transformed(names []string) (text string, ok bool) {
	module := d.read()
	if module == nil {
		return "", false
	}
	named := module.HasAttr(inspect.TargetArch)
	inspect.Choose(module, d.arch)
	var diags ir.Diags
	pipeline := passes.NewPipeline()
	for _, name := range names {
		pipeline.Add(registry.Lookup(name), "", &diags)
	}
	if !pipeline.Run(module, passes.RunOptions{Diags: &diags, Features: inspect.Features(module), Sequential: true}) {
		return "", false
	}
	if !named {
		module.SetAttr(inspect.TargetArch, ir.Attr{})
	}
	return d.print(module), true
}
