package ir

import (
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
)

// List is an immutable, interned sequence: two lists with equal elements are
// equal by ==, so a list can be a field of a type or attribute. It is built
// of interned pairs, which makes comparing and hashing it a matter of one
// pointer whatever its length.
type List[T comparable] struct {
	first *interned[any] // nil for the empty one
	n     int
}

type pair[T comparable] struct {
	head T
	tail List[T]
}

// lists holds the pairs of all types of elements.
var lists internTable[any]

func (p *pair[T]) hash() uint64 {
	var head uint64
	switch x := any(p.head).(type) {
	case Attr:
		head = addressOf(x.n)
	case Type:
		head = addressOf(x.n)
	default:
		head = maphash.Comparable(nameSeed, p.head)
	}
	return mix(mix(head, addressOf(p.tail.first)), uint64(p.tail.n))
}

// MakeList interns the sequence xs.
func MakeList[T comparable](xs ...T) List[T] {
	var l List[T]
	for i := len(xs) - 1; i >= 0; i-- {
		p := pair[T]{xs[i], l}
		l = List[T]{internHashed(&lists, p, p.hash()), l.n + 1}
	}
	return l
}

// Len returns the number of elements.
func (l List[T]) Len() int { return l.n }

// All yields the elements in order.
func (l List[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; l.n > 0; i++ {
			p := l.first.data.(pair[T])
			if !yield(i, p.head) {
				return
			}
			l = p.tail
		}
	}
}

// Slice returns the elements in a new slice.
func (l List[T]) Slice() []T {
	if l.n == 0 {
		return nil
	}
	s := make([]T, 0, l.n)
	for _, x := range l.All() {
		s = append(s, x)
	}
	return s
}

// Dynamic is the extent of a dimension that is known only at run time; it is
// spelled "?".
const Dynamic = math.MinInt64

// Dims is a comparable sequence of extents, such as the shape of a tensor.
type Dims string

// MakeDims packs the extents ds.
func MakeDims(ds ...int64) Dims {
	b := make([]byte, 0, 8*len(ds))
	for _, d := range ds {
		b = binary.LittleEndian.AppendUint64(b, uint64(d))
	}
	return Dims(b)
}

// Len returns the rank.
func (d Dims) Len() int { return len(d) / 8 }

// At returns the extent of dimension i, or Dynamic.
func (d Dims) At(i int) int64 {
	var x uint64
	for k, c := range []byte(d[8*i : 8*i+8]) {
		x |= uint64(c) << (8 * k)
	}
	return int64(x)
}

// Slice returns the extents in a new slice.
func (d Dims) Slice() []int64 {
	s := make([]int64, d.Len())
	for i := range s {
		s[i] = d.At(i)
	}
	return s
}

// Static reports whether no extent is Dynamic.
func (d Dims) Static() bool {
	for i := range d.Len() {
		if d.At(i) == Dynamic {
			return false
		}
	}
	return true
}

// Elements returns the product of the extents of static dimensions, or the
// largest integer if that is too large for one.
func (d Dims) Elements() int64 {
	n := uint64(1)
	large := false
	for i := range d.Len() {
		hi, lo := bits.Mul64(n, uint64(d.At(i)))
		large = large || hi != 0 || lo > math.MaxInt64
		if n = lo; d.At(i) == 0 {
			return 0
		}
	}
	if large {
		return math.MaxInt64
	}
	return int64(n)
}
