// This file determines how far accesses exceed a buffer.

package cli

import (
	"fmt"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// maxPadding is the largest distance in bytes past the end of a buffer at which an
// access is probably covered by padding of a device's allocator.
const maxPadding = 512

// viewReach is a view (a tensor in global memory) with constant shape and strides, and
// the position of its last element.
type viewReach struct {
	op             *ir.Op
	shape, strides []int64
	// elements is the number of elements from the first to the last one in memory.
	elements int64
}

// reachOf returns the views that a kernel creates from a pointer parameter. known is
// false if the kernel uses the parameter in any other way, or if a view has a dynamic
// shape or dynamic strides.
func reachOf(param *ir.Value) (views []viewReach, known bool) {
	for u := range param.Uses() {
		op := u.Owner()
		if _, ok := op.Def().Sem.(sem.MakeView); !ok {
			return nil, false
		}
		v := viewReach{op: op, elements: 1}
		described := sem.ViewingOf(op)
		for i, n := range described.Shape {
			extent, ok := pto.ConstantInt(n)
			stride, ok2 := pto.ConstantInt(described.Strides[i])
			if !ok || !ok2 || extent < 1 || extent > 1<<31 || stride < 0 || stride > 1<<31 {
				return nil, false
			}
			v.shape, v.strides = append(v.shape, extent), append(v.strides, stride)
			v.elements += (extent - 1) * stride
		}
		views = append(views, v)
	}
	return views, true
}

// farthest returns the view with the largest distance from its first element to its last
// element in memory.
func farthest(views []viewReach) viewReach {
	best := views[0]
	for _, v := range views {
		if v.elements > best.elements {
			best = v
		}
	}
	return best
}

// packed returns the strides, in elements, that the view v would have if its elements
// were contiguous in memory. It also returns the number of elements of the view.
func (v viewReach) packed() (strides []int64, elements int64) {
	strides, elements = make([]int64, len(v.shape)), 1
	for i := len(v.shape) - 1; i >= 0; i-- {
		strides[i] = elements
		elements *= v.shape[i]
	}
	return strides, elements
}

// noteArrays prints a note about each array that the kernel does not access, or accesses
// only partially. The user may have passed such an array by mistake.
func (t *runTool) noteArrays(prog *kernel.Program, args []*data.Arg) {
	if t.quiet || len(prog.Kernels) != 1 {
		return
	}
	params := prog.Params()
	for i, param := range fn.Body(prog.Entry()).Args() {
		if i >= len(args) || args[i].Array == nil || args[i].PerBlock {
			continue
		}
		name := paramName(params, i)
		views, known := reachOf(param)
		if known && len(views) == 0 {
			fmt.Fprintf(t.err, "%s: note: kernel '%s' never uses %s, the array of --arg %d\n", t.tool, ir.Visible(prog.Name()), name, i)
			continue
		}
		elem := ir.ElementType(params[i].Type)
		if !known || pto.ByteSize(elem) == 0 {
			continue
		}
		v, has := farthest(views), int64(len(args[i].Array.Data)/pto.ByteSize(elem))
		if v.elements < has {
			fmt.Fprintf(t.err, "%s: note: the array of %s has %s, of which the kernel reaches the first %d: its largest view is %s (%s)\n",
				t.tool, name, ir.Count(int(has), "element"), v.elements, joined(v.shape, "x"), v.op.Loc())
		}
	}
}

// noteFault adds possible causes to a fault at an address past the end of an array: wrong
// strides of a view, or a wrong size of the array. The int argument is the index of the
// array. The last argument is the distance in bytes from the end of the array to the
// address.
func (t *runTool) noteFault(d *ir.Diag, buffer int, behind int64) {
	if views, size := t.viewsOf(buffer); len(views) > 0 {
		v := farthest(views)
		elem := ir.ElementType(v.op.Operand(0).Type())
		strides, packed := v.packed()
		switch bytes := int64(pto.ByteSize(elem)); {
		case packed*bytes <= size && v.elements*bytes > size:
			d.Note(v.op.Loc(), fmt.Sprintf("with strides %s this view of shape %s ends at element %d; strides %s make it contiguous, with %d elements",
				joined(v.strides, ", "), joined(v.shape, "x"), v.elements, joined(strides, ", "), packed))
			return
		case v.elements*bytes > size:
			d.Note(v.op.Loc(), fmt.Sprintf("this view needs an array of %d bytes, such as zeros=%sx%s, but the array has %d", v.elements*bytes, joined(v.shape, "x"), elem, size))
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
func (t *runTool) viewsOf(buffer int) (views []viewReach, size int64) {
	if t.kernel == nil || buffer < 0 || buffer >= len(t.launched) || t.launched[buffer].Array == nil {
		return nil, 0
	}
	args := fn.Body(t.kernel).Args()
	if buffer >= len(args) {
		return nil, 0
	}
	views, _ = reachOf(args[buffer])
	return views, int64(len(t.launched[buffer].Array.Data))
}

// joined returns the numbers ns in decimal, with sep between them.
func joined(ns []int64, sep string) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, sep)
}
