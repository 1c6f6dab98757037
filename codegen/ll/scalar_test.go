package ll_test

import (
	"fmt"
	"slices"
	"testing"

	"ptogo/codegen/ll"
	"ptogo/codegen/llvmtest"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// benchParams are the C parameter types of the functions that Bench emits.
var benchParams = []string{"void *", "void *", "void *", "void *", "int64_t"}

func TestEveryScalarFunctionIsWritten(t *testing.T) {
	for fn := range scalar.All() {
		if !ll.Has(fn) {
			t.Errorf("no code for %s", fn)
		}
	}
}

// testLanes is the number of lanes of the vectors in these tests.
const testLanes = 8

// testFormats are the formats with which instructions and scalar code compute, and two of
// the formats that they only move and convert.
var testFormats = []num.Format{
	num.I1, num.I8, num.I16, num.I32, num.I64, num.U8, num.U16, num.U32, num.U64,
	num.F16, num.BF16, num.F32, num.F64, num.HiF8, num.F4E2M1,
}

func TestScalarFunctions(t *testing.T) {
	for _, f := range testFormats {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			testFormat(t, f)
		})
	}
}

// testFormat compares all functions on one format with ir/scalar, on scalars and on
// vectors.
func testFormat(t *testing.T, f num.Format) {
	var fns []*scalar.Fn
	for fn := range scalar.All() {
		if fn.Supports(f) {
			fns = append(fns, fn)
		}
	}
	p := benchOf(t, fns, f)
	var byArity [4][3][]uint64
	for arity := 1; arity <= 3; arity++ {
		byArity[arity] = llvmtest.Operands(f, arity, 4096)
	}
	for _, fn := range fns {
		xs := byArity[fn.Arity]
		keepDefined(fn, f, &xs)
		var in [3][]byte // of operands that there are
		for i := range fn.Arity {
			in[i] = llvmtest.Packed(f, xs[i])
		}
		for _, n := range []int{0, testLanes} {
			if n > 0 && f.Bits() < 8 {
				continue // registers have no such lanes
			}
			out := make([]byte, len(xs[0])*f.Bytes())
			err := p.Run(benchName(fn, n), 1, in[0], in[1], in[2], out, uint64(len(xs[0])))
			if err != nil {
				t.Fatalf("%s: %v", fn, err)
			}
			checkFn(t, fn, f, n, xs, out)
		}
	}
}

func benchName(fn *scalar.Fn, lanes int) string { return fmt.Sprintf("%s.%d", fn, lanes) }

func benchOf(t *testing.T, fns []*scalar.Fn, f num.Format) *llvmtest.Program {
	b := ll.NewBench(false)
	var decls []llvmtest.Func
	for _, fn := range fns {
		for _, n := range []int{0, testLanes} {
			b.Fn(benchName(fn, n), fn, f, n)
			decls = append(decls, llvmtest.Func{Name: benchName(fn, n), Params: benchParams})
		}
	}
	return llvmtest.Build(t, b.Text(), decls, levelFor(f))
}

// levelFor returns the optimization level for tests on a format. Optimization reveals
// undefined behavior but needs ten times as long, so it is used for a few formats only.
func levelFor(f num.Format) string {
	switch f {
	case num.F32, num.F16, num.I32, num.U8:
		return "2"
	}
	return "0"
}

// keepDefined replaces zero divisors in the operands xs, because they would fault.
func keepDefined(fn *scalar.Fn, f num.Format, xs *[3][]uint64) {
	if fn.Divisor == 0 || !f.IsInt() {
		return
	}
	d := slices.Clone(xs[fn.Divisor-1])
	xs[fn.Divisor-1] = d
	for i := range d {
		if d[i]&f.Mask() == 0 {
			d[i] = 1
		}
	}
}

func checkFn(t *testing.T, fn *scalar.Fn, f num.Format, lanes int, xs [3][]uint64, out []byte) {
	wrong := 0
	for i := range xs[0] {
		want, err := fn.Eval3(f, xs[0][i], xs[1][i], xs[2][i])
		if err != nil {
			t.Fatalf("%s: %v", fn, err)
		}
		got := num.Load(f, out[i*f.Bytes():])
		if !num.Same(f, got, want) {
			if wrong++; wrong <= 3 {
				t.Errorf("%s on %s (lanes %d) of %#x, %#x, %#x (%v, %v, %v) = %#x (%v), want %#x (%v)", fn, f, lanes,
					xs[0][i], xs[1][i], xs[2][i], num.Decode(f, xs[0][i]), num.Decode(f, xs[1][i]), num.Decode(f, xs[2][i]),
					got, num.Decode(f, got), want, num.Decode(f, want))
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s on %s (lanes %d): %d of %d wrong", fn, f, lanes, wrong, len(xs[0]))
	}
}
