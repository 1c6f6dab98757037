package ir

// slab hands out pieces of large blocks of memory. Programs are read into
// slabs: their operations are many, small and live about as long as each
// other, and stand in memory as they stand in the text. A block is freed when
// nothing in it is used any more.
type slab[T any] struct {
	free []T
	size int // of the block that free is the end of
}

// Bounds on the elements of a block: small texts need little.
const (
	minSlab = 16
	maxSlab = 512
)

// take returns n zero elements, which nobody else has.
func (s *slab[T]) take(n int) []T {
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

// slabs is the memory that a parser makes operations in.
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

// attributes returns memory for n attributes; without slabs it is memory of
// their own, as in the two functions that follow.
func (s *slabs) attributes(n int) []Attr {
	if s == nil {
		return make([]Attr, n)
	}
	return s.attrs.take(n)
}

// namedAttrs returns an empty slice with the capacity for n attributes.
func (s *slabs) namedAttrs(n int) []NamedAttr {
	if s == nil {
		return make([]NamedAttr, 0, n)
	}
	return s.named.take(n)[:0]
}

// rest returns a copy of r, or noRest if there is nothing in it.
func (s *slabs) rest(r *rest) *rest {
	if s == nil || r.empty() {
		return r.shared()
	}
	own := &s.rests.take(1)[0]
	*own = *r
	return own
}

// smallOp gives an operation that is made on its own its operands and result
// in one piece of memory.
type smallOp struct {
	Op
	operands [smallOperands]Use
	results  [smallResults]Value
}

const (
	smallOperands = 3
	smallResults  = 1
)

// op returns memory for an operation; without slabs the operation has memory
// of its own.
func (s *slabs) op(operands, results int) *Op {
	if s != nil {
		op := &s.ops.take(1)[0]
		op.operands, op.results = s.operands.take(operands), s.values.take(results)
		return op
	}
	if operands > smallOperands || results > smallResults {
		return &Op{operands: make([]Use, operands), results: make([]Value, results)}
	}
	small := &smallOp{}
	small.Op.operands = small.operands[:operands:operands]
	small.Op.results = small.results[:results:results]
	return &small.Op
}
