package main

import "math"

// The vector registers that hold the constants of the function exp32 in ir/scalar during a
// loop. The loop can use every vector register without saving it, because in Go's calling
// convention the caller saves the registers that it still needs.
const (
	expMax = 23
	expMin = 24

	series    = 8 // and the five after it
	one64     = 14
	minusLn2  = 15
	log2E     = 21
	toNearest = 22
)

var (
	expFloats  = map[int]float32{expMax: 89, expMin: -104}
	expDoubles = []struct {
		register int
		x        float64
	}{
		{series, 0x1.0000003a23776p-1}, {series + 1, 0x1.555554433c130p-3}, {series + 2, 0x1.55548dc496160p-5},
		{series + 3, 0x1.111270b2f4d69p-7}, {series + 4, 0x1.6d8d06d6c3178p-10}, {series + 5, 0x1.9f089646e1d48p-13},
		{one64, 1}, {minusLn2, -math.Ln2}, {log2E, math.Log2E}, {toNearest, 0x1.8p52},
	}
)

func (w *writer) expConstants() {
	for _, r := range []int{expMax, expMin} {
		w.constant(r, math.Float32bits(expFloats[r]))
	}
	for _, c := range expDoubles {
		w.line("MOVD $0x%X, R6", math.Float64bits(c.x))
		w.line("VDUP R6, V%d.D2", c.register)
	}
}

// exp writes code that computes the exponential of each lane of register x, with the same
// operations as ir/scalar: in f64, two elements at a time, with fused multiply-add.
func (w *writer) exp(x int) {
	const low, high = 6, 7
	w.word(0x4EA0F400, x, x, expMax, "FMIN")
	w.word(0x4E20F400, x, x, expMin, "FMAX")
	w.word(0x0E617800, low, x, 0, "FCVTL")
	w.word(0x4E617800, high, x, 0, "FCVTL2")
	w.exp64(low)
	w.exp64(high)
	w.word(0x0E616800, x, low, 0, "FCVTN")
	w.word(0x4E616800, x, high, 0, "FCVTN2")
}

// exp64 writes code that computes the exponentials of the two f64 lanes of register y.
func (w *writer) exp64(y int) {
	const sum, k = 2, 3
	const fmla, fsub = 0x4E60CC00, 0x4EE0D400
	move := func(to, from int) { w.word(0x4EA01C00, to, from, from, "MOV") }
	move(sum, toNearest)
	w.word(fmla, sum, y, log2E, "FMLA")
	w.word(fsub, k, sum, toNearest, "FSUB")
	w.word(fmla, y, k, minusLn2, "FMLA")
	p, next := 4, 5
	move(p, series+5)
	for _, c := range []int{series + 4, series + 3, series + 2, series + 1, series, one64, one64} {
		move(next, c)
		w.word(fmla, next, p, y, "FMLA")
		p, next = next, p
	}
	w.word(0x4F745400, sum, sum, 0, "SHL #52") // the integer stands in the low bits of the sum
	w.word(0x4EE08400, y, p, sum, "ADD")
}
