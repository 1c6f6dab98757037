// This file replaces parameters that a launch cannot supply.

package kernel

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel/build"
)

// makeStorage replaces parameters that are views or tiles, because a launch can
// supply only pointers and numbers:
//
//   - A view, or a region of a view, becomes a pointer to a row-major tensor of its shape. Each
//     dynamic extent becomes a parameter of type index after all others.
//   - A tile in vec with contiguous rows becomes a pointer to its valid region. The kernel
//     loads the tile at its start and stores it at its end.
//   - Any other tile, and a ring of tiles, is removed from the parameters. The kernel
//     starts with an uninitialized one.
//
// Barriers separate the loads and stores from the rest of the kernel. A kernel that
// other functions call keeps its parameters.
func makeStorage(kernel *ir.Op) {
	if isCalled(kernel) {
		return
	}
	for i := 0; i < len(fn.Body(kernel).Args()); i++ {
		v := fn.Body(kernel).Arg(i)
		s := storage{kernel: kernel, name: v.Name(), i: i}
		if s.name == "" {
			s.name = fmt.Sprintf("arg%d", i)
		}
		switch t := v.Type().Data().(type) {
		case pto.TensorView:
			s.view(v, t.Shape, t.Elem, false)
		case pto.PartitionView:
			s.view(v, t.Shape, t.Elem, true)
		case pto.TileBuf:
			if s.tile(v, t.TileInfo) {
				i--
			}
		case pto.MultiTileBuf:
			s.replace(v, func(f *build.Func) *ir.Value { return f.Op(isatile.AllocMultiTile, nil, v.Type()).Result(0) })
			fn.RemoveParam(kernel, i)
			i--
		}
	}
}

// storage replaces one parameter of a kernel that is a view or a tile by pointers and
// numbers, because a launch can supply only these.
type storage struct {
	// kernel is the kernel that has the parameter.
	kernel *ir.Op
	// name is the name of the parameter.
	name string
	// i is the index of the parameter.
	i int
}

// replace calls insert to create operations at the start of the kernel, and replaces all
// uses of param by the result of these operations.
func (s *storage) replace(param *ir.Value, insert func(f *build.Func) *ir.Value) {
	old := ir.NewBlock(param.Type()).Arg(0) // param itself is an operand of the new operations
	param.ReplaceAllUses(old)
	made := insert(build.In(s.kernel, fn.Body(s.kernel).First()))
	made.SetName(s.name)
	old.ReplaceAllUses(made)
}

// view replaces the parameter param, a tensor view of the given shape and element type,
// by a pointer to a row-major tensor. If part is set, the parameter is a partition, a
// rectangular region of a view.
func (s *storage) view(param *ir.Value, shape ir.Dims, elem ir.Type, part bool) {
	t := param.Type()
	s.replace(param, func(f *build.Func) *ir.Value {
		extents := s.extents(f, shape)
		v := f.View(s.pointer(elem), extents...)
		if !part {
			v.SetType(t)
			return v
		}
		p := f.Part(v, f.Indices(make([]int64, len(extents))...), extents)
		p.SetType(t)
		return p
	})
}

// pointer changes the type of the current kernel parameter to a pointer to elements of
// type elem in global memory. It returns the block argument that represents this
// parameter.
func (s *storage) pointer(elem ir.Type) *ir.Value {
	fn.SetParamType(s.kernel, s.i, pto.Ptr(elem, sem.GM))
	return fn.Body(s.kernel).Arg(s.i)
}

// extents returns a value for each extent of a shape. A constant extent becomes a
// constant, and a dynamic extent becomes an additional parameter of the kernel.
func (s *storage) extents(f *build.Func, shape ir.Dims) []*ir.Value {
	vs := make([]*ir.Value, shape.Len())
	for k, n := range shape.Slice() {
		if n == ir.Dynamic {
			vs[k] = fn.AddParam(s.kernel, fmt.Sprintf("%s_extent%d", s.name, k), ir.Index)
		} else {
			vs[k] = f.Index(n)
		}
	}
	return vs
}

// tile replaces the parameter param, a tile, by an allocation in the kernel. If the
// contents of the tile can be loaded from a plain tensor, the parameter becomes a pointer
// to this tensor. If the contents cannot be loaded, the parameter is removed, and tile
// returns true.
func (s *storage) tile(param *ir.Value, t pto.TileInfo) (gone bool) {
	plain := t.Space == sem.UB && t.SLayout == pto.NoneBox && (t.BLayout == pto.RowMajor || t.Cols == 1) &&
		t.Compact == 0 && !pto.FP4.Has(t.Elem)
	f := build.In(s.kernel, fn.Body(s.kernel).First())
	var valid []*ir.Value
	segs := []int32{0, 0, 0}
	region := [2]int64{t.VRows, t.VCols}
	for k, n := range region {
		if n == ir.Dynamic {
			region[k] = [2]int64{t.Rows, t.Cols}[k]
			valid, segs[1+k] = append(valid, f.Index(region[k])), 1
		}
	}
	made := f.Create(ir.State{Def: isatile.AllocTile, Operands: valid, Segs: segs, Results: []ir.Type{param.Type()}}).Result(0)
	made.SetName(s.name)
	param.ReplaceAllUses(made)
	if !plain {
		fn.RemoveParam(s.kernel, s.i)
		return true
	}
	part := f.Whole(f.View(s.pointer(t.Elem), f.Indices(region[0], region[1])...))
	f.Into(isatile.TLoad, made, part)
	barrier(f)
	for b := range s.kernel.Region(0).Blocks() {
		if end := b.Terminator(); end != nil && end.Is(fn.Return) {
			f := build.In(s.kernel, end)
			barrier(f)
			f.TStore(made, part)
		}
	}
	return false
}

// barrier appends an instruction to f that waits until all pipes of the core have
// completed their earlier instructions.
func barrier(f *build.Func) {
	f.Create(ir.State{Def: isasync.Barrier, Attrs: []ir.NamedAttr{{Name: "pipe", Attr: pto.PipeEnum.Attr(sem.PipeAll.String())}}})
}
