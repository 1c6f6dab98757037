// This file notes arrays that a kernel does not reach, and explains accesses past the end
// of an array.

package run

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/internal/data"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
)

// maxPadding is the largest distance in bytes past the end of a buffer at which an
// access is probably covered by padding of a device's allocator.
const maxPadding = 512

// noteArrays prints a note about each array that the kernel does not access, or accesses
// only partially.
func (t *runTool) noteArrays(prog *kernel.Program, args []*data.Arg) {
	t.noteAll(notes.Arrays(prog, args))
}

// noteUnusedTiles prints a note about each tile that a kernel computes but never reads.
func (t *runTool) noteUnusedTiles(prog *kernel.Program) { t.noteAll(notes.UnusedTiles(prog)) }

// noteAll prints notes about a launch, but only for the first run of a program.
func (t *runTool) noteAll(texts []string) {
	if t.quiet {
		return
	}
	for _, text := range texts {
		fmt.Fprintf(t.Err, "%s: note: %s\n", t.Tool, text)
	}
}

// noteFault adds possible causes to a fault at an address past the end of an array: wrong
// strides of a view, or a wrong size of the array. The int argument is the index of the
// array. The last argument is the distance in bytes from the end of the array to the
// address.
func (t *runTool) noteFault(d *ir.Diag, buffer int, behind int64) {
	if views, size := t.viewsOf(buffer); len(views) > 0 {
		v := notes.Farthest(views)
		elem := ir.ElementType(v.Op.Operand(0).Type())
		strides, packed := v.Packed()
		switch bytes := int64(pto.ByteSize(elem)); {
		case packed*bytes <= size && v.Elements*bytes > size:
			d.Note(v.Op.Loc(), fmt.Sprintf("with strides %s this view of shape %s ends at element %d; strides %s make it contiguous, with %d elements",
				notes.Joined(v.Strides, ", "), notes.Joined(v.Shape, "x"), v.Elements, notes.Joined(strides, ", "), packed))
			return
		case v.Elements*bytes > size:
			d.Note(v.Op.Loc(), fmt.Sprintf("this view needs an array of %d bytes, such as zeros=%sx%s, but the array has %d", v.Elements*bytes, notes.Joined(v.Shape, "x"), elem, size))
			return
		}
	}
	if behind > int64(t.flags.gmSlack) && behind <= maxPadding {
		d.Note(ir.Loc{}, "devices pad their allocations: if the kernel relies on that, use --gm-slack=BYTES")
	}
}

// viewsOf returns the views that the kernel creates from one pointer parameter, and the
// size in bytes of the array that was passed for this parameter. The parameter buffer is
// the index of the kernel parameter. If no array was passed for it, the views are nil and
// the size is 0.
func (t *runTool) viewsOf(buffer int) (views []notes.View, size int64) {
	if t.kernel == nil || buffer < 0 || buffer >= len(t.launched) || t.launched[buffer].Array == nil {
		return nil, 0
	}
	args := fn.Body(t.kernel).Args()
	if buffer >= len(args) {
		return nil, 0
	}
	views, _ = notes.ViewsOf(args[buffer])
	return views, int64(len(t.launched[buffer].Array.Data))
}
