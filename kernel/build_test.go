package kernel_test

import (
	"slices"
	"strings"
	"testing"

	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/build"
)

const rows, cols = 8, 16

// onRows makes a kernel that gives body a tile of x and stores the tile that
// comes back to y.
func onRows(body func(f *build.Func, x *ir.Value) *ir.Value) *ir.Op {
	m := build.Module()
	f := build.Kernel(m, "k", build.PtrTo("x", ir.F32), build.PtrTo("y", ir.F32), build.Scalar("s", ir.F32))
	part := func(i int) *ir.Value { return f.Whole(f.View(f.Param(i), f.Indices(rows, cols)...)) }
	f.TStore(body(f, f.TLoad(part(0))), part(1))
	return m
}

// run gives the first two elements that a kernel makes of 1, 2, 3, ... and the
// scalar 2.
func run(t *testing.T, m *ir.Op, arch string) []float32 {
	t.Helper()
	prog, err := kernel.Build(m, kernel.Options{Arch: arch})
	if err != nil {
		t.Fatalf("%v\nof\n%s", err, m)
	}
	x, y := kernel.Zeros(ir.F32, rows, cols), kernel.Zeros(ir.F32, rows, cols)
	x.Fill(func(i int) float64 { return float64(i + 1) })
	if err := prog.Run(x, y, 2.0); err != nil {
		t.Fatal(err)
	}
	return kernel.Slice[float32](y)[:2]
}

// TestBuiltInstructions runs every method that computes, on both generations.
func TestBuiltInstructions(t *testing.T) {
	binary := func(op func(*build.Func, *ir.Value, *ir.Value) *ir.Value) func(*build.Func, *ir.Value) *ir.Value {
		return func(f *build.Func, x *ir.Value) *ir.Value { return op(f, x, f.TMulS(x, f.Param(2))) }
	}
	scalar := func(op func(*build.Func, *ir.Value, *ir.Value) *ir.Value) func(*build.Func, *ir.Value) *ir.Value {
		return func(f *build.Func, x *ir.Value) *ir.Value { return op(f, x, f.Const(ir.F32, 1.5)) }
	}
	// column combines row i with its reduction.
	column := func(op func(*build.Func, *ir.Value, *ir.Value) *ir.Value, reduce func(*build.Func, *ir.Value) *ir.Value) func(*build.Func, *ir.Value) *ir.Value {
		return func(f *build.Func, x *ir.Value) *ir.Value { return op(f, x, reduce(f, x)) }
	}
	for name, c := range map[string]struct {
		body func(*build.Func, *ir.Value) *ir.Value
		want []float32
	}{
		"tadd":          {binary((*build.Func).TAdd), []float32{3, 6}},
		"tsub":          {binary((*build.Func).TSub), []float32{-1, -2}},
		"tmul":          {binary((*build.Func).TMul), []float32{2, 8}},
		"tdiv":          {binary((*build.Func).TDiv), []float32{0.5, 0.5}},
		"tmax":          {binary((*build.Func).TMax), []float32{2, 4}},
		"tmin":          {binary((*build.Func).TMin), []float32{1, 2}},
		"tadds":         {scalar((*build.Func).TAddS), []float32{2.5, 3.5}},
		"tsubs":         {scalar((*build.Func).TSubS), []float32{-0.5, 0.5}},
		"tmuls":         {scalar((*build.Func).TMulS), []float32{1.5, 3}},
		"tdivs":         {scalar((*build.Func).TDivS), []float32{1 / 1.5, 2 / 1.5}},
		"tmaxs":         {scalar((*build.Func).TMaxS), []float32{1.5, 2}},
		"tmins":         {scalar((*build.Func).TMinS), []float32{1, 1.5}},
		"texp":          {(*build.Func).TExp, []float32{2.7182817, 7.389056}},
		"tlog":          {(*build.Func).TLog, []float32{0, 0.6931472}},
		"tsqrt":         {(*build.Func).TSqrt, []float32{1, 1.4142135}},
		"trecip":        {(*build.Func).TRecip, []float32{1, 0.5}},
		"tneg":          {(*build.Func).TNeg, []float32{-1, -2}},
		"tabs of tneg":  {func(f *build.Func, x *ir.Value) *ir.Value { return f.TAbs(f.TNeg(x)) }, []float32{1, 2}},
		"trelu of tneg": {func(f *build.Func, x *ir.Value) *ir.Value { return f.TRelu(f.TNeg(x)) }, []float32{0, 0}},
		"trowexpandadd": {column((*build.Func).TRowExpandAdd, (*build.Func).TRowSum), []float32{137, 138}},
		"trowexpandsub": {column((*build.Func).TRowExpandSub, (*build.Func).TRowMax), []float32{-15, -14}},
		"trowexpandmul": {column((*build.Func).TRowExpandMul, (*build.Func).TRowMin), []float32{1, 2}},
		"trowexpanddiv": {column((*build.Func).TRowExpandDiv, (*build.Func).TRowMax), []float32{0.0625, 0.125}},
	} {
		for _, arch := range []string{"a3", "a5"} {
			got := run(t, onRows(c.body), arch)
			for i, w := range c.want {
				if d := got[i] - w; d > 1e-6 || d < -1e-6 {
					t.Errorf("%s on %s: got %v, want %v", name, arch, got, c.want)
					break
				}
			}
		}
	}
}

// TestBuiltText checks that what is built is what its text says, and is read again.
func TestBuiltText(t *testing.T) {
	m := build.Module()
	f := build.Kernel(m, "k", build.PtrTo("x", ir.F16), build.Scalar("n", ir.Index))
	v := f.View(f.Param(0), f.Param(1), f.Index(32))
	f.For(f.BlockIdx(), f.Param(1), f.BlockNum(), func(i *ir.Value) {
		p := f.Part(v, []*ir.Value{i, f.Index(0)}, f.Indices(1, 32))
		f.TStore(f.TLoad(p), p)
	})
	text := m.String()
	for _, want := range []string{"!pto.tensor_view<?x32xf16>", "!pto.partition_tensor_view<1x32xf16>", "scf.for", "@k(%x: !pto.ptr<f16>, %n: index)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var diags ir.Diags
	again := kernel.Parse(&ir.Source{Name: "built", Text: text}, ir.ParseOptions{}, &diags)
	if again == nil || !ir.Verify(again, ir.VerifyOptions{}, &diags) {
		t.Fatalf("%v\nof\n%s", diags.Err(), text)
	}
	if got := again.String(); got != text {
		t.Errorf("read again it is\n%s\nbut was\n%s", got, text)
	}
}

// TestBuiltBuffers builds a kernel of Level 2: the program says where results go.
func TestBuiltBuffers(t *testing.T) {
	m := build.Module()
	f := build.Kernel(m, "k", build.PtrTo("x", ir.F32), build.PtrTo("y", ir.F32), build.Scalar("s", ir.F32))
	part := func(i int) *ir.Value { return f.Whole(f.View(f.Param(i), f.Indices(rows, cols)...)) }
	a, b := f.AllocTile(build.Tile(ir.F32, rows, cols)), f.AllocTile(build.Tile(ir.F32, rows, cols))
	sum := f.AllocTile(build.Column(ir.F32, rows))
	f.Into(isatile.TLoad, a, part(0))
	f.Into(isatile.TAddS, b, a, f.Param(2))
	f.Into(isatile.TRowSum, sum, b, a) // a is its scratch tile
	f.Into(isatile.TRowExpandSub, b, b, sum)
	f.TStore(b, part(1))
	if got, want := run(t, m, "a5"), []float32{3 - 168, 4 - 168}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBuiltCarry adds a tile to itself in a loop that carries the sum.
func TestBuiltCarry(t *testing.T) {
	m := onRows(func(f *build.Func, x *ir.Value) *ir.Value {
		return f.Carry(f.Index(0), f.Index(3), f.Index(1), []*ir.Value{x}, func(_ *ir.Value, sum []*ir.Value) []*ir.Value {
			return []*ir.Value{f.TAdd(sum[0], x)}
		})[0]
	})
	if got, want := run(t, m, "a5"), []float32{4, 8}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBuiltIllegal checks that what the instruction set forbids is an error, no panic.
func TestBuiltIllegal(t *testing.T) {
	m := onRows(func(f *build.Func, x *ir.Value) *ir.Value {
		return f.Tile(isatile.TExp, build.Tile(ir.F16, rows, cols), x)
	})
	if _, err := kernel.Build(m, kernel.Options{}); err == nil || !strings.Contains(err.Error(), "pto.texp") {
		t.Errorf("got %v", err)
	}
}

// TestBuildMisuse checks the texts of the panics.
func TestBuildMisuse(t *testing.T) {
	for want, use := range map[string]func(f *build.Func){
		"build: pto.tadd: operand 1 is nil":                      func(f *build.Func) { f.TAdd(f.Index(1), nil) },
		"build: pto.tadd: it accepts 2 to 2 operands, but got 1": func(f *build.Func) { f.Tile(isatile.TAdd, ir.F32, f.Index(1)) },
		"build: pto.tadd: it accepts 3 to 3 operands, but got 2": func(f *build.Func) { f.Into(isatile.TAdd, f.Index(1), f.Index(1)) },
		"build: pto.tload: index does not determine a tile":      func(f *build.Func) { f.TLoad(f.Index(1)) },
		"build: pto.trowsum: index is not a tile":                func(f *build.Func) { f.TRowSum(f.Index(1)) },
		"build: pto.make_tensor_view: index is not a pointer":    func(f *build.Func) { f.View(f.Index(1)) },
		"build: pto.partition_view: index is not a view":         func(f *build.Func) { f.Whole(f.Index(1)) },
		"build: pto.alloc_tile: it has no form of Level 2":       func(f *build.Func) { f.Into(isatile.AllocTile, f.Index(1)) },
		"build: arith.constant: none is not a type of numbers":   func(f *build.Func) { f.Const(ir.TypeOf(ir.NoneType{}), 1) },
		"build: pto.make_tensor_view: operand 1 is nil":          func(f *build.Func) { f.View(f.Param(0), nil, f.Index(2)) },
	} {
		got := func() (what any) {
			defer func() { what = recover() }()
			use(build.Kernel(build.Module(), "k", build.PtrTo("x", ir.F32)))
			return nil
		}()
		if s, ok := got.(string); !ok || !strings.HasPrefix(s, want) {
			t.Errorf("got %v, want %q", got, want)
		}
	}
}
