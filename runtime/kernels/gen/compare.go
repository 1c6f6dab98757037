// This file generates comparison loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// compareLoops emits the loops that compare elements. Floats are compared as f32, and
// integers as 32-bit words.
func compareLoops(v isa) {
	for _, f := range formats {
		compareLoop(v, f.name, f.bytes, func(m Mem) VecVirtual { return f.read(v, m) }, v.floatOrder)
	}
	for _, f := range integers {
		compareLoop(v, f.name, f.bytes, func(m Mem) VecVirtual {
			r := v.vec()
			f.load(m, r)
			return r
		}, v.wordOrder)
	}
	for _, size := range []int{2, 4} {
		selectLoop(v, size)
	}
}

// integer is an integer format: its name, the size of an element in bytes, and the
// instruction that loads elements into 32-bit lanes.
type integer struct {
	name  string
	bytes int
	load  func(m Mem, r VecVirtual)
}

// integers lists the formats that are compared as signed 32-bit lanes. An unsigned 32-bit
// integer does not fit such a lane.
var integers = []integer{
	{"S8", 1, func(m Mem, r VecVirtual) { VPMOVSXBD(m, r) }},
	{"U8", 1, func(m Mem, r VecVirtual) { VPMOVZXBD(m, r) }},
	{"S16", 2, func(m Mem, r VecVirtual) { VPMOVSXWD(m, r) }},
	{"U16", 2, func(m Mem, r VecVirtual) { VPMOVZXWD(m, r) }},
	{"S32", 4, func(m Mem, r VecVirtual) { VMOVUPS(m, r) }},
}

// floatOrder emits comparisons of two float vectors. It returns registers with one bit
// per lane for each outcome: less, equal, greater and unordered.
func (v isa) floatOrder(a, b VecVirtual) []GPVirtual {
	var bits []GPVirtual
	for _, rel := range []uint64{below, equal, above, unordered} {
		if v.wide() {
			k := K()
			VCMPPS(Imm(rel), b, a, k)
			bits = append(bits, fromMask(k))
		} else {
			m := v.vec()
			VCMPPS(Imm(rel), b, a, m)
			bits = append(bits, fromSigns(m))
		}
	}
	return bits
}

// wordOrder emits comparisons of two vectors of 32-bit integers. It returns registers
// with one bit per lane for each outcome: less, equal and greater.
func (v isa) wordOrder(a, b VecVirtual) []GPVirtual {
	if v.wide() {
		less, equal, greater := K(), K(), K()
		VPCMPGTD(a, b, less)
		VPCMPEQD(a, b, equal)
		VPCMPGTD(b, a, greater)
		return []GPVirtual{fromMask(less), fromMask(equal), fromMask(greater)}
	}
	less, equal, greater := v.vec(), v.vec(), v.vec()
	VPCMPGTD(a, b, less)
	VPCMPEQD(a, b, equal)
	VPCMPGTD(b, a, greater)
	return []GPVirtual{fromSigns(less), fromSigns(equal), fromSigns(greater)}
}

// fromMask emits code that copies the bits of the mask register k to a general register.
func fromMask(k OpmaskVirtual) GPVirtual {
	r := GP32()
	KMOVW(k, r)
	return r
}

// fromSigns emits code that collects the sign bits of the 32-bit lanes of m in a general
// register.
func fromSigns(m VecVirtual) GPVirtual {
	r := GP32()
	VMOVMSKPS(m, r)
	return r
}

// compareLoop emits the code of a function that compares n elements and writes one bit
// for each. The parameter size is the size of an element in bytes. The parameter read
// emits code that loads a vector of elements, and order emits code that compares two
// vectors.
//
// The generated function has one parameter for each outcome of a comparison: less, equal,
// greater and unordered. This parameter is -1 if the outcome sets the bit of the element,
// and 0 if it clears the bit. The generated function also has the parameter keep. It is 0
// if all elements are compared with the same vector b, and -1 if the address of b
// advances with a.
func compareLoop(v isa, format string, size int, read func(m Mem) VecVirtual, order func(a, b VecVirtual) []GPVirtual) {
	name := "compare" + format + v.name
	TEXT(name, NOSPLIT, "func(d, a, b *byte, n, keep int, less, equal, greater, unordered uint32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s writes a bit for each of n elements; n is a multiple of %d, and not 0.", name, v.elems()))
	d, a, b := Load(Param("d"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n, step := Load(Param("n"), GP64()), GP64()
	MOVQ(U32(uint32(v.elems()*size)), step)

	keep := Load(Param("keep"), GP64())
	ANDQ(step, keep)
	var wanted []Op
	for _, outcome := range []string{"less", "equal", "greater", "unordered"} {
		wanted = append(wanted, Load(Param(outcome), GP32()))
	}
	Label("next")
	x, y := read(Mem{Base: a}), read(Mem{Base: b})
	bits := order(x, y)
	for i, r := range bits {
		if ANDL(wanted[i], r); i > 0 {
			ORL(r, bits[0])
		}
	}
	if v.wide() {
		MOVW(bits[0].As16(), Mem{Base: d})
	} else {
		MOVB(bits[0].As8(), Mem{Base: d})
	}
	ADDQ(Imm(uint64(v.elems()/8)), d)
	ADDQ(step, a)
	ADDQ(keep, b)
	SUBQ(Imm(uint64(v.elems())), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// selectLoop generates a function for the instruction set v. The generated function
// receives a bit for each element and two arrays, a and b. It stores the element of a if
// the bit is set, and the element of b if it is not. The parameter size is the size of an
// element in bytes.
func selectLoop(v isa, size int) {
	name := fmt.Sprintf("select%d%s", 8*size, v.name)
	per := v.bytes / size
	TEXT(name, NOSPLIT, "func(d, bits, a, b *byte, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s chooses each of n elements by a bit; n is a multiple of %d, and not 0.", name, per))
	d, bits := Load(Param("d"), GP64()), Load(Param("bits"), GP64())
	a, b, n := Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	var each VecVirtual
	if !v.wide() {
		each = v.vec()
		VMOVDQU(laneBits(size), each)
	}
	r := v.vec()
	Label("next")
	v.load(Mem{Base: b}, r)
	switch {
	case v.wide() && size == 4:
		k := K()
		KMOVW(Mem{Base: bits}, k)
		VMOVDQU32(Mem{Base: a}, k, r)
	case v.wide():
		k := K()
		KMOVD(Mem{Base: bits}, k)
		VMOVDQU16(Mem{Base: a}, k, r)
	default:
		m, x := v.vec(), v.vec()
		if VMOVDQU(Mem{Base: a}, x); size == 4 {
			VPBROADCASTB(Mem{Base: bits}, m)
			VPAND(each, m, m)
			VPCMPEQD(each, m, m)
		} else {
			VPBROADCASTW(Mem{Base: bits}, m)
			VPAND(each, m, m)
			VPCMPEQW(each, m, m)
		}
		VPBLENDVB(m, x, r, r)
	}
	v.store(r, Mem{Base: d})
	for _, p := range []Register{d, a, b} {
		ADDQ(Imm(uint64(v.bytes)), p)
	}
	ADDQ(Imm(uint64(per/8)), bits)
	SUBQ(Imm(uint64(per)), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// laneBits returns a constant vector in which lane i has only bit i set. Each lane has
// size bytes. A loop tests bit i of a bit mask in lane i, by the bitwise and of the mask
// with this vector.
func laneBits(size int) Mem {
	m := GLOBL(fmt.Sprintf("laneBits%d", 8*size), RODATA|NOPTR)
	for i := range avx2.bytes / size {
		if size == 4 {
			DATA(4*i, U32(1<<i))
		} else {
			DATA(2*i, U16(1<<i))
		}
	}
	return m
}
