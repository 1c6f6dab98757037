// This file defines tensor views of global memory, and plans their creation and
// partition.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maxRank is the number of dimensions of every view in the runtime. Types with fewer
// dimensions are extended by leading dimensions of size 1.
const maxRank = pto.ViewRank

// view describes a tensor in global memory, or a rectangular region of one. A tensor with
// fewer than maxRank dimensions uses the last ones; the leading dimensions have size 1.
type view struct {
	addr uint64
	size [maxRank]int64
	// stride is the distance between neighbours along each dimension, in elements.
	stride [maxRank]int64
}

// viewShape returns the number of dimensions and the element size in bytes of a view
// type. It reports an error at op for other types.
func (p *planner) viewShape(op *ir.Op, t ir.Type) (rank, size int) {
	switch d := t.Data().(type) {
	case pto.TensorView:
		rank, size = d.Shape.Len(), pto.ByteSize(d.Elem)
	case pto.PartitionView:
		rank, size = d.Shape.Len(), pto.ByteSize(d.Elem)
	case ir.MemRefType:
		rank, size = d.Shape.Len(), pto.ByteSize(d.Elem)
	}
	if rank == 0 || rank > maxRank || size == 0 {
		p.errorf(op, "has a view of type %s, but pto-run requires 1 to %d dimensions and elements of whole bytes", t, maxRank)
		return 0, 0
	}
	return rank, size
}

// slotsOf returns the slot of each value in vs.
func (p *planner) slotsOf(vs []*ir.Value) []slot {
	var at []slot
	for _, v := range vs {
		at = append(at, p.slot(v))
	}
	return at
}

// makeView compiles op into a step, a function that creates a tensor view from a pointer,
// a shape and strides.
func (p *planner) makeView(op *ir.Op, _ sem.MakeView) step {
	rank, _ := p.viewShape(op, op.Result(0).Type())
	ptr, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	made := sem.ViewingOf(op)
	shape, strides := p.slotsOf(made.Shape), p.slotsOf(made.Strides)
	first := maxRank - rank
	return func(fr *frame) *Fault {
		w := &fr.w[d]
		*w = view{addr: fr.x[ptr]}
		for i := range first {
			w.size[i] = 1
		}
		for i := range shape {
			w.size[first+i], w.stride[first+i] = int64(fr.x[shape[i]]), int64(fr.x[strides[i]])
		}
		return nil
	}
}

// partition creates a view of a region of a tensor. It does not check whether the region
// is inside the buffer, because views can be larger than buffers; instructions check that
// when they access the region.
type partition struct {
	op             *ir.Op
	view, result   slot
	offsets, sizes []slot
	// rank is the number of dimensions, and size the number of bytes of an element.
	rank, size int
}

// partView compiles op into a step, a function that creates a view of a rectangular
// region of a tensor.
func (p *planner) partView(op *ir.Op, _ sem.PartView) step {
	rank, size := p.viewShape(op, op.Operand(0).Type())
	part := sem.ViewingOf(op)
	c := &partition{
		op: op, rank: rank, size: size, view: p.slot(op.Operand(0)), result: p.slot(op.Result(0)),
		offsets: p.slotsOf(part.Offsets), sizes: p.slotsOf(part.Sizes),
	}
	return c.exec
}

// exec computes the view of a rectangular region of a tensor. It passes a warning to
// Options.Warn if the region is not inside the tensor: a device computes an address from the
// offsets and strides, and never compares the region with the extents of the tensor. Generated
// kernels rely on this where they load more than they use. Instructions that access the region
// check the bounds of the buffer.
func (c *partition) exec(fr *frame) *Fault {
	w := fr.w[c.view]
	at, inside, first := int64(0), true, maxRank-c.rank
	for i := range c.offsets {
		offset, n, extent := int64(fr.x[c.offsets[i]]), int64(fr.x[c.sizes[i]]), w.size[first+i]
		inside = inside && uint64(n) <= uint64(extent) && uint64(offset) <= uint64(extent-n)
		at += far(offset, w.stride[first+i])
		w.size[first+i] = n
	}
	if !inside {
		text, f := c.outside(fr)
		if f != nil {
			return f
		}
		if text != "" {
			fr.core.warnOnce(c.op, func() *Fault {
				f := faultAt(c.op, "%s: a device accesses the memory that follows", text).memory()
				f.PastView = true
				return f
			})
		}
	}
	w.addr += uint64(at * int64(c.size))
	fr.w[c.result] = w
	return nil
}

// outside returns a text about a region that exceeds its view, or "" for a region without
// elements. Empty regions can be anywhere: they occur, for example, after the last iteration
// of a loop. A negative size is a fault.
func (c *partition) outside(fr *frame) (text string, f *Fault) {
	empty := false
	for i := range c.sizes {
		offset, n := int64(fr.x[c.offsets[i]]), int64(fr.x[c.sizes[i]])
		if n < 0 {
			return "", faultAt(c.op, "selects a part of negative size %d in dimension %d", n, i)
		}
		empty = empty || n == 0
		if text == "" && !c.runsOn(fr, i) {
			text = pto.OutsideView(c.rank, i, offset, n, fr.w[c.view].size[maxRank-c.rank+i])
		}
	}
	if empty {
		return "", nil
	}
	return text, nil
}

// runsOn reports whether the region may exceed the extent of dimension i of the tensor.
// An element after the end of dimension i is then the element at the next index of the
// next outer dimension. The result is true under three conditions. Dimension i and
// the outer dimensions are contiguous in memory. The region has size 1 in these outer
// dimensions. The region stays inside the contiguous memory that dimension i and the
// outer dimensions form.
func (c *partition) runsOn(fr *frame, i int) bool {
	if i == c.rank-1 {
		return false
	}
	w, first := &fr.w[c.view], maxRank-c.rank
	n, offset, extent := int64(fr.x[c.sizes[i]]), int64(fr.x[c.offsets[i]]), w.size[first+i]
	for k := i - 1; k >= 0 && fr.x[c.sizes[k]] == 1 && w.stride[first+k] == extent*w.stride[first+i]; k-- {
		offset += int64(fr.x[c.offsets[k]]) * extent
		extent *= w.size[first+k]
		if pto.OutsideView(c.rank, i, offset, n, extent) == "" {
			return true
		}
	}
	return false
}

// axis is a list of dimensions of a view (pto.ViewAxis), starting with the innermost one.
// Runtime functions treat these dimensions as one dimension: elements along them have
// consecutive numbers.
type axis []int

var (
	// matrixRows and matrixCols are the view dimensions that correspond to the rows and
	// columns of a tile.
	matrixRows = axis(pto.MatrixRows)
	matrixCols = axis(pto.MatrixCols)
	wholeView  = axis(pto.WholeView)
)

// length returns the number of elements of view w along the axis, which is the product of
// the extents of its dimensions.
func (a axis) length(w *view) int {
	n := int64(1)
	for _, d := range a {
		n *= w.size[d]
	}
	return int(n)
}

// offset returns the distance in elements from the start of view w to element i along the
// axis.
func (a axis) offset(w *view, i int) int64 {
	at, rest := int64(0), int64(i)
	for _, d := range a {
		at += far(rest%w.size[d], w.stride[d])
		rest /= w.size[d]
	}
	return at
}

// step returns the distance in elements between neighbours along the axis. The bool
// result is false if the distance is not constant.
func (a axis) step(w *view) (int64, bool) {
	if len(a) == 0 {
		return 0, true
	}
	for _, d := range a[1:] {
		if w.size[d] != 1 {
			return 0, false
		}
	}
	return w.stride[a[0]], true
}

// planesFollow reports whether the matrices of view w, which dimensions 0 to 2 repeat, follow
// each other in memory without gaps between their rows.
func (w *view) planesFollow() bool {
	next := far(w.size[3], w.stride[3])
	for d := 2; d >= 0; d-- {
		if w.size[d] != 1 && w.stride[d] != next {
			return false
		}
		next = far(w.size[d], next)
	}
	return true
}

// dense reports whether neighbours along the axis are adjacent in memory.
func (a axis) dense(w *view) bool { return len(a) > 0 && w.stride[a[0]] == 1 }

// run returns how many elements of view w, from element i along the axis, are adjacent in
// memory. An axis is a list of view dimensions.
func (a axis) run(w *view, i int) int {
	if !a.dense(w) {
		return 1
	}
	inner := a[0]
	return int(w.size[inner] - int64(i)%w.size[inner])
}

// castPtr compiles op into a step, a function that changes the type of a pointer, or
// converts it to an integer. The runtime represents pointers as integers, so the step
// only truncates the value.
func (p *planner) castPtr(op *ir.Op, _ sem.CastPtr) step {
	from, to := p.slot(op.Operand(0)), p.slot(op.Result(0))
	m := ^uint64(0)
	if f, ok := ir.FormatOf(op.Result(0).Type()); ok {
		m = f.Mask()
	}
	return func(fr *frame) *Fault { fr.x[to] = fr.x[from] & m; return nil }
}

// addPtr compiles op into a step, a function that adds a number of elements to a pointer.
func (p *planner) addPtr(op *ir.Op, _ sem.AddPtr) step {
	ptr, by, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	size := uint64(pto.ByteSize(ir.ElementType(op.Operand(0).Type())))
	return func(fr *frame) *Fault { fr.x[d] = fr.x[ptr] + uint64(far(int64(fr.x[by]), int64(size))); return nil }
}

// query compiles op into a step, a function that returns a property of the launch, such
// as the number of the current block.
func (p *planner) query(op *ir.Op, kind sem.Query) step {
	d := p.slot(op.Result(0))
	var ask func(c *core) int
	switch kind.What {
	case sem.BlockIdx:
		ask = func(c *core) int { return c.cluster.block }
	case sem.BlockNum:
		ask = func(c *core) int { return c.prog.opts.Blocks }
	case sem.SubBlockIdx:
		ask = func(c *core) int { return c.sub }
	case sem.SubBlockNum:
		ask = func(c *core) int { return c.cluster.subBlocks() }
	default:
		p.errorf(op, "cannot be executed by pto-run yet")
		return nil
	}
	return func(fr *frame) *Fault { fr.x[d] = uint64(ask(fr.core)); return nil }
}

// subBlocks returns the number of simulated vector cores in the block. It is 1 if one
// simulated core represents all cores.
func (cl *cluster) subBlocks() int {
	n := 0
	for _, c := range cl.cores {
		if c.unit == vectorUnit {
			n++
		}
	}
	return max(n, 1)
}
