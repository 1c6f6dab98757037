// This file implements inlay hints.

package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"ptogo/internal/inspect"
	"ptogo/ir"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// InlayHint implements protocol.Server. Beside each tile it shows where planning puts it,
// how many bytes it has, and how long it is in use.
func (s *server) InlayHint(_ context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	from, to := d.offset(p.Range.Start), d.offset(p.Range.End)
	hints := []protocol.InlayHint{}
	padding := true
	for off, label := range d.tileHints() {
		if from <= off && off <= to {
			hints = append(hints, protocol.InlayHint{
				Position: d.position(off), Label: protocol.String(label.text), PaddingLeft: &padding, Tooltip: protocol.String(label.tooltip),
			})
		}
	}
	return hints, nil
}

// label is the text of a hint, and the tooltip that the editor shows on demand.
type label struct{ text, tooltip string }

// tileHints returns the hints of a document by the offset of the end of the operation
// that creates the tile. It returns none if the program has errors, or if its tiles do
// not fit the memory.
func (d *document) tileHints() map[int]label {
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
	return hints
}

// lineEnd returns the offset of the end of the line that contains off.
func (d *document) lineEnd(off int) int {
	line := int(d.position(off).Line)
	return d.lines[line] + len(d.line(line))
}
