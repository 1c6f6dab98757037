// This file determines the memory that values refer to.

package insertsync

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// location describes the memory that an access touches, as far as the compiler can derive
// it from the program text. Unknown properties make the location larger, never smaller,
// so that no conflict is missed.
type location struct {
	space sem.Space
	// root is the object from whose start offsets are counted: a pointer argument for
	// global memory, or a tile parameter. If root is nil, offsets are counted from the
	// start of the memory space.
	root *ir.Value
	// from is the offset of the first byte, and size is the number of bytes from there to
	// the end of the last byte that the access can touch. If from.ok is false, the access
	// can touch any byte of the root.
	from sum
	size int64
	// A strided access touches only runs of width bytes. The distance in bytes from the
	// start of one run to the start of the next run is pitch. A width of 0 means that the
	// access touches all size bytes.
	width, pitch int64
	// ring, if not nil, means that the access is to one slot of a ring buffer. In that
	// case from is the offset in that slot.
	ring *ring
	// view and dims are set for a rectangular part of a tensor view. dims is the range of
	// indices in each dimension of view.
	view *ir.Value
	dims []indexRange
}

// indexRange is a range of indices in one dimension of a tensor view. It consists of a
// symbolic start and a constant size.
type indexRange struct {
	from sum
	size int64 // 0: not known
	// count is the size if it is not constant.
	count sum
}

// ring describes a ring buffer: several equal slots that a loop uses one after the other.
// It also describes which slot an access uses.
type ring struct {
	// alloc is the instruction that allocates the buffer, and count the number of slots.
	alloc *ir.Op
	count int64
	// slot is the size of a slot in bytes.
	slot int64
	// The slot number is index/den mod count. value is the value of the program that
	// holds it, or nil.
	index sum
	den   int64
	value *ir.Value
	// rounds, if not nil, is a loop. Then the loop counter in index represents the number
	// of the iteration.
	rounds *ir.Op
}

// resolver computes the locations to which pointers, tiles and views refer, and caches
// them.
type resolver struct {
	// known is the cache of locations, indexed by value.
	known map[*ir.Value][]location
	// mayAlias means that different pointer arguments can refer to the same memory
	// (gm-alias=may).
	mayAlias bool
	// queues returns the queues of the program.
	queues func() *isasync.Queues
	// path, if not nil, has the current values of integers in the static proof.
	path numbers
	// exact means that offsets with unknown values stay as they are. Otherwise, some of them
	// become unknown.
	exact bool
}

// numbers are the values of integers at a point of a program.
type numbers interface {
	// of returns the current sum for a value.
	of(v *ir.Value) sum
	// identity returns a value that identifies the current contents of v.
	identity(v *ir.Value) *ir.Value
}

// number expresses the integer v as a sum of a constant and multiples of unknown values.
// During the static proof, the unknown values are those of r.path.
func (r *resolver) number(v *ir.Value) sum {
	if r.path != nil {
		return r.path.of(v)
	}
	return sumOf(v)
}

// constant returns the value of the integer v. The second result is false if it is not a
// constant.
func (r *resolver) constant(v *ir.Value) (int64, bool) { return r.number(v).constant() }

// this returns a value that identifies the content of v in the current iteration of the
// simulation. A value that is defined inside a loop differs between iterations, so the
// result differs as well. Outside of a simulation, the result is v.
func (r *resolver) this(v *ir.Value) *ir.Value {
	if r.path != nil {
		return r.path.identity(v)
	}
	return v
}

// maxPlaces is the maximum number of alternative locations of a value. If there are more,
// the resolver assumes that the value can refer to the whole memory space.
const maxPlaces = 8

// places returns the possible locations of the memory that v refers to.
func (r *resolver) places(v *ir.Value) []location {
	if ps, ok := r.known[v]; ok {
		return ps
	}
	space := pto.SpaceOf(v.Type())
	r.known[v] = []location{{space: space}} // what a loop makes of itself may be anywhere
	ps := r.find(v, space)
	if len(ps) == 0 || len(ps) > maxPlaces {
		ps = []location{{space: space}}
	}
	r.known[v] = ps
	return ps
}

// find computes the locations (memory areas) to which v may refer, without using the
// cache. space is the memory space of these locations. An empty result means that the
// locations are unknown.
func (r *resolver) find(v *ir.Value, space sem.Space) []location {
	op := v.Op()
	if op == nil {
		return r.argument(v, space)
	}
	switch op.Def().Sem.(type) {
	case sem.AllocTile:
		return []location{r.allocated(op, v, space)}
	case sem.TileSlot:
		return r.slot(op)
	case sem.PlaceTile:
		at := r.number(op.Arg("addr"))
		return []location{{space: space, from: r.place(at), size: footprint(v.Type())}}
	case sem.SubTile:
		return r.subTile(op, v)
	case sem.SameStorage:
		return r.places(op.Operand(0))
	case sem.MakeView:
		return r.makeView(op, v)
	case sem.PartView:
		return r.partView(op, v)
	case sem.AddressOf:
		return pointers(r.places(op.Operand(0)))
	case sem.AddPtr:
		return r.addPtr(op, v)
	case sem.CastPtr:
		return r.castPtr(op, v, space)
	case sem.SetValid:
		return r.places(op.Operand(0))
	case sem.QueueEntry: // of the consumer: only that gives tiles
		return r.popped(op, space)
	case sem.Declare:
		return r.declared(v, space)
	}
	if op.Def() == arith.Select {
		return append(append([]location(nil), r.places(op.Operand(1))...), r.places(op.Operand(2))...)
	}
	if ps := r.moved(op, v); ps != nil {
		return ps
	}
	return r.result(op, v)
}

// popped returns the location of a queue entry. The slot of the queue is unknown, so the
// location covers the whole buffer of the queue, or the memory of all slots if the entry is
// a view of a slot in global memory.
func (r *resolver) popped(op *ir.Op, space sem.Space) []location {
	if space == sem.GM {
		return r.slotsOf(op)
	}
	buffer := r.queues().Buffer(op)
	if buffer == nil {
		return nil
	}
	if q := r.queues().Used(op); !isasync.NamedBuffer(buffer) { // an address, as in C++
		return []location{{space: space, from: r.place(r.number(buffer)), size: max(q.Locals, 1) * q.SlotSize}}
	}
	return []location{{space: space, root: buffer}}
}

// declared returns the locations of a tile that pops of queue entries provide. The result
// is nil if another instruction may provide it.
func (r *resolver) declared(v *ir.Value, space sem.Space) (ps []location) {
	if space == sem.GM {
		return nil
	}
	for u := range v.Uses() {
		use := sem.QueueUseOf(u.Owner())
		if use.Act != sem.QueuePop || use.Entry != v {
			continue
		}
		entry := r.popped(u.Owner(), space)
		if entry == nil {
			return nil
		}
		ps = append(ps, entry...)
	}
	return ps
}

// slotsOf handles an operation op that pops an entry of a queue in global memory as a
// view. It returns the possible locations of the queue. Each location covers all slots of
// the queue. There are several locations if the memory of the queue is ambiguous. For all
// other operations, slotsOf returns nil.
func (r *resolver) slotsOf(op *ir.Op) []location {
	q := r.queues().Used(op)
	if q == nil || q.Tensor == nil || sem.QueueEntryOf(op).Act != sem.QueuePop {
		return nil
	}
	var all []location
	for _, p := range r.places(q.Tensor) {
		all = append(all, location{space: sem.GM, root: p.root})
	}
	return all
}

// argument returns the possible locations of the memory to which a block argument refers.
// The argument v is a function parameter, or a value that a loop carries from one
// iteration to the next. space is its memory space. The result is nil if the locations
// are unknown.
func (r *resolver) argument(v *ir.Value, space sem.Space) []location {
	owner := v.Block().Parent()
	if owner == nil || owner.Parent() == nil {
		return nil
	}
	if owner.HasTrait(ir.IsSymbol) && v.Block() == owner.Region(0).Entry() {
		if r.mayAlias {
			return nil
		}
		return []location{{space: space, root: v, from: number(0), size: max(0, footprint(v.Type()))}}
	}
	if init, yielded := carried(owner, v); init != nil {
		ps := append([]location(nil), r.places(init)...)
		return append(ps, r.places(yielded)...)
	}
	if n := len(owner.Operands()); owner.Def().Sem == any(sem.Scope{Kind: sem.VectorFunction}) && v.Index() < n {
		return r.places(owner.Operand(v.Index())) // a capture
	}
	return nil
}

// result returns the locations of the result v of a loop or branch: the locations of the
// values that its regions yield.
func (r *resolver) result(op *ir.Op, v *ir.Value) []location {
	if len(op.Regions()) == 0 {
		return nil
	}
	var ps []location
	for _, reg := range op.Regions() {
		if reg.Empty() {
			continue
		}
		y := reg.Last().Terminator()
		if y == nil || v.Index() >= y.NumOperands() || y.Operand(v.Index()).Type() != v.Type() {
			return nil
		}
		ps = append(ps, r.places(y.Operand(v.Index()))...)
	}
	if op.HasTrait(ir.LoopLike) {
		init, _ := carriedResult(op, v)
		if init == nil {
			return nil
		}
		ps = append(ps, r.places(init)...)
	}
	return ps
}

// allocated returns the location of the tile v, which op allocates in a memory space. A
// tile without an address becomes the root (base object) of its own location. Its
// location then differs from those of all other tiles, because the memory planner will
// assign separate memory to it.
func (r *resolver) allocated(op *ir.Op, v *ir.Value, space sem.Space) location {
	p := location{space: space, size: footprint(v.Type())}
	if addr := op.Arg("addr"); addr != nil {
		p.from = r.place(r.number(addr))
	} else {
		p.root, p.from = v, number(0) // not planned yet: apart from all others
	}
	return p
}

// place returns the sum s, an address in local memory. Unless r.exact is set, an address
// that is not constant becomes unknown.
func (r *resolver) place(s sum) sum {
	if r.exact {
		return s
	}
	return constantOnly(s)
}

// constantOnly returns the sum s, a part of an address, if it is a constant. If it is
// not, the address can be anywhere, and constantOnly returns an unknown sum.
func constantOnly(s sum) sum {
	if _, ok := s.constant(); !ok {
		return sum{}
	}
	return s
}

// footprint returns the size in bytes of a tile, or of all slots of a multi-buffer
// (several consecutive tiles). It returns 0 for other types.
func footprint(t ir.Type) int64 {
	if m, ok := ir.As[pto.MultiTileBuf](t); ok {
		return m.Count * footprint(m.Slot)
	}
	info, ok := pto.TileOf(t)
	if !ok {
		return 0
	}
	return info.Footprint()
}

// slot returns the locations of one slot of a multi-buffer, a ring of consecutive tiles.
func (r *resolver) slot(op *ir.Op) []location {
	m, _ := ir.As[pto.MultiTileBuf](op.Operand(0).Type())
	size := footprint(m.Slot)
	var ps []location
	for _, p := range r.places(op.Operand(0)) {
		index := op.Arg("slot")
		if c, ok := r.constant(index); ok {
			p.from, p.size = p.from.plus(number(c*size), 1), size
		} else if r.exact {
			p.from, p.size = p.from.plus(r.number(index), size), size
		} else if turn := modulo(index, m.Count); r.path == nil && turn != nil && p.from.ok && op.Operand(0).Op() != nil {
			turn.alloc, turn.slot = op.Operand(0).Op(), size
			p.ring = turn
			p.size = size
		}
		ps = append(ps, p)
	}
	return ps
}

// modulo analyzes v, the slot number with which a loop selects one of the n slots of a
// ring buffer. If v has the form x mod n, consecutive iterations use the slots one after
// the other, and modulo returns a description of this sequence. The value x can be a sum,
// a sum divided by a constant, or the iteration number of a loop. For any other form of
// v, the result is nil.
func modulo(v *ir.Value, n int64) *ring {
	op := v.Op()
	if op != nil && (op.Def() == arith.IndexCast || op.Def() == arith.IndexCastUI) {
		op = op.Operand(0).Op()
	}
	if op == nil || op.Def() != arith.RemUI && op.Def() != arith.RemSI {
		return nil
	}
	if k, known := arith.ConstantInt(op.Operand(1)); !known || k != n {
		return nil
	}
	r := &ring{count: n, den: 1, value: v}
	d := op.Operand(0).Op()
	if d == nil || d.Def() != arith.DivUI && d.Def() != arith.DivSI {
		r.index = sumOf(op.Operand(0))
		return r.turning()
	}
	if k, known := arith.ConstantInt(d.Operand(1)); known && k > 0 {
		r.index, r.den = sumOf(d.Operand(0)), k
		return r.turning()
	}
	if r.rounds = roundsOf(d); r.rounds == nil {
		return nil
	}
	r.index = sum{ok: true, terms: []summand{{r.rounds.Region(0).Entry().Arg(0), 1}}}
	return r
}

// turning checks whether the slots of the ring are used in turn: consecutive indices
// select consecutive slots. It returns r if they do, and nil otherwise. A slot number is
// the remainder of an index that may first be divided by r.den. Negative indices are a
// problem, because an unsigned remainder treats them as huge numbers. Their slots are
// still consecutive if the number of slots is a power of two and the index is not
// divided.
func (r *ring) turning() *ring {
	if r.den == 1 && r.count&(r.count-1) == 0 || r.index.natural() {
		return r
	}
	return nil
}

// roundsOf returns the loop whose iteration number the division div computes: the counter
// minus its first value, divided by its step. It returns nil for any other division.
func roundsOf(div *ir.Op) *ir.Op {
	from := div.Operand(0)
	counter, start := from, (*ir.Value)(nil)
	if op := from.Op(); op != nil && op.Def() == arith.SubI {
		counter, start = op.Operand(0), op.Operand(1)
	}
	if !counter.IsBlockArg() || counter.Index() != 0 {
		return nil
	}
	loop := counter.Block().Parent()
	if loop == nil || loop.Def().Sem != scf.CountedLoop || loop.Arg("step") != div.Operand(1) {
		return nil
	}
	lo := loop.Arg("lowerBound")
	if n, zero := arith.ConstantInt(lo); start == lo || start == nil && zero && n == 0 {
		return loop
	}
	return nil
}

// subTile returns the possible locations of v, a subview of a tile that op returns. There
// is one for each possible location of the source tile. If the source is a row-major tile
// without an inner box layout, the location is a strided range. For other layouts, it is
// the complete source tile.
func (r *resolver) subTile(op *ir.Op, v *ir.Value) []location {
	src, _ := pto.TileOf(op.Operand(0).Type())
	dst, _ := pto.TileOf(v.Type())
	base := r.places(op.Operand(0))
	if src.SLayout != pto.NoneBox || src.BLayout != pto.RowMajor || pto.FP4.Has(src.Elem) {
		return base
	}
	elem := int64(pto.ByteSize(src.Elem))
	offs := op.Args("offsets")
	if len(offs) != 2 {
		return base
	}
	at := r.number(offs[0]).times(src.Cols*elem).plus(r.number(offs[1]), elem)
	var ps []location
	for _, p := range base {
		if p.width != 0 || !p.from.ok {
			ps = append(ps, p)
			continue
		}
		p.from = p.from.plus(at, 1)
		p.size = (dst.Rows-1)*src.Cols*elem + dst.Cols*elem
		if dst.Cols != src.Cols && dst.Rows > 1 {
			p.width, p.pitch = dst.Cols*elem, src.Cols*elem
		}
		ps = append(ps, p)
	}
	return ps
}

// makeView returns the locations of a tensor view in memory. Each location starts at an
// address to which the pointer of the view can refer. Its size is 0, which means that the
// number of bytes is unknown. If different indices of the view always refer to different
// bytes, each location also records the view. Two regions of this view are then compared
// by their indices instead of their addresses.
func (r *resolver) makeView(op *ir.Op, v *ir.Value) []location {
	var ps []location
	for _, p := range r.places(op.Arg("ptr")) {
		p.size, p.view, p.dims = 0, nil, nil
		if separable(op) {
			p.view = r.this(v)
		}
		ps = append(ps, p)
	}
	return ps
}

// separable reports whether different indices of a view always refer to different
// elements. This is the case if each dimension has a stride that is not less than the
// length of the next inner dimension, which is the stride of this inner dimension
// multiplied by its extent. Dimensions of extent 1 do not matter.
func separable(view *ir.Op) bool {
	shape, strides := view.Args("shape"), view.Args("strides")
	if len(shape) != len(strides) {
		return false
	}
	// an offset in a dimension of extent 1 is always 0
	one := func(i int) bool { n, ok := arith.ConstantInt(shape[i]); return ok && n == 1 }
	var dims []int
	for i := range shape {
		if !one(i) {
			dims = append(dims, i)
		}
	}
	for k := 0; k+1 < len(dims); k++ {
		i, next := dims[k], dims[k+1]
		if strides[i] == shape[next] && isOne(strides[next]) {
			continue
		}
		s, ok1 := arith.ConstantInt(strides[i])
		n, ok2 := arith.ConstantInt(shape[next])
		t, ok3 := arith.ConstantInt(strides[next])
		if !ok1 || !ok2 || !ok3 || s < n*t {
			return false
		}
	}
	return true
}

// isOne reports whether v is the constant 1.
func isOne(v *ir.Value) bool { n, ok := arith.ConstantInt(v); return ok && n == 1 }

// partView returns the location of a partition (rectangular part) of a tensor view, as a
// range of indices in each dimension.
func (r *resolver) partView(op *ir.Op, v *ir.Value) []location {
	var ps []location
	for _, p := range r.places(op.Arg("source")) {
		if p.view != nil && p.dims == nil {
			sizes := op.Args("sizes")
			for i, o := range op.Args("offsets") {
				d := indexRange{from: r.number(o)}
				if i < len(sizes) {
					n := r.number(sizes[i])
					if d.size, _ = n.constant(); d.size == 0 {
						d.count = n
					}
				}
				p.dims = append(p.dims, d)
			}
		}
		p.size = 0
		ps = append(ps, r.inView(op, p))
	}
	return ps
}

// inView handles op, which returns a partition (a rectangular region) of a view. The
// parameter p is the location of the view. inView returns the location of the partition.
// If the strides or extents are unknown, it returns p. The number of the rows may be
// unknown: the location has no size then.
func (r *resolver) inView(op *ir.Op, p location) location {
	view := op.Arg("source").Op()
	if view == nil || !p.from.ok || !isMakeView(view) {
		return p
	}
	strides, offsets, sizes := view.Args("strides"), op.Args("offsets"), op.Args("sizes")
	elem := int64(pto.ByteSize(ir.ElementType(view.Arg("ptr").Type())))
	if elem == 0 || len(strides) != len(offsets) || len(strides) != len(sizes) {
		return p
	}
	at, size, run, levels, open := p.from, elem, elem, 0, false
	var pitch int64
	for i := len(strides) - 1; i >= 0; i-- {
		n, ok1 := r.constant(sizes[i])
		s, ok2 := r.constant(strides[i])
		if first, zero := r.constant(offsets[i]); ok1 && n == 1 && zero && first == 0 {
			continue // whatever the stride is
		}
		if !ok1 && !open && levels == 0 && s*elem > run {
			n, ok1, open = 2, true, true
		}
		if !ok1 || !ok2 || n < 1 || s < 0 {
			return p
		}
		s *= elem
		at = at.plus(r.number(offsets[i]), s)
		size += (n - 1) * s
		switch {
		case n == 1:
		case levels == 0 && s == run:
			run *= n
		default:
			pitch = s
			levels++
		}
	}
	if open && levels != 1 {
		return p
	}
	p.from, p.size = at, size
	if levels == 1 && pitch > run {
		p.width, p.pitch = run, pitch
	}
	if open {
		p.size = 0
	}
	return p
}

// pointers returns the locations ps without sizes, strides and view indices, for use as
// locations of pointers. The removed properties describe accesses to the whole object,
// but a program can add any offset to a pointer and access memory with another size.
func pointers(ps []location) []location {
	var out []location
	for _, p := range ps {
		p.size, p.width, p.pitch, p.dims, p.view = 0, 0, 0, nil, nil
		out = append(out, p)
	}
	return out
}

// addPtr returns the memory locations to which v can point. The operation op computes v
// as a pointer plus an offset.
func (r *resolver) addPtr(op *ir.Op, v *ir.Value) []location {
	elem := int64(pto.ByteSize(ir.ElementType(v.Type())))
	var ps []location
	for _, p := range pointers(r.places(op.Operand(0))) {
		p.from = p.from.plus(r.number(op.Operand(1)), elem)
		ps = append(ps, p)
	}
	return ps
}

// castPtr returns the memory locations to which the result of a pointer cast can refer.
// The operation op casts another pointer or an integer address to the pointer v, whose
// memory space is the parameter space.
func (r *resolver) castPtr(op *ir.Op, v *ir.Value, space sem.Space) []location {
	src := op.Operand(0)
	if pto.SpaceOf(src.Type()) != sem.NoSpace {
		return r.places(src)
	}
	if space == sem.GM || space == sem.NoSpace {
		return nil
	}
	return []location{{space: space, from: r.place(r.number(src))}}
}

// isMakeView reports whether op creates a tensor view from a pointer.
func isMakeView(op *ir.Op) bool { _, ok := op.Def().Sem.(sem.MakeView); return ok }
