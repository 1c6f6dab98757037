package isatest

import (
	"encoding/binary"
	"fmt"
	"math"

	"ptogo/frontend/llir"
	"ptogo/ir/num"
)

// value is a value of the host program: an integer, a floating-point number, or a pointer.
type value struct {
	// n is an integer, sign-extended from its width, or the distance of a pointer from the
	// start of its object in bytes.
	n int64
	f float64
	// obj is the object of a pointer, or nil.
	obj *object
	// fields are the fields of a struct or an array that is a value.
	fields []value
}

// object is memory: a variable, an array or a buffer.
type object struct {
	bytes []byte
	// pointers are the pointers that are stored in the object, by distance.
	pointers map[int64]value
}

// maxObject limits the size of one object in bytes.
const maxObject = 1 << 30

func newObject(size int64) *object {
	if size < 0 || size > maxObject {
		panic(fault("the host program allocates %d bytes", size))
	}
	return &object{bytes: make([]byte, size), pointers: map[int64]value{}}
}

// fault is the panic value with which the interpretation of a test ends.
func fault(format string, args ...any) error { return &hostFault{fmt.Sprintf(format, args...)} }

type hostFault struct{ text string }

func (f *hostFault) Error() string { return f.text }

// part returns n bytes of the memory at a pointer.
func part(p value, n int64) []byte {
	if p.obj == nil || p.n < 0 || n < 0 || p.n+n > int64(len(p.obj.bytes)) {
		size := -1
		if p.obj != nil {
			size = len(p.obj.bytes)
		}
		panic(fault("the host program accesses %d bytes at distance %d in %d bytes", n, p.n, size))
	}
	return p.obj.bytes[p.n : p.n+n]
}

// load reads a value of type t.
func load(p value, t *llir.Type) value {
	size := t.Size()
	if t.Kind == llir.Struct || t.Kind == llir.Array {
		return value{fields: eachField(t, func(off int64, ft *llir.Type) value { return load(value{n: p.n + off, obj: p.obj}, ft) })}
	}
	b := part(p, size)
	switch t.Kind {
	case llir.Pointer:
		return p.obj.pointers[p.n]
	case llir.Float:
		return value{f: floatOf(t, b)}
	case llir.Int:
		if v, ok := p.obj.pointers[p.n]; ok && size == 8 {
			return v
		}
		var full [8]byte
		if size > 8 {
			panic(fault("the host program uses an integer of %d bits", t.Bits))
		}
		copy(full[:], b)
		return value{n: wrap(int64(binary.LittleEndian.Uint64(full[:])), t.Bits)}
	}
	panic(fault("the host program reads a value of an unknown type"))
}

// eachField returns the results of f for the fields of a struct or an array.
func eachField(t *llir.Type, f func(off int64, t *llir.Type) value) []value {
	var all []value
	if t.Kind == llir.Array {
		for i := range t.Len {
			all = append(all, f(i*t.Elem.Size(), t.Elem))
		}
		return all
	}
	for i, ft := range t.Fields {
		all = append(all, f(t.Offset(i), ft))
	}
	return all
}

// store writes a value of type t.
func store(p, v value, t *llir.Type) {
	if t.Kind == llir.Struct || t.Kind == llir.Array {
		i := 0
		eachField(t, func(off int64, ft *llir.Type) value {
			if i < len(v.fields) {
				store(value{n: p.n + off, obj: p.obj}, v.fields[i], ft)
			}
			i++
			return value{}
		})
		return
	}
	b := part(p, t.Size())
	for i := range int64(len(b)) {
		delete(p.obj.pointers, p.n+i)
	}
	switch {
	case v.obj != nil:
		p.obj.pointers[p.n] = v
		binary.LittleEndian.PutUint64(b, uint64(v.n))
	case t.Kind == llir.Float:
		putFloat(t, b, v.f)
	default:
		var full [8]byte
		binary.LittleEndian.PutUint64(full[:], uint64(v.n))
		copy(b, full[:])
	}
}

// move copies n bytes with the pointers in them.
func move(to, from value, n int64) {
	dst, src := part(to, n), part(from, n)
	moved := map[int64]value{}
	for off, v := range from.obj.pointers {
		if off >= from.n && off < from.n+n {
			moved[off-from.n+to.n] = v
		}
	}
	for off := range to.obj.pointers {
		if off >= to.n && off < to.n+n {
			delete(to.obj.pointers, off)
		}
	}
	copy(dst, src)
	for off, v := range moved {
		to.obj.pointers[off] = v
	}
}

// wrap returns n as a signed integer of the given width.
func wrap(n, bits int64) int64 {
	if bits >= 64 || bits <= 0 {
		return n
	}
	return n << (64 - bits) >> (64 - bits)
}

// unsigned returns n, a signed integer of the given width, as an unsigned one.
func unsigned(n, bits int64) uint64 {
	if bits >= 64 {
		return uint64(n)
	}
	return uint64(n) & (1<<bits - 1)
}

func floatOf(t *llir.Type, b []byte) float64 {
	switch t.Bits {
	case 64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return decode(t, uint64(binary.LittleEndian.Uint16(b)))
}

func putFloat(t *llir.Type, b []byte, x float64) {
	switch t.Bits {
	case 64:
		binary.LittleEndian.PutUint64(b, math.Float64bits(x))
	case 32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	default:
		binary.LittleEndian.PutUint16(b, uint16(encode(t, x)))
	}
}

// rounded returns x rounded to the type.
func rounded(t *llir.Type, x float64) float64 {
	switch t.Bits {
	case 64:
		return x
	case 32:
		return float64(float32(x))
	}
	return decode(t, encode(t, x))
}

// format returns the format of a type of 16 bits.
func format(t *llir.Type) num.Format {
	if t.BFloat {
		return num.BF16
	}
	return num.F16
}

func decode(t *llir.Type, bits uint64) float64 { return num.Decode(format(t), bits) }

func encode(t *llir.Type, x float64) uint64 {
	return num.Encode(format(t), x, num.NearestEven, false)
}
