package main

import "math"

// The numbers of exp32 in ir/scalar, and the registers that have them.
var expNumbers = []float32{
	0x1.62e4p-1, 0x1.7f7d1cp-20, 0x1.8p23, 89, -104, math.Log2E,
	0.5, 0x1.5554a2p-3, 0x1.55568ap-5, 0x1.123094p-7, 0x1.6b6df4p-10,
}

const (
	ln2Hi = 21 + iota
	ln2Lo
	toNearest
	expMax
	expMin
	log2E
	series // and the four behind it
)

// expConstants fills the registers up to the last one.
func (w *writer) expConstants() {
	for i, x := range expNumbers {
		w.constant(ln2Hi+i, math.Float32bits(x))
	}
}

// exp computes a register as ir/scalar does, every step rounded.
func (w *writer) exp(x int) {
	const sum, k, t, lo, p = 2, 3, 4, 5, 6
	const fadd, fsub, fmul = 0x4E20D400, 0x4EA0D400, 0x6E20DC00
	w.word(0x4EA0F400, x, x, expMax, "FMIN")
	w.word(0x4E20F400, x, x, expMin, "FMAX")
	w.word(fmul, sum, x, log2E, "FMUL")
	w.word(fadd, sum, sum, toNearest, "FADD")
	w.word(fsub, k, sum, toNearest, "FSUB")
	w.word(fmul, t, k, ln2Hi, "FMUL")
	w.word(fsub, x, x, t, "FSUB")
	w.word(fmul, lo, k, ln2Lo, "FMUL")
	w.word(fsub, 7, x, lo, "FSUB") // r
	w.word(fmul, p, 7, series+4, "FMUL")
	for i := 3; ; i-- {
		w.word(fadd, p, p, series+i, "FADD")
		if i == 0 {
			break
		}
		w.word(fmul, p, p, 7, "FMUL")
	}
	w.word(fmul, t, 7, 7, "FMUL")
	w.word(fmul, t, t, p, "FMUL")
	w.word(fsub, t, t, lo, "FSUB")
	w.word(fadd, t, t, x, "FADD")
	w.word(fadd, x, t, one, "FADD")
	// The integer stands in the low bits of the sum. Two factors are powers of two
	// of one half of it each, so that none is beyond the range.
	w.word(0x6EA08400, sum, sum, toNearest, "SUB")
	w.word(0x4F3F0400, k, sum, 0, "SSHR #1")
	w.word(0x6EA08400, sum, sum, k, "SUB")
	for _, n := range []int{k, sum} {
		w.word(0x4F375400, n, n, 0, "SHL #23")
		w.word(0x4EA08400, n, n, one, "ADD") // 127 in the field of the exponent
		w.word(fmul, x, x, n, "FMUL")
	}
}
