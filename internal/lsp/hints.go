// This file implements inlay hints.

package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// InlayHint implements protocol.Server. For each tile it shows the planned address, the
// size in bytes and the lifetime. In a program without flags, it also shows the flags
// that pto-insert-sync would insert.
func (s *server) InlayHint(_ context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	from, to := d.offset(p.Range.Start), d.offset(p.Range.End)
	hints := []protocol.InlayHint{}
	padding := true
	for off, label := range d.hints() {
		if from <= off && off <= to {
			hints = append(hints, protocol.InlayHint{
				Position: d.position(off), Label: protocol.String(label.text), PaddingLeft: &padding, Tooltip: protocol.String(label.tooltip),
			})
		}
	}
	slices.SortFunc(hints, func(a, b protocol.InlayHint) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Character, b.Position.Character))
	})
	return hints, nil
}

// label is the text of a hint, and the tooltip that an editor shows on demand.
type label struct{ text, tooltip string }

// hints returns the texts that the editor shows in the lines of a document, by the offset
// of the end of the line. The result is empty if the program has errors or its tiles do
// not fit into memory.
func (d *document) hints() map[int]label {
	hints := map[int]label{}
	module := d.read()
	if module == nil || len(d.src.Text) > maxTransformed {
		return hints
	}
	inspect.Choose(module, d.arch)
	var diags ir.Diags
	pipeline := passes.NewPipeline()
	for _, name := range []string{"pto-bufferize", "pto-materialize-implicit-tmp", "pto-plan-memory"} {
		pipeline.Add(registry.Lookup(name), "", &diags)
	}
	if !pipeline.Run(module, passes.RunOptions{Diags: &diags, Features: inspect.Features(module), Sequential: true}) {
		return hints
	}
	ends := map[string]int{} // end of the line of an operation, by its location
	for _, o := range d.analysis().index.Ops {
		ends[o.Op.Loc().String()] = d.lineEnd(o.Name)
	}
	for _, f := range plan.MapMemory(module, d.analysis().target).Functions {
		for _, space := range f.Spaces {
			for _, tile := range space.Tiles {
				if off, ok := ends[tile.At]; ok {
					hints[off] = label{
						text: fmt.Sprintf("%s 0x%x, %d B", space.Space, tile.Addr, tile.Size),
						tooltip: fmt.Sprintf("%s: bytes %d to %d of %s; in use from '%s' to '%s'", ir.Visible(tile.Name), tile.Addr, tile.Addr+tile.Size-1, space.Space,
							f.Points[tile.From], f.Points[tile.To]),
					}
				}
			}
		}
	}
	d.flagHints(module, ends, hints)
	return hints
}

// flagHints shows where the pass pto-insert-sync would insert flags. It runs the pass on
// the module, and adds a text for each inserted flag to the map hints, at the adjacent
// instruction. ends are the offset of the end of the line of each instruction. A program
// that already contains flags receives no hints, because its author places the flags.
func (d *document) flagHints(module *ir.Op, ends map[string]int, hints map[int]label) {
	for op := range module.Walk() {
		if isSync(op) {
			return
		}
	}
	var diags ir.Diags
	pipeline := passes.NewPipeline()
	pipeline.Add(registry.Lookup("pto-insert-sync"), "", &diags)
	if !pipeline.Run(module, passes.RunOptions{Diags: &diags, Features: inspect.Features(module), Sequential: true}) {
		return
	}
	for op := range module.Walk() {
		text, step := syncText(op)
		if text == "" {
			continue
		}
		near := step(op)
		for near != nil && isSync(near) {
			near = step(near)
		}
		if near == nil {
			continue
		}
		if off, ok := ends[near.Loc().String()]; ok {
			l := hints[off]
			l.text = strings.TrimPrefix(l.text+"; "+text, "; ")
			l.tooltip = strings.TrimPrefix(l.tooltip+"; flags as pto-insert-sync inserts them", "; ")
			hints[off] = l
		}
	}
}

// isSync reports whether the editor shows op as synchronization: op sets or waits for a
// flag, or is a barrier.
func isSync(op *ir.Op) bool {
	text, _ := syncText(op)
	return text != ""
}

// syncText returns a short text for op, a flag operation or a barrier. An editor shows
// this text in the line of a neighbouring instruction: before op if op raises a flag, and
// after op if op is a wait or a barrier. The second result is the function that steps
// from an operation to the previous or to the next one; the caller finds the neighbouring
// instruction by calling it repeatedly, starting with op. For all other operations, the
// results are "" and nil.
func syncText(op *ir.Op) (text string, step func(op *ir.Op) *ir.Op) {
	switch {
	case op.Is(isasync.SetFlag), op.Is(isasync.SetFlagDyn):
		return "raises " + pipes(op), (*ir.Op).Prev
	case op.Is(isasync.WaitFlag), op.Is(isasync.WaitFlagDyn):
		return "waits " + pipes(op), (*ir.Op).Next
	case op.Is(isasync.Barrier):
		return "barrier", (*ir.Op).Next
	}
	return "", nil
}

// pipes returns the source and destination pipe of a flag operation as text, such as
// MTE2→V.
func pipes(op *ir.Op) string {
	f := sem.FlagOf(op)
	return strings.ReplaceAll(f.Source.String()+"→"+f.Destination.String(), "PIPE_", "")
}

// lineEnd returns the offset of the end of the line that contains offset off.
func (d *document) lineEnd(off int) int {
	line := int(d.position(off).Line)
	return d.lines[line] + len(d.line(line))
}
