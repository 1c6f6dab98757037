package scalar

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/ir/num"
	"ptogo/tools/testsize"
)

// rng returns a random number generator that yields the same numbers in every run.
func rng() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }

// must returns the result of Eval and fails the test if there is an error.
func must(t testing.TB, fn *Fn, f num.Format, x ...uint64) uint64 {
	v, err := fn.Eval(f, x...)
	if err != nil {
		t.Fatalf("%v on %v %#x: %v", fn, f, x, err)
	}
	return v
}

// samples returns bit patterns of f for tests: special cases and n random ones.
func samples(f num.Format, n int) []uint64 {
	out := []uint64{0, 1, 2, 3, f.Mask(), f.Mask() - 1, f.SignBit(), f.SignBit() + 1, num.Max(f), num.Lowest(f)}
	if f.IsFloat() {
		for _, x := range []float64{1, -1, 2, -2, 0.5, 3, -3, 10, 1e30, -1e30, 1e-30, math.NaN(), math.Inf(1), math.Inf(-1)} {
			out = append(out, num.Encode(f, x, num.NearestEven, false))
		}
	}
	r := rng()
	for range testsize.Of(n/3, n) {
		out = append(out, r.Uint64()&f.Mask())
		if f.IsFloat() {
			out = append(out, num.Encode(f, r.NormFloat64()*4, num.NearestEven, false))
		}
	}
	return out
}

func TestTable(t *testing.T) {
	n := 0
	for fn := range All() {
		n++
		if lookup(fn.Name) != fn {
			t.Errorf("%q names another function", fn.Name)
		}
		if fn.Doc == "" || fn.Arity < 1 || fn.Arity > 3 || fn.String() != fn.Name {
			t.Errorf("%q: row is not filled", fn.Name)
		}
		if !fn.Supports(num.F32) && !fn.Supports(num.I32) {
			t.Errorf("%q has no meaning at all", fn.Name)
		}
		if fn.Divisor > fn.Arity || fn.Commutative && fn.Arity < 2 {
			t.Errorf("%q: divisor %d, commutative %v, arity %d", fn.Name, fn.Divisor, fn.Commutative, fn.Arity)
		}
	}
	if declared := declaredFns(t); n != declared {
		t.Errorf("%d functions in the table, %d declared", n, declared)
	}
	if lookup("no such function") != nil {
		t.Error("Lookup invents functions")
	}
	for range All() {
		break // an iterator must stop when told to
	}
}

// declaredFns returns the number of package variables of type *Fn. A test compares it
// with the table, so that no function is missing there.
func declaredFns(t *testing.T) (n int) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				if v.Names[0].IsExported() && len(v.Values) == 1 && makesFn(v.Values[0]) {
					n++
				}
			}
		}
	}
	return n
}

func makesFn(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && fmt.Sprint(lit.Type) == "Fn"
	case *ast.CallExpr:
		name := fmt.Sprint(e.Fun)
		return name == "withSign" || strings.HasPrefix(name, "elementary")
	}
	return false
}

// TestEvalTotal checks that every function on every format returns a value of the format
// or one of the two errors, for all bits.
func TestEvalTotal(t *testing.T) {
	for fn := range All() {
		for _, f := range append(num.Formats(), num.Invalid, num.Format(99)) {
			values := samples(f, 4)
			for i, a := range values {
				b, c := values[(i*7+3)%len(values)], values[(i*5+1)%len(values)]
				v, err := fn.Eval3(f, a, b, c)
				zero := fn.Divisor == 1 && a&f.Mask() == 0 || fn.Divisor == 2 && b&f.Mask() == 0
				switch {
				case !fn.Supports(f):
					if !errors.Is(err, errUnsupported) {
						t.Fatalf("%v on %v: error %v, want %v", fn, f, err, errUnsupported)
					}
				case f.IsInt() && zero:
					if !errors.Is(err, ErrDivideByZero) {
						t.Fatalf("%v on %v: error %v, want %v", fn, f, err, ErrDivideByZero)
					}
				case err != nil:
					t.Fatalf("%v on %v: %v", fn, f, err)
				case v&^f.Mask() != 0:
					t.Fatalf("%v on %v: bits beyond the width: %#x", fn, f, v)
				}
			}
		}
	}
}

// TestEvalIgnores checks that bits beyond the width of an operand and operands beyond the
// arity have no influence, and that commutative functions are commutative.
func TestEvalIgnores(t *testing.T) {
	for fn := range All() {
		for _, f := range num.Formats() {
			if !fn.Supports(f) {
				continue
			}
			values := samples(f, 10)
			for i, a := range values {
				b, c := values[(i*7+3)%len(values)], values[(i*5+1)%len(values)]
				v, err := fn.Eval3(f, a, b, c)
				junk := [3]uint64{a | ^f.Mask(), b | ^f.Mask(), c | ^f.Mask()}
				for k := fn.Arity; k < 3; k++ {
					junk[k] = 0x123456789ABCDEF
				}
				if w, err2 := fn.Eval3(f, junk[0], junk[1], junk[2]); w != v || err2 != err {
					t.Fatalf("%v on %v: %#x with clean operands, %#x with others", fn, f, v, w)
				}
				if fn.Commutative {
					if w, _ := fn.Eval3(f, b, a, c); w != v {
						t.Fatalf("%v on %v: %#x, swapped %#x", fn, f, v, w)
					}
				}
			}
		}
	}
}

func TestEvalArity(t *testing.T) {
	one := uint64(0x3F800000)
	if _, err := Add.Eval(num.F32, one); !errors.Is(err, errUnsupported) {
		t.Errorf("one operand too few: %v", err)
	}
	if _, err := Add.Eval(num.F32, one, one, one); !errors.Is(err, errUnsupported) {
		t.Errorf("one operand too many: %v", err)
	}
	a, _ := Sub.Eval2(num.F32, one, 0)
	b, _ := Sqrt.Eval1(num.F32, one)
	c, _ := Fma.Eval3(num.F32, one, one, 0)
	if a != one || b != one || c != one {
		t.Errorf("got %#x, %#x, %#x", a, b, c)
	}
}

func TestNoAllocations(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		for _, fn := range table {
			a, _ := fn.Eval(num.F32, []uint64{0x3F800000, 0x40000000, 0x40400000}[:fn.Arity]...)
			b, _ := fn.Eval2(num.I16, 3, 7)
			sink += a + b
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink uint64

func BenchmarkEval(b *testing.B) {
	for _, c := range []struct {
		fn *Fn
		f  num.Format
	}{{Add, num.F32}, {Add, num.F16}, {Add, num.I32}, {Div, num.F32}, {Fma, num.F32}, {Max, num.BF16}, {Exp, num.F32}, {Log, num.F32}, {Pow, num.F32}, {Sin, num.F32}, {Tanh, num.F16}} {
		b.Run(fmt.Sprintf("%v_%v", c.fn, c.f), func(b *testing.B) {
			b.ReportAllocs()
			x := samples(c.f, 600)[:512]
			for i := range b.N {
				v, _ := c.fn.Eval3(c.f, x[i%512], x[(i+100)%512], x[(i+200)%512])
				sink += v
			}
		})
	}
}

func ExampleFn_Eval() {
	sum, _ := Add.Eval(num.I8, 100, 100)
	fmt.Println(num.Int(num.I8, sum))
	_, err := Div.Eval(num.I8, 1, 0)
	fmt.Println(err)
	// Output:
	// -56
	// integer division by zero
}
