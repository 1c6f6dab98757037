package runtime

import (
	"math/rand/v2"
	goruntime "runtime"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// TestReduces compares the reductions of several rows or columns at every level with
// those of one line, bit for bit.
func TestReduces(t *testing.T) {
	const lines, n, gap = 77, 70, 3
	r := rand.New(rand.NewPCG(5, 6))
	for _, fn := range []*scalar.Fn{scalar.Add, scalar.Mul, scalar.Max, scalar.Min} {
		for _, f := range []num.Format{num.F32, num.F16, num.BF16, num.S32} {
			xs := reducedLines(r, f, lines, n)
			for _, of := range []kernels.Reduction{{}, {Across: true}, {Finds: true}, {Finds: true, Across: true}, {Across: true, Twos: true}} {
				of.Fn, of.Format = fn, f
				rounds := f.IsFloat() && (fn == scalar.Add || fn == scalar.Mul)
				if of.Twos && !rounds || rounds && !of.Across && !of.Finds { // those have an order of their own
					continue
				}
				for _, level := range kernels.Levels() {
					reductions := kernels.Reducers(of, level)
					if few := fn == scalar.Mul && f == num.S32 || of.Finds && fn != scalar.Max && fn != scalar.Min; few != (len(reductions) == 0) && level != kernels.None && goruntime.GOARCH == "amd64" {
						t.Fatalf("%s: %d loops for %s on %s", level, len(reductions), fn, f)
					}
					for _, l := range reductions {
						compareReduce(t, &l, of, xs, gap)
					}
				}
			}
		}
	}
}

// reducedLines are lines of numbers: those that are hardly anything but zeros and
// what is near them, those with special ones among others, and plain ones.
func reducedLines(r *rand.Rand, f num.Format, lines, n int) [][]uint64 {
	special, xs := specials(f), make([][]uint64, lines)
	for i := range xs {
		xs[i] = make([]uint64, n)
		for j := range xs[i] {
			switch {
			case i%3 == 0:
				xs[i][j] = special[r.IntN(2)*5]
			case i%3 == 1 && r.IntN(30) == 0:
				xs[i][j] = special[r.IntN(len(special))]
			case f.IsFloat():
				xs[i][j] = num.Encode(f, r.NormFloat64(), num.NearestEven, false)
			default:
				xs[i][j] = r.Uint64() & f.Mask()
			}
		}
	}
	return xs
}

// compareReduce reduces lines that lie gap elements apart.
func compareReduce(t *testing.T, l *kernels.Reducer, of kernels.Reduction, xs [][]uint64, gap int) {
	t.Helper()
	lines, n, size, out := len(xs), len(xs[0]), of.Format.Bytes(), of.Format.Bytes()
	one := reduceOf(of.Fn, of.Format)
	if of.Twos {
		one = newOrderedReduce(sem.TileReduce{Axis: sem.AlongCol, Fn: of.Fn}, scalar.Sequence{Of: scalar.InTwos}, of.Format).reduce
	}
	if of.Finds {
		one, out = argReduce(of.Fn, of.Format), 4
	}
	pitch, step, along := n+gap, n+gap, 1
	if of.Across {
		pitch, step, along = lines+gap, 1, lines+gap
	}
	data := make([]byte, (lines+gap)*(n+gap)*size)
	for i := range xs {
		for j, x := range xs[i] {
			num.Store(of.Format, data[(i*step+j*along)*size:], x)
		}
	}
	got := make([]byte, lines*out)
	done, elems := l.Run(got, data, pitch*size, lines, n)
	if done < lines-31 || elems < n-8 {
		t.Fatalf("only %d lines of %d elements for %+v", done, elems, of)
	}
	c := new(core)
	c.scratch[1] = bytesOf(make([]uint64, chunkBytes/8))
	for i := range done {
		want := one(c, packed(of.Format, xs[i][:elems]))
		if g := num.Load(wordFormats[out], got[i*out:]); g != want {
			t.Fatalf("line %d for %+v is %#x, want %#x", i, of, g, want)
		}
	}
	for _, x := range got[done*out:] {
		if x != 0 {
			t.Fatalf("writes behind %d lines for %+v", done, of)
		}
	}
}

// TestArgReduce compares where the extremes of rows stand with a search that asks
// for each element, with NaN, ties and zeros of both signs.
func TestArgReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	c := new(core)
	c.scratch[1] = bytesOf(make([]uint64, chunkBytes/8))
	for _, f := range []num.Format{num.F32, num.F16, num.BF16} {
		for _, fn := range []*scalar.Fn{scalar.Max, scalar.Min} {
			for turn := range 60 {
				xs := make([]uint64, 1+r.IntN(3000))
				for i := range xs {
					xs[i] = num.Encode(f, float64(r.IntN(1+turn*turn)-turn), num.NearestEven, false)
					if x := r.IntN(2000); x < turn {
						xs[i] = specials(f)[r.IntN(len(specials(f)))]
					}
				}
				if turn == 0 {
					xs[0] = f.SignBit() // before zeros
				}
				want := 0
				for i, x := range xs {
					if better(sem.Beats(fn), f, x, xs[want]) {
						want = i
					}
				}
				if got := argReduce(fn, f)(c, packed(f, xs)); got != uint64(want) {
					t.Fatalf("%s of %d numbers of %s stands at %d, want %d", fn, len(xs), f, got, want)
				}
			}
		}
	}
}

// TestGatherer takes elements of each size by numbers of each format at every
// level, and stops at one that is too large, in a vector or after it.
func TestGatherer(t *testing.T) {
	for _, level := range kernels.Levels() {
		testPicker(t, func(size int, f num.Format) gatherFunc { return gathererAt(level, size, f) })
	}
}

func testPicker(t *testing.T, gatherer func(size int, f num.Format) gatherFunc) {
	const n = 100
	for _, size := range []int{1, 2, 4, 8} {
		f := wordFormats[size]
		data := make([]byte, n*size)
		for i := range data {
			data[i] = byte(i*37 + 1)
		}
		for _, of := range []num.Format{num.U8, num.S16, num.U16, num.S32, num.U32, num.S64} {
			numbers := []uint64{3, 99, 0, 50}
			d := packed(f, make([]uint64, 4))
			if at, ok := gatherer(size, of)(d, data, packed(of, numbers)); !ok {
				t.Fatalf("%s: %d is too large", of, at)
			}
			for i, x := range numbers {
				if got, want := num.Load(f, d[i*size:]), num.Load(f, data[int(x)*size:]); got != want {
					t.Fatalf("element %d of %d bytes is %#x, want %#x", x, size, got, want)
				}
			}
			for bad := range 70 {
				numbers, d := make([]uint64, 70), packed(f, make([]uint64, 70))
				numbers[bad] = 100
				if at, ok := gatherer(size, of)(d, data, packed(of, numbers)); ok || at != 100 {
					t.Fatalf("%s: takes element %d of 100", of, at)
				}
			}
		}
		if at, ok := gatherer(size, num.S32)(make([]byte, size), data, packed(num.S32, []uint64{1<<32 - 2})); ok || at != -2 {
			t.Fatalf("takes element %d", at)
		}
	}
}

// Rows and columns that fill no vector are reduced too, into either layout.
func TestReduceOddSizes(t *testing.T) {
	values := make([]float64, 32*24)
	for i := range values {
		values[i] = float64(i * 31 % 97)
	}
	at := func(r, c int) float64 { return values[24*r+c] }
	s := tileOf("s", 32, 24, "f32", "", "27x21", values...)
	tmp := tileOf("w", 32, 24, "f32", "", "27x21")
	down, across := tileOf("d", 32, 1, "f32", "blayout=col_major", "27x1"), tileOf("e", 32, 8, "f32", "", "27x1")
	cols := tileOf("f", 1, 24, "f32", "", "1x21")
	places, placesDown := tileOf("p", 32, 1, "i32", "blayout=col_major", "27x1"), tileOf("q", 1, 24, "i32", "", "1x21")
	runTiles(t, `  pto.trowsum ins(%s, %w : T(s), T(w)) outs(%d : T(d))
  pto.trowsum ins(%s, %w : T(s), T(w)) outs(%e : T(e))
  pto.tcolsum ins(%s : T(s)) outs(%f : T(f))
  pto.trowargmax ins(%s, %w : T(s), T(w)) outs(%p : T(p))
  pto.tcolargmin ins(%s, %w : T(s), T(w)) outs(%q : T(q))`, s, tmp, down, across, cols, places, placesDown)
	for r := range 27 {
		want, greatest := 0.0, 0
		for c := range 21 {
			if want += at(r, c); at(r, c) > at(r, greatest) {
				greatest = c
			}
		}
		if x, y := valuesOf(num.F32, down.buf)[r], valuesOf(num.F32, across.buf)[8*r]; x != want || y != want {
			t.Errorf("row %d sums to %v and %v, want %v", r, x, y, want)
		}
		if x := valuesOf(num.I32, places.buf)[r]; x != float64(greatest) {
			t.Errorf("row %d is greatest at %v, want %d", r, x, greatest)
		}
	}
	for c := range 21 {
		want, least := 0.0, 0
		for r := range 27 {
			if want += at(r, c); at(r, c) < at(least, c) {
				least = r
			}
		}
		if x := valuesOf(num.F32, cols.buf)[c]; x != want {
			t.Errorf("column %d sums to %v, want %v", c, x, want)
		}
		if x := valuesOf(num.I32, placesDown.buf)[c]; x != float64(least) {
			t.Errorf("column %d is least at %v, want %d", c, x, least)
		}
	}
}
