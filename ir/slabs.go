// This file allocates many small objects in blocks.

package ir

// slab allocates objects of type T in large blocks. A parser creates many small objects
// with similar lifetimes. Allocating them in blocks is faster than one by one, and it
// keeps objects in the order of the text. The garbage collector frees a block when none
// of its objects is referenced.
type slab[T any] struct {
	// free is the unused remainder of the current block.
	free []T
	// size is the number of elements in the current block of memory. The next block is
	// twice as large, up to a maximum.
	size int
}

// Bounds on the number of elements in a memory block of a slab. Blocks start small,
// because most texts are small.
const (
	minSlab = 16
	maxSlab = 512
)

// take returns n zeroed elements of the slab, which belong to the caller. It is a
// function and not a method: the Go compiler would translate the methods of a generic
// type once in each package that can reach the type.
func take[T any](s *slab[T], n int) []T {
	if n > len(s.free) {
		if n > maxSlab/4 {
			return make([]T, n)
		}
		s.size = min(max(2*s.size, minSlab, n), maxSlab)
		s.free = make([]T, s.size)
	}
	t := s.free[:n:n]
	s.free = s.free[n:]
	return t
}

// slabs holds the allocators for all objects that a parser creates.
type slabs struct {
	ops      slab[Op]
	operands slab[Use]
	values   slab[Value]
	blocks   slab[Block]
	regions  slab[Region]
	args     slab[*Value]
	places   slab[explicitLoc]
	hints    slab[hint]
	attrs    slab[Attr]
	named    slab[NamedAttr]
	rests    slab[rest]
}

// attributes returns a zeroed slice of n attributes. If s is nil, it is allocated on the
// heap.
func (s *slabs) attributes(n int) []Attr {
	if s == nil {
		return make([]Attr, n)
	}
	return take(&s.attrs, n)
}

// namedAttrs returns an empty slice with capacity n. It uses the memory of s, or the heap
// if s is nil.
func (s *slabs) namedAttrs(n int) []NamedAttr {
	if s == nil {
		return make([]NamedAttr, 0, n)
	}
	return take(&s.named, n)[:0]
}

// rest returns a pointer to a copy of r, the fields that few operations need, such as
// regions. The copy is allocated in the slabs, or on the heap if s is nil. If all fields
// of r are empty, rest returns the shared empty value noRest instead.
func (s *slabs) rest(r *rest) *rest {
	if s == nil || r.empty() {
		return r.shared()
	}
	own := &take(&s.rests, 1)[0]
	*own = *r
	return own
}

// smallOp combines an operation, its operands and its result in one heap allocation. It
// is for operations with few operands and results, because passes create many of them.
type smallOp struct {
	Op
	operands [smallOperands]Use
	results  [smallResults]Value
}

// The numbers of operands and results that a smallOp can hold. Most operations that
// passes create fit into these limits.
const (
	smallOperands = 3
	smallResults  = 1
)

// op returns a zeroed operation with the given numbers of operands and results, which it
// allocates from the slabs s. If s is nil, the operation is allocated on the heap. An
// operation with few operands and results is then a smallOp, which needs only one
// allocation. An operation without them is an Op alone: it occupies half the memory, and
// each region whose terminator the text leaves out has one.
func (s *slabs) op(operands, results int) *Op {
	if s != nil {
		op := &take(&s.ops, 1)[0]
		op.operands, op.results = take(&s.operands, operands), take(&s.values, results)
		return op
	}
	if operands == 0 && results == 0 {
		return &Op{}
	}
	if operands > smallOperands || results > smallResults {
		return &Op{operands: make([]Use, operands), results: make([]Value, results)}
	}
	small := &smallOp{}
	small.Op.operands = small.operands[:operands:operands]
	small.Op.results = small.results[:results:results]
	return &small.Op
}
