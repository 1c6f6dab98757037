package llvm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	_ "ptogo/dialect/all"
	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// scalarTypes are the types for which arithmetic is tested.
var scalarTypes = []string{"i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"}

// scalarOp is a test kernel for one operation. It reads the operands from arrays and
// stores the result to an array.
type scalarOp struct {
	name, text string
	from, to   num.Format
	arity      int
	eval       func(x []uint64) (uint64, error)
	divisor    int
}

// arrayType returns the type with which a number of type t is stored in an array. index
// and i1 are stored as integers.
func arrayType(t string) string {
	switch t {
	case "index":
		return "i64"
	case "i1":
		return "i8"
	}
	return t
}

// kernelOf returns the text of a kernel that loops over n elements. line is the operation
// on %x0, %x1, ..., which defines %r.
func kernelOf(name string, from, to string, arity int, line string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @%s(", name)
	for i := range 3 {
		fmt.Fprintf(&b, "%%a%d: !pto.ptr<%s>, ", i, arrayType(from))
	}
	fmt.Fprintf(&b, "%%out: !pto.ptr<%s>, %%n: index) {\n", arrayType(to))
	b.WriteString("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  scf.for %i = %c0 to %n step %c1 {\n")
	for i := range arity {
		fmt.Fprintf(&b, "    %%m%d = pto.load_scalar %%a%d[%%i] : !pto.ptr<%s> -> %[3]s\n", i, i, arrayType(from))
		fmt.Fprintf(&b, "    %%x%d = %s\n", i, fromArray(fmt.Sprintf("%%m%d", i), from))
	}
	fmt.Fprintf(&b, "    %s\n    %%y = %s\n", line, toArray("%r", to))
	fmt.Fprintf(&b, "    pto.store_scalar %%y, %%out[%%i] : !pto.ptr<%s>, %[1]s\n  }\n  func.return\n}\n", arrayType(to))
	return b.String()
}

func fromArray(v, t string) string {
	switch t {
	case "index":
		return "arith.index_cast " + v + " : i64 to index"
	case "i1":
		return "arith.trunci " + v + " : i8 to i1"
	}
	return fmt.Sprintf("arith.bitcast %s : %s to %s", v, t, t)
}

func toArray(v, t string) string {
	switch t {
	case "index":
		return "arith.index_cast " + v + " : index to i64"
	case "i1":
		return "arith.extui " + v + " : i1 to i8"
	}
	return fmt.Sprintf("arith.bitcast %s : %s to %s", v, t, t)
}

func formatOfName(t string) num.Format {
	if t == "index" {
		return num.I64
	}
	f, _ := num.ParseFormat(t)
	return f
}

// legal reports whether the kernel with the given text verifies.
func legal(text string) bool {
	diags := &ir.Diags{}
	m, _ := ir.Parse(&ir.Source{Name: "op", Text: "module {\n" + text + "}\n"}, ir.ParseOptions{}, diags)
	return m != nil && !diags.HasErrors() && ir.Verify(m, ir.VerifyOptions{}, diags)
}

// elementwiseOps returns test kernels for all elementwise operations of the dialects
// arith and math, for all types that they accept.
func elementwiseOps() []scalarOp {
	var ops []scalarOp
	for _, dialect := range []string{"arith", "math"} {
		for _, d := range ir.LookupDialect(dialect).All() {
			kind, ok := d.Sem.(scalar.Elementwise)
			if !ok {
				continue
			}
			for _, t := range scalarTypes {
				ops = append(ops, elementwiseOp(d, kind.Fn, t, len(ops)))
			}
		}
	}
	return slices.DeleteFunc(ops, func(o scalarOp) bool { return !legal(o.text) })
}

func elementwiseOp(d *ir.Def, fn *scalar.Fn, t string, number int) scalarOp {
	operands := []string{"%x0", "%x1", "%x2"}[:fn.Arity]
	f := formatOfName(t)
	name := fmt.Sprintf("k%d_%s_%s", number, strings.ReplaceAll(d.Name, ".", "_"), t)
	return scalarOp{
		name: name, from: f, to: f, arity: fn.Arity, divisor: fn.Divisor,
		text: kernelOf(name, t, t, fn.Arity, "%r = "+d.Name+" "+strings.Join(operands, ", ")+" : "+t),
		eval: func(x []uint64) (uint64, error) { return fn.Eval(f, x[:fn.Arity]...) },
	}
}

// castOps returns test kernels for all conversions of the dialect arith between all
// types.
func castOps() []scalarOp {
	var ops []scalarOp
	for _, d := range arith.Constant.Dialect().All() {
		kind, ok := d.Sem.(scalar.Cast)
		if !ok {
			continue
		}
		for _, from := range scalarTypes {
			for _, to := range scalarTypes {
				f, g := formatOfName(from), formatOfName(to)
				name := fmt.Sprintf("c%d_%s_%s_%s", len(ops), strings.ReplaceAll(d.Name, ".", "_"), from, to)
				o := scalarOp{
					name: name, from: f, to: g, arity: 1,
					text: kernelOf(name, from, to, 1, fmt.Sprintf("%%r = %s %%x0 : %s to %s", d.Name, from, to)),
					eval: func(x []uint64) (uint64, error) { return kind.Eval(f, g, x[0]), nil },
				}
				if from != to && legal(o.text) {
					ops = append(ops, o)
				}
			}
		}
	}
	return ops
}

func TestElementwise(t *testing.T) { runScalarOps(t, elementwiseOps()) }
func TestCasts(t *testing.T)       { runScalarOps(t, castOps()) }

// runScalarOps runs test kernels with special and random numbers and compares the results
// with those of ir/scalar.
func runScalarOps(t *testing.T, ops []scalarOp) {
	if len(ops) < 40 {
		t.Fatalf("only %d operations", len(ops))
	}
	var text strings.Builder
	for _, o := range ops {
		text.WriteString(o.text)
	}
	m := llvmtest.Parse(t, "ops.pto", "module {\n"+text.String()+"}\n")
	p := llvmtest.Compile(t, m, llvm.Options{}, "1")
	for _, o := range ops {
		xs := llvmtest.Operands(o.from, o.arity, 1024)
		if o.divisor > 0 && o.from.IsInt() {
			for i, d := range xs[o.divisor-1] {
				xs[o.divisor-1][i] = max(d, 1)
			}
		}
		out := make([]byte, len(xs[0])*o.to.Bytes())
		if err := p.Run(o.name, 1, llvmtest.Packed(o.from, xs[0]), llvmtest.Packed(o.from, xs[1]), llvmtest.Packed(o.from, xs[2]), out, uint64(len(xs[0]))); err != nil {
			t.Errorf("%s: %v", o.name, err)
			continue
		}
		for i := range xs[0] {
			want, err := o.eval([]uint64{xs[0][i], xs[1][i], xs[2][i]})
			if err != nil {
				t.Fatalf("%s: %v", o.name, err)
			}
			if got := num.Load(o.to, out[i*o.to.Bytes():]); !num.Same(o.to, got, want) {
				t.Errorf("%s of %#x, %#x, %#x = %#x, want %#x", o.name, xs[0][i], xs[1][i], xs[2][i], got, want)
				break
			}
		}
	}
	t.Logf("%d operations", len(ops))
}
