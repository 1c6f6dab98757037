package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions are between floats, to nearest even; every NaN becomes the
// canonical one. Those that saturate clamp to the largest number first.
func conversions(v isa) {
	f32, f16, bf16 := formats[0], formats[1], formats[2]
	conversion(v, f32, f32, 0)
	conversion(v, f16, f32, 0)
	conversion(v, bf16, f32, 0)
	conversion(v, f32, f16, 0)
	conversion(v, f32, bf16, 0)
	conversion(v, f32, f16, 0x477FE000)
	conversion(v, f32, bf16, 0x7F7F0000)
}

func conversion(v isa, from, to format, most uint32) {
	name, doc := "convert"+from.name+to.name, "converts a"
	if most != 0 {
		name, doc = name+"Sat", "converts and saturates a"
	}
	var nan, high, low VecVirtual
	var k rounder
	setup := func() {
		nan, k = v.word32("nan", canonicalNaN), to.rounder(v)
		if most != 0 {
			high, low = v.word32("most"+to.name, most), v.word32("least"+to.name, most|1<<31)
		}
	}
	v.rowFunc(name, doc, setup, v.elems(), [4]int{to.bytes, from.bytes}, func(l *loop, i int) {
		r := from.read(v, l.at(a, i))
		if most != 0 { // the last operand is the result where one is NaN
			VMINPS(r, high, r)
			VMAXPS(r, low, r)
		}
		v.canonical(r, nan)
		to.write(v, k, r, l.at(d, i))
	})
}
