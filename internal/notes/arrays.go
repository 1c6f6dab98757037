// This file finds arrays that a kernel does not reach, or only partially.

package notes

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

// View is a view (a tensor in global memory) with constant shape and strides, and
// the position of its last element.
type View struct {
	// Op is the instruction that creates the view.
	Op *ir.Op
	// Shape and Strides are in elements.
	Shape, Strides []int64
	// Elements is the number of elements from the first to the last one in memory.
	Elements int64
}

// ViewsOf returns the views that a kernel creates from a pointer parameter. known is
// false if the kernel uses the parameter in any other way, or if a view has a dynamic
// shape or dynamic strides.
func ViewsOf(param *ir.Value) (views []View, known bool) {
	for u := range param.Uses() {
		op := u.Owner()
		if _, ok := op.Def().Sem.(sem.MakeView); !ok {
			return nil, false
		}
		v := View{Op: op, Elements: 1}
		described := sem.ViewingOf(op)
		for i, n := range described.Shape {
			extent, ok := pto.ConstantInt(n)
			stride, ok2 := pto.ConstantInt(described.Strides[i])
			if !ok || !ok2 || extent < 1 || extent > 1<<31 || stride < 0 || stride > 1<<31 {
				return nil, false
			}
			v.Shape, v.Strides = append(v.Shape, extent), append(v.Strides, stride)
			v.Elements += (extent - 1) * stride
		}
		views = append(views, v)
	}
	return views, true
}

// Farthest returns the view with the largest distance from its first element to its last
// element in memory.
func Farthest(views []View) View {
	best := views[0]
	for _, v := range views {
		if v.Elements > best.Elements {
			best = v
		}
	}
	return best
}

// Packed returns the strides, in elements, that the view v would have if its elements
// were contiguous in memory. It also returns the number of elements of the view.
func (v View) Packed() (strides []int64, elements int64) {
	strides, elements = make([]int64, len(v.Shape)), 1
	for i := len(v.Shape) - 1; i >= 0; i-- {
		strides[i] = elements
		elements *= v.Shape[i]
	}
	return strides, elements
}

// Arrays returns a note about each array that the kernel does not access, or accesses
// only partially. The user may have passed such an array by mistake.
func Arrays(prog *kernel.Program, args []*data.Arg) (notes []string) {
	if len(prog.Kernels) != 1 {
		return nil
	}
	params := prog.Params()
	for i, param := range fn.Body(prog.Entry()).Args() {
		if i >= len(args) || args[i].Array == nil || args[i].PerBlock {
			continue
		}
		name := data.ParamName(params, i)
		views, known := ViewsOf(param)
		if known && len(views) == 0 {
			notes = append(notes, fmt.Sprintf("kernel '%s' never uses %s, the array of --arg %d", ir.Visible(prog.Name()), name, i))
			continue
		}
		elem := ir.ElementType(params[i].Type)
		if !known || pto.ByteSize(elem) == 0 {
			continue
		}
		v, has := Farthest(views), int64(len(args[i].Array.Data)/pto.ByteSize(elem))
		if v.Elements < has {
			notes = append(notes, fmt.Sprintf("the array of %s has %s, of which the kernel reaches the first %d: its largest view is %s (%s)",
				name, ir.Count(int(has), "element"), v.Elements, Joined(v.Shape, "x"), v.Op.Loc()))
		}
	}
	return notes
}

// Joined returns the numbers ns in decimal, with sep between them.
func Joined(ns []int64, sep string) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, sep)
}
