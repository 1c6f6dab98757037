// This file copies the elements of values for observers.

package runtime

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// newElements returns an Elements value of the given shape, whose elements are all zero.
// f is the format of the elements, and size is the size of an element in bytes.
func newElements(f num.Format, size int, shape ...int64) Elements {
	n := int64(size)
	for _, d := range shape {
		n *= d
	}
	return Elements{Format: f, Size: size, Shape: shape, Data: make([]byte, n)}
}

// copiedAs returns the number format in which listeners get elements of format f with
// size bytes. An element that packs several numbers becomes an unsigned integer.
func copiedAs(f num.Format, size int) num.Format {
	if f.IsFloat() && f.Bits() != 8*size || size != f.Bytes() {
		return wordFormats[size]
	}
	return f
}

// scalarElements returns the single element of a scalar of type t with the given bits.
// The result ok is false if t is a pointer.
func scalarElements(t ir.Type, bits uint64) (x Elements, ok bool) {
	f, ok := ir.FormatOf(t)
	if !ok {
		return x, false // a pointer
	}
	x = newElements(f, f.Bytes())
	num.Store(f, x.Data, bits)
	return x, true
}

// vectorElements returns the lanes of a vector register of type t, whose bytes are reg.
// The result ok is false if the lanes have no number format.
func vectorElements(t ir.Type, reg []byte) (x Elements, ok bool) {
	elem := ir.ElementType(t)
	f, ok := ir.FormatOf(elem)
	size := pto.ByteSize(elem)
	if !ok || size == 0 {
		return x, false
	}
	n := len(reg) / size
	if short := shortVector(t); short > 0 {
		n = short
	}
	x = newElements(copiedAs(f, size), size, int64(n))
	copy(x.Data, reg)
	return x, true
}

// maskElements returns one element for each lane of the mask m: 1 if the lane is
// selected, and 0 if it is not. The result ok is false if the type t has no lane size.
func maskElements(t ir.Type, m *mask) (x Elements, ok bool) {
	size := maskBits(t) / 8
	if size == 0 {
		return x, false
	}
	x = newElements(num.I1, 1, int64(pto.VectorBytes/size))
	for i := range x.Data {
		if m.has(i, size) {
			x.Data[i] = 1
		}
	}
	return x, true
}

// rowElements returns the lanes of a logical vector as an array. t is the type of the
// vector, and row contains its bytes. The result ok is false if t is not such a type.
func rowElements(t ir.Type, row []byte) (x Elements, ok bool) {
	r, ok := rowTypeOf(t)
	if !ok {
		return x, false
	}
	x = newElements(copiedAs(r.f, r.size), r.size, int64(r.lanes))
	copy(x.Data, row)
	return x, true
}

// tileElements returns the elements of tile t in its valid region. If whole is set, it
// returns all elements of the tile. Each 4-bit number occupies a byte in the result. The
// result ok is false if the tile has no contents yet.
func tileElements(ty ir.Type, t *tile, whole bool) (x Elements, ok bool) {
	info, isTile := pto.TileOf(ty)
	if _, known := ir.FormatOf(info.Elem); !isTile || !known || t == nil || t.declared != nil {
		return x, false
	}
	l, ok := newLayout(info)
	if !ok {
		return x, false
	}
	rows, cols := t.rows, t.cols
	if whole {
		rows, cols = l.rows, l.cols
	}
	f, size := l.asStored(), l.size
	if l.half {
		f, size = l.f, 1
	}
	x = newElements(f, size, int64(rows), int64(cols))
	l.gather(x.Data, t, rows, cols)
	return x, true
}

// viewElements returns the elements of the tensor view w of type t. The result ok is
// false if an element is outside its buffer or there are more than mostElements.
func (e *Event) viewElements(t ir.Type, w *view) (x Elements, ok bool) {
	elem := ir.ElementType(t)
	f, known := ir.FormatOf(elem)
	size := pto.ByteSize(elem)
	rank := viewRank(t)
	buffer, from := globalPlace(w.addr)
	gm := e.r.stream.launch.Buffers
	if !known || size == 0 || rank == 0 || buffer < 0 || buffer >= len(gm) || gm[buffer] == nil {
		return x, false
	}
	shape := slices.Clone(w.size[maxRank-rank:])
	n := int64(1)
	for _, d := range shape {
		if n *= max(d, 0); n > mostElements {
			return x, false
		}
	}
	x = newElements(copiedAs(f, size), size, shape...)
	data := gm[buffer].Data
	for i := range n {
		at, rest := from, i
		for k := maxRank - 1; k >= maxRank-rank; k-- {
			at += rest % w.size[k] * w.stride[k] * int64(size)
			rest /= w.size[k]
		}
		if at < 0 || at+int64(size) > int64(len(data)) {
			return x, false
		}
		copy(x.Data[i*int64(size):][:size], data[at:])
	}
	return x, true
}

// viewRank returns the number of dimensions of the view type t.
func viewRank(t ir.Type) int {
	switch d := t.Data().(type) {
	case pto.TensorView:
		return d.Shape.Len()
	case pto.PartitionView:
		return d.Shape.Len()
	}
	return 0
}
