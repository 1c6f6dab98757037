package runtime

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// specials returns the codes of a format where rounding, overflow, signs and
// NaN are decided.
func specials(f num.Format) []uint64 {
	xs := []uint64{0, 1, 2, f.Mask(), f.Mask() >> 1, f.SignBit(), f.SignBit() | 1, num.Max(f), num.Lowest(f)}
	if f.IsFloat() {
		inf, _ := num.Inf(f, false)
		for _, x := range []float64{1, -1, 0.5, 3, 1e-3, -7.25} {
			xs = append(xs, num.Encode(f, x, num.NearestEven, false))
		}
		xs = append(xs, inf, inf|f.SignBit(), inf+1, inf|f.SignBit()|1, num.NaN(f), num.NaN(f)|f.SignBit()|5,
			smallest[f], smallest[f]-1, smallest[f]>>1, smallest[f]|f.SignBit(), inf-1)
	}
	return xs
}

// operandRows returns rows of elements to try a function with: every special
// code with every other one, all codes of 8-bit formats and of unary functions
// on 16-bit ones, and random codes.
func operandRows(fn *scalar.Fn, f num.Format) [3][]uint64 {
	var rows [3][]uint64
	add := func(a, b uint64) {
		rows[0], rows[1], rows[2] = append(rows[0], a), append(rows[1], b), append(rows[2], a^b)
	}
	for _, a := range specials(f) {
		for _, b := range specials(f) {
			add(a, b)
		}
	}
	switch n := f.Bits(); {
	case n == 8:
		for a := range uint64(1 << 8) {
			for b := range uint64(1 << 8) {
				add(a, b)
			}
		}
	case n == 16 && fn.Arity == 1:
		for a := range uint64(1 << 16) {
			add(a, 0)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := r.Uint64(), r.Uint64()
		switch r.IntN(4) {
		case 0: // near each other, where sums cancel
			b = a ^ b&7
		case 1: // near a special code
			b = specials(f)[r.IntN(len(specials(f)))] + b&3
		}
		add(a&f.Mask(), b&f.Mask())
	}
	return rows
}

// packed stores elements side by side, aligned.
func packed(f num.Format, xs []uint64) []byte {
	b := bytesOf(make([]uint64, (len(xs)*f.Bytes()+7)/8))[:len(xs)*f.Bytes()]
	for i, x := range xs {
		num.Store(f, b[i*f.Bytes():], x)
	}
	return b
}

// TestLoops compares every loop at every level of vector instructions with the
// table of functions, bit for bit. Rows of odd lengths leave a rest after the
// vectors.
func TestLoops(t *testing.T) {
	for fn := range scalar.All() {
		for _, f := range []num.Format{num.F32, num.F16, num.BF16, num.S8, num.U8, num.S16, num.U16, num.S32, num.U32, num.S64, num.U64} {
			if !fn.Supports(f) || fn.Sign != scalar.ByFormat {
				continue
			}
			levels := slices.DeleteFunc(kernels.Levels(), func(l kernels.Level) bool {
				_, ok := kernels.Of(fn, f, l)
				return !ok && (l != kernels.None || fastRows()[rowKey{fn, f}] == nil)
			})
			if len(levels) == 0 {
				continue
			}
			t.Run(fn.Name+"/"+f.String(), func(t *testing.T) {
				t.Parallel()
				xs := operandRows(fn, f)
				if fn.Divisor == 2 && f.IsInt() {
					for i, x := range xs[1] {
						xs[1][i] = max(x, 1)
					}
				}
				compareLoops(t, fn, f, levels, xs)
			})
		}
	}
}

func compareLoops(t *testing.T, fn *scalar.Fn, f num.Format, levels []kernels.Level, xs [3][]uint64) {
	t.Helper()
	n := len(xs[0]) * f.Bytes()
	a, b, c := packed(f, xs[0]), packed(f, xs[1]), packed(f, xs[2])
	got, want := bytesOf(make([]uint64, n/8+1))[:n], bytesOf(make([]uint64, n/8+1))[:n]
	if err := evalRows(fn, f)(want, a, b, c); err != nil {
		t.Fatal(err)
	}
	for _, level := range levels {
		clear(got)
		loop := loopAt(level, fn, f)
		if err := loop.row()(got, a, b, c); err != nil {
			t.Fatal(err)
		}
		for i := range xs[0] {
			g, w := num.Load(f, got[i*f.Bytes():]), num.Load(f, want[i*f.Bytes():])
			if g != w {
				t.Fatalf("%s: %s(%#x, %#x, %#x) = %#x, want %#x", level, fn, xs[0][i], xs[1][i], xs[2][i], g, w)
			}
		}
		for k := 0; k < min(n, 256); k += f.Bytes() { // whole vectors and every rest
			for _, back := range []bool{false, true} {
				clear(got)
				if err := loop.run(got[:k], a[:k], b[:k], c[:k], back); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got[:k], want[:k]) {
					t.Fatalf("%s: %s on %d bytes differs, back %t", level, fn, k, back)
				}
				in := slices.Clone(a[:k])
				if err := loop.run(in, in, b[:k], c[:k], back); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(in, want[:k]) {
					t.Fatalf("%s: %s in place on %d bytes differs, back %t", level, fn, k, back)
				}
				if fn.Arity < 2 {
					continue
				}
				in = slices.Clone(b[:k])
				if err := loop.run(in, a[:k], in, c[:k], back); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(in, want[:k]) {
					t.Fatalf("%s: %s in the place of its second operand on %d bytes differs, back %t", level, fn, k, back)
				}
			}
		}
		in := slices.Clone(a)
		if err := loop.run(in, in, b, c, true); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(in, want) {
			t.Fatalf("%s: %s in place differs", level, fn)
		}
		compareLines(t, loop, fn, f, [3][]byte{a, b, c})
		if fn.Arity == 2 {
			compareHeld(t, loop, evalRows(fn, f), a[:min(n, 300*f.Bytes())], xs[1][:40], f)
		}
	}
}

// compareHeld compares a loop whose second operand is one element for all with
// one that has a row of them, on rows of several lengths and in both directions.
func compareHeld(t *testing.T, loop *rowLoop, eval rowFunc, a []byte, elems []uint64, f num.Format) {
	t.Helper()
	held, all := bytesOf(make([]uint64, kernels.HeldBytes/8)), bytesOf(make([]uint64, len(a)/8+1))[:len(a)]
	got, want := slices.Clone(all), slices.Clone(all)
	for i, x := range elems {
		fill(held, f.Bytes(), x)
		fill(all, f.Bytes(), x)
		n := len(a) - 7*i*f.Bytes()
		if err := eval(want[:n], a[:n], all[:n], nil); err != nil {
			t.Fatal(err)
		}
		clear(got)
		if err := loop.run(got[:n], a[:n], held, nil, i%2 == 1); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("%d bytes with %#x for all differ", n, x)
		}
	}
}

// compareLines compares lines of many lengths, with gaps between them, with the
// same lines one by one: apart from the operands and in the place of each of them.
func compareLines(t *testing.T, loop *rowLoop, fn *scalar.Fn, f num.Format, xs [3][]byte) {
	t.Helper()
	for n := f.Bytes(); n <= 150 && manyLines*(n+3*f.Bytes()) <= len(xs[0]); n += f.Bytes() {
		for place := -1; place < fn.Arity; place++ {
			compareLinesAt(t, loop, fn, f, linesOf(fn, f, xs, n), place)
			if fn.Arity == 2 && place < 1 {
				x := linesOf(fn, f, xs, n)
				x.repeatFirst()
				compareLinesAt(t, loop, fn, f, x, place)
				x = linesOf(fn, f, xs, n)
				x.hold(f)
				compareLinesAt(t, loop, fn, f, x, place)
			}
		}
	}
}

const manyLines = 11

// testLines are operands of lines of n bytes, and what they are line by line.
type testLines struct {
	in       [3]kernels.Lines
	rows     [3][]byte
	n, pitch int
	held     bool
}

func linesOf(fn *scalar.Fn, f num.Format, xs [3][]byte, n int) *testLines {
	x := &testLines{n: n, pitch: n + 3*f.Bytes()}
	for i := range fn.Arity {
		x.rows[i] = slices.Clone(xs[i][:manyLines*x.pitch])
		x.in[i] = kernels.Lines{Data: slices.Clone(x.rows[i]), Pitch: x.pitch}
	}
	return x
}

// row is a line of an operand.
func (x *testLines) row(i, line int) []byte {
	return x.rows[i][line*x.pitch:][:x.n]
}

// repeatFirst makes the first line of the second operand stand for all.
func (x *testLines) repeatFirst() {
	x.in[1].Pitch = 0
	for line := range manyLines {
		copy(x.row(1, line), x.row(1, 0))
	}
}

// hold makes the first element of each line of the second operand stand for all
// of that line.
func (x *testLines) hold(f num.Format) {
	x.held = true
	x.in[1] = kernels.Lines{Data: make([]byte, manyLines*kernels.HeldBytes), Pitch: kernels.HeldBytes}
	for line := range manyLines {
		first := num.Load(wordFormats[f.Bytes()], x.row(1, line))
		fill(x.in[1].Data[line*kernels.HeldBytes:][:kernels.HeldBytes], f.Bytes(), first)
		fill(x.row(1, line), f.Bytes(), first)
	}
}

func compareLinesAt(t *testing.T, loop *rowLoop, fn *scalar.Fn, f num.Format, x *testLines, place int) {
	t.Helper()
	d := kernels.Lines{Data: slices.Repeat([]byte{0xA5}, manyLines*x.pitch), Pitch: x.pitch}
	if place >= 0 {
		d = x.in[place]
	}
	want := slices.Clone(d.Data)
	eval := evalRows(fn, f)
	for line := range manyLines {
		a := x.row(0, line)
		b, c := a, a
		if fn.Arity > 1 {
			b = x.row(1, line)
		}
		if fn.Arity > 2 {
			c = x.row(2, line)
		}
		if err := eval(want[line*x.pitch:][:x.n], a, b, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := loop.runLines(d, x.in, manyLines, x.n, x.held); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Data, want) {
		t.Fatalf("%s: lines of %d bytes differ in the place of operand %d, one element held: %t", fn, x.n, place, x.held)
	}
}

// squares are numbers of f32.
func squares(n int) []byte {
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = num.Encode(num.F32, float64(i*i), num.NearestEven, false)
	}
	return packed(num.F32, xs)
}

// TestOverlappingRows checks that a row which begins inside an operand, or in
// which one begins, is computed as if element by element from the first one on.
func TestOverlappingRows(t *testing.T) {
	ones := func() []byte { return packed(num.F32, slices.Repeat([]uint64{0x3F800000}, 96)) }
	two := ones()[:kernels.HeldBytes]
	fill(two, 4, 0x40000000)
	double, sum := loopOf(scalar.Mul, num.F32), loopOf(scalar.Add, num.F32)
	for _, back := range []bool{false, true} {
		xs := ones()
		if err := sum.run(xs[4:256], xs[:252], xs[:252], nil, back); err != nil {
			t.Fatal(err)
		}
		held := ones()
		if err := double.run(held[4:256], held[:252], two, nil, back); err != nil {
			t.Fatal(err)
		}
		for i := range 32 {
			if x, y, want := as[float32](xs)[i], as[float32](held)[i], float32(uint64(1)<<i); x != want || y != want {
				t.Fatalf("element %d is %v and %v, want %v", i, x, y, want)
			}
		}
		for _, shift := range []int{4, 64, 128} {
			ys := squares(96)
			if err := sum.run(ys[:256], ys[shift:256+shift], ys[:256], nil, back); err != nil {
				t.Fatal(err)
			}
			for i, y := range as[float32](ys)[:64] {
				if want := float32(i*i + (i+shift/4)*(i+shift/4)); y != want {
					t.Fatalf("shifted by %d, element %d is %v, want %v", shift, i, y, want)
				}
			}
		}
	}
}

// TestConversions compares conversions at every level with the slow way.
func TestConversions(t *testing.T) {
	floats := []num.Format{num.F32, num.F16, num.BF16}
	integers := []num.Format{num.S8, num.U8, num.S16, num.U16, num.S32}
	for _, from := range floats {
		xs := operandRows(scalar.Copy, from)[0]
		if from == num.F32 {
			for h := range uint64(1 << 16) { // around every number of 16 bits
				x := num.Convert(num.F16, num.F32, h, num.NearestEven, false)
				xs = append(xs, x, x|0xFFF, x|0x1000, x|0x1001, h<<16|0x7FFF, h<<16|0x8000, h<<16|0x8001)
			}
		}
		for _, to := range floats {
			compareConversions(t, from, to, num.NearestEven, xs)
		}
		for _, to := range integers {
			for r := range num.HalfUp + 1 {
				compareConversions(t, from, to, r, xs[:min(len(xs), 20000)])
			}
		}
	}
	for _, from := range integers {
		xs := operandRows(scalar.Copy, from)[0]
		for _, to := range floats {
			for _, r := range []num.Rounding{num.NearestEven, num.Zero} {
				compareConversions(t, from, to, r, xs)
			}
		}
	}
}

func compareConversions(t *testing.T, from, to num.Format, r num.Rounding, xs []uint64) {
	t.Helper()
	a := packed(from, xs)
	want, got := packed(to, make([]uint64, len(xs))), packed(to, make([]uint64, len(xs)))
	for _, sat := range []bool{false, true} {
		convertSlow(from, to, r, sat)(want, a)
		for _, level := range kernels.Levels() {
			converterAt(level, from, to, r, sat)(got, a)
			for i := range xs {
				if g, w := num.Load(to, got[i*to.Bytes():]), num.Load(to, want[i*to.Bytes():]); g != w {
					t.Fatalf("%s: %s %#x to %s, %s, sat %v: %#x, want %#x", level, from, xs[i], to, r, sat, g, w)
				}
			}
		}
	}
}

func TestDivisionByZeroInLoops(t *testing.T) {
	for _, f := range []num.Format{num.S8, num.U16, num.S32, num.U64} {
		a, zero := packed(f, []uint64{1, 2}), packed(f, []uint64{1, 0})
		if err := rowsOf(scalar.Div, f)(a, a, zero, nil); err != scalar.ErrDivideByZero {
			t.Errorf("%s: got %v", f, err)
		}
	}
}

func TestFlush(t *testing.T) {
	tiny := uint64(1)
	fn := flushing(scalar.Add, num.F32)
	got, err := fn.Eval2(num.F32, tiny, 0x80000001)
	if err != nil || got != 0 {
		t.Errorf("denormals add to %#x, %v", got, err)
	}
	if got, _ := fn.Eval2(num.F32, 0x80000001, 0x80000001); got != 0x80000000 {
		t.Errorf("negative denormals add to %#x, want -0", got)
	}
	if got, _ := flushing(scalar.Mul, num.F32).Eval2(num.F32, 0x00800000, 0x3F000000); got != 0 {
		t.Errorf("a denormal result is %#x, want 0", got)
	}
}

func BenchmarkRows(b *testing.B) {
	for _, k := range []rowKey{{scalar.Add, num.F32}, {scalar.Add, num.F16}, {scalar.Add, num.BF16}, {scalar.Add, num.S32}, {scalar.Max, num.F32}, {scalar.Exp, num.F32}} {
		xs := slices.Repeat([]uint64{num.Encode(k.f, 1.5, num.NearestEven, false)}, 4096)
		x, d := packed(k.f, xs), packed(k.f, xs)
		for _, way := range []struct {
			name string
			row  rowFunc
		}{{"fast", rowsOf(k.fn, k.f)}, {"plain", loopAt(kernels.None, k.fn, k.f).row()}, {"eval", evalRows(k.fn, k.f)}} {
			b.Run(fmt.Sprintf("%s/%s/%s", k.fn, k.f, way.name), func(b *testing.B) {
				b.SetBytes(int64(len(x)))
				for b.Loop() {
					way.row(d, x, x, x)
				}
			})
		}
	}
}
