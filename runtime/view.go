package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maxRank is the highest rank of a view.
const maxRank = pto.ViewRank

// view is a tensor in global memory, or a part of one. Dimensions stand at
// the end: those before a lower rank have size 1.
type view struct {
	addr   uint64
	size   [maxRank]int64
	stride [maxRank]int64 // in elements
}

// viewShape returns rank and element size of a view type.
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
		p.errorf(op, "works on %s, but a view has 1 to %d dimensions of elements that memory can hold", t, maxRank)
		return 0, 0
	}
	return rank, size
}

// slotsOf returns the slots of the operands of an argument.
func (p *planner) slotsOf(vs []*ir.Value) []slot {
	var at []slot
	for _, v := range vs {
		at = append(at, p.slot(v))
	}
	return at
}

// makeView returns the step that describes a tensor.
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

// partition cuts a part out of a view. Whether it lies in memory is checked
// when an instruction touches it, since views may be larger than buffers.
type partition struct {
	op             *ir.Op
	view, result   slot
	offsets, sizes []slot
	rank, size     int // dimensions, and bytes of an element
}

// partView returns the step that takes a part of a tensor.
func (p *planner) partView(op *ir.Op, _ sem.PartView) step {
	rank, size := p.viewShape(op, op.Operand(0).Type())
	part := sem.ViewingOf(op)
	c := &partition{
		op: op, rank: rank, size: size, view: p.slot(op.Operand(0)), result: p.slot(op.Result(0)),
		offsets: p.slotsOf(part.Offsets), sizes: p.slotsOf(part.Sizes),
	}
	return c.exec
}

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
		if f := c.outside(fr); f != nil {
			return f
		}
	}
	w.addr += uint64(at * int64(c.size))
	fr.w[c.result] = w
	return nil
}

// outside returns the fault of a part that leaves its view. What has no
// elements may lie anywhere, as after the last part of a loop.
func (c *partition) outside(fr *frame) *Fault {
	text, empty := "", false
	for i := range c.sizes {
		offset, n := int64(fr.x[c.offsets[i]]), int64(fr.x[c.sizes[i]])
		if n < 0 {
			return faultAt(c.op, "cuts out a part of size %d in dimension %d", n, i)
		}
		empty = empty || n == 0
		if text == "" && !c.runsOn(fr, i) {
			text = pto.OutsideView(c.rank, i, offset, n, fr.w[c.view].size[maxRank-c.rank+i])
		}
	}
	if empty || text == "" {
		return nil
	}
	return faultAt(c.op, "%s", text)
}

// runsOn reports whether the part leaves dimension i only to go on in the next
// place of the dimensions before it, and stays in those.
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

// axis is a pto.ViewAxis that finds elements.
type axis []int

var (
	matrixRows = axis(pto.MatrixRows)
	matrixCols = axis(pto.MatrixCols)
	wholeView  = axis(pto.WholeView)
)

// length is how many elements lie along the axis.
func (a axis) length(w *view) int {
	n := int64(1)
	for _, d := range a {
		n *= w.size[d]
	}
	return int(n)
}

// offset is the distance in elements from the start of the view to place i.
func (a axis) offset(w *view, i int) int64 {
	at, rest := int64(0), int64(i)
	for _, d := range a {
		at += far(rest%w.size[d], w.stride[d])
		rest /= w.size[d]
	}
	return at
}

// step is the distance in elements between neighbours along the axis, if it is
// the same for all.
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

// dense reports whether neighbours along the axis follow each other in memory.
func (a axis) dense(w *view) bool { return len(a) > 0 && w.stride[a[0]] == 1 }

// run is how many elements from place i on follow each other in memory.
func (a axis) run(w *view, i int) int {
	if !a.dense(w) {
		return 1
	}
	inner := a[0]
	return int(w.size[inner] - int64(i)%w.size[inner])
}

// castPtr returns the step that changes the type of an address. Addresses are
// numbers already.
func (p *planner) castPtr(op *ir.Op, _ sem.CastPtr) step {
	from, to := p.slot(op.Operand(0)), p.slot(op.Result(0))
	m := ^uint64(0)
	if f, ok := ir.FormatOf(op.Result(0).Type()); ok {
		m = f.Mask()
	}
	return func(fr *frame) *Fault { fr.x[to] = fr.x[from] & m; return nil }
}

// addPtr returns the step that moves an address by elements.
func (p *planner) addPtr(op *ir.Op, _ sem.AddPtr) step {
	ptr, by, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	size := uint64(pto.ByteSize(ir.ElementType(op.Operand(0).Type())))
	return func(fr *frame) *Fault { fr.x[d] = fr.x[ptr] + uint64(far(int64(fr.x[by]), int64(size))); return nil }
}

// query returns the step that asks about the launch.
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
		p.errorf(op, "cannot be executed yet")
		return nil
	}
	return func(fr *frame) *Fault { fr.x[d] = uint64(ask(fr.core)); return nil }
}

// subBlocks is the number of vector cores, or 1 where one core stands for all.
func (cl *cluster) subBlocks() int {
	n := 0
	for _, c := range cl.cores {
		if c.unit == vectorUnit {
			n++
		}
	}
	return max(n, 1)
}
