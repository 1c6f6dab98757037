package runtime

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// TestRowSums compares the loops for sums of rows with ir/scalar, in every order
// and for rows of any length.
func TestRowSums(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	c := new(core)
	for _, f := range []num.Format{num.F32, num.F16} {
		lanes := pto.VectorBytes / f.Bytes()
		for _, of := range []scalar.SequenceKind{scalar.ByRepeats, scalar.ByChunks, scalar.ByEighths} {
			o := newOrderedReduce(sem.TileReduce{Fn: scalar.Add}, scalar.Sequence{Of: of, Lanes: lanes}, f)
			for n := 1; n <= 1024; n += 1 + n/70 {
				if of == scalar.ByEighths {
					if n = max(128, 2*(n-1-n/70)); f == num.F16 {
						break
					}
				}
				rows, gap := 1+r.IntN(13), r.IntN(2)*3
				xs := reducedLines(r, f, rows, n+gap)
				data := packed(f, slices.Concat(xs...))
				sums, got := make([]byte, 4*rows), make([]byte, rows*f.Bytes())
				o.sumRows(c, as[float32](sums), data, (n+gap)*f.Bytes(), n)
				o.results(got, sums)
				for i := range rows {
					g := num.Load(f, got[i*f.Bytes():])
					if want := o.reduce(c, packed(f, xs[i][:n])); g != want {
						t.Fatalf("row %d of %d with %d elements of %s, order %d: %#x, want %#x", i, rows, n, f, of, g, want)
					}
				}
			}
		}
	}
}

// TestReduceOrder looks at what each profile makes of sums and products whose
// order shows, by numbers that are absorbed.
func TestReduceOrder(t *testing.T) {
	const big = 1 << 24 // which absorbs 1
	row := func(n int, at map[int]float64) []float64 {
		xs := make([]float64, n)
		for i, x := range at {
			xs[i] = x
		}
		return xs
	}
	for _, c := range []struct {
		name, op, elem string
		rows, cols     int
		xs             []float64
		a3, a5         float64
	}{
		{"neighbours first", "trowsum", "f32", 1, 64, row(64, map[int]float64{0: big, 1: -big, 2: 1}), 1, 1},
		{"one after the other would absorb", "trowsum", "f32", 1, 64, row(64, map[int]float64{0: big, 2: 1, 3: 1}), big + 2, big + 2},
		{"lane by lane on A2/A3", "trowsum", "f32", 1, 128, row(128, map[int]float64{0: big, 1: 1, 64: -big}), 1, 0},
		{"register by register on A5", "trowsum", "f32", 1, 192, row(192, map[int]float64{0: big, 65: 1, 128: -big}), 1, 0},
		{"f16 in f32", "trowsum", "f16", 1, 128, row(128, map[int]float64{0: 2048, 64: 1, 127: 2}), 2052, 2052},
		{"columns by twos on A5", "tcolsum", "f32", 3, 8, row(24, map[int]float64{0: big, 8: 1, 16: 1}), big, big + 2},
		{"blocks on A2/A3, halves on A5", "trowprod", "f32", 1, 16, []float64{1e30, 1e30, 1, 1, 1, 1, 1, 1, 1e-30, 1e-30, 1, 1, 1, 1, 1, 1}, 1, 1},
	} {
		for i, want := range []float64{c.a3, c.a5} {
			target := []ir.Target{sem.A3, sem.A5}[i]
			s := tileOf("s", c.rows, c.cols, c.elem, "", "", c.xs...)
			d, body := tileOf("d", 16, 1, c.elem, "blayout=col_major", fmt.Sprintf("%dx1", c.rows)), "  pto."+c.op+" ins(%s, %tmp : T(s), T(tmp)) outs(%d : T(d))"
			vars := []tileVar{s, tileOf("tmp", c.rows, c.cols, c.elem, "", "")}
			if c.op == "tcolsum" {
				d, body, vars = tileOf("d", 1, c.cols, c.elem, "", ""), "  pto.tcolsum ins(%s : T(s)) outs(%d : T(d))", vars[:1]
			}
			vars = append(vars, d)
			if err := runText(t, tileProgram(body, vars...), Options{Target: target}, tileArgs(vars)...); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			f, _ := num.ParseFormat(c.elem)
			if got := valuesOf(f, d.buf)[0]; got != want {
				t.Errorf("%s on %s: %v, want %v", c.name, sem.ProfileName(target), got, want)
			}
		}
	}
}
