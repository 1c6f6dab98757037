package jit_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/ir"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
)

// compile builds the kernels of a program at an optimization level. It skips the test if
// there is no LLVM.
func compile(t testing.TB, text, level string) *jit.Program {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "test", Text: text}, ir.ParseOptions{}, &diags)
	if m == nil || !ir.Verify(m, ir.VerifyOptions{}, &diags) {
		t.Fatal(diags.All()[0].Format())
	}
	p, err := jit.Compile(m, fn.Functions(m), llvm.Options{}, jit.Options{Level: level, Cache: t.TempDir()}, &diags)
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	case p == nil:
		t.Fatal(diags.All()[0].Format())
	}
	t.Cleanup(p.Close)
	return p
}

// copyElement is a kernel that copies element i to element 0 and divides by d.
const copyElement = `module {
  func.func @main(%x: !pto.ptr<i32>, %y: !pto.ptr<i32>, %i: index, %d: i32) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %v = pto.load_scalar %x[%i] : !pto.ptr<i32> -> i32
    %q = arith.divsi %v, %d : i32
    pto.store_scalar %q, %y[%c0] : !pto.ptr<i32>, i32
    return
  }
}
`

func TestRun(t *testing.T) {
	p := compile(t, copyElement, "1")
	x := make([]byte, 64)
	x[4*3] = 42
	y := make([]byte, 8)
	_, err := p.Run(jit.Launch{Kernel: "main", Args: []any{x, y, uint64(3), uint64(2)}})
	if want := []byte{21, 0, 0, 0, 0, 0, 0, 0}; err != nil || !bytes.Equal(y, want) {
		t.Errorf("got % x, %v; want % x", y, err, want)
	}
	for _, c := range []struct {
		index, divisor int
		want           string
	}{
		{16, 1, "touches byte 64 of gm buffer 0, but the buffer has 64 bytes"},
		{-1 << 20, 1, "leaves its buffer"},
		{1 << 40, 1, "leaves its buffer"},
		{0, 0, "a check in the kernel failed"},
	} {
		_, err := p.Run(jit.Launch{Kernel: "main", Args: []any{x, y, uint64(c.index), uint64(c.divisor)}})
		var f *jit.Fault
		if !errors.As(err, &f) || !strings.Contains(f.Text, c.want) {
			t.Errorf("element %d by %d: got %v, want a fault with %q", c.index, c.divisor, err, c.want)
		}
		if y[0] != 21 {
			t.Errorf("element %d by %d: the output changed", c.index, c.divisor)
		}
	}
}

// TestFront runs a kernel that writes directly before a buffer, in a page that is not
// protected.
func TestFront(t *testing.T) {
	p := compile(t, strings.ReplaceAll(copyElement, "%c0 = arith.constant 0", "%c0 = arith.constant -3"), "1")
	x, y := make([]byte, 64), make([]byte, 8)
	_, err := p.Run(jit.Launch{Kernel: "main", Args: []any{x, y, uint64(0), uint64(1)}})
	if err == nil || !strings.Contains(err.Error(), "leaves its buffer") {
		t.Errorf("got %v, want a fault", err)
	}
}

func TestBlocks(t *testing.T) {
	p := compile(t, `module {
  func.func @count(%x: !pto.ptr<i64>) attributes {pto.kernel} {
    %b = pto.get_block_idx
    %i = arith.index_cast %b : i64 to index
    pto.store_scalar %b, %x[%i] : !pto.ptr<i64>, i64
    return
  }
}
`, "1")
	for _, workers := range []int{0, 1, 3} {
		x := make([]byte, 8*5)
		if _, err := p.Run(jit.Launch{Kernel: "count", Blocks: 5, Workers: workers, Args: []any{x}}); err != nil {
			t.Fatal(err)
		}
		for b := range 5 {
			if int(x[8*b]) != b {
				t.Errorf("%d workers: block %d wrote %d", workers, b, x[8*b])
			}
		}
	}
}

// TestPrint prints from blocks that run at the same time, and to a writer that returns an
// error.
func TestPrint(t *testing.T) {
	p := compile(t, `module {
  func.func @say(%n: i64) attributes {pto.kernel} {
    %b = pto.get_block_idx
    %left = arith.subi %n, %b : i64
    pto.print ins("%d of", %b : i64)
    %q = arith.divsi %n, %left : i64
    pto.print ins(" %d\0A", %n : i64)
    return
  }
}
`, "1")
	run := func(n int, to io.Writer) error {
		_, err := p.Run(jit.Launch{Kernel: "say", Blocks: 9, Workers: 3, Args: []any{uint64(n)}, Out: to})
		return err
	}
	for range 5 {
		var out strings.Builder
		err := run(9, &out)
		if want := "0 of 9\n1 of 9\n2 of 9\n3 of 9\n4 of 9\n5 of 9\n6 of 9\n7 of 9\n8 of 9\n"; err != nil || out.String() != want {
			t.Fatalf("got %v and\n%s\nwant\n%s", err, out.String(), want)
		}
	}
	var f *jit.Fault
	if err := run(4, io.Discard); !errors.As(err, &f) {
		t.Errorf("got %v, want a fault", err)
	}
	if err := run(9, full{}); err == nil || err.Error() != "full" {
		t.Errorf("got %v, want the error of the writer", err)
	}
	if err := run(9, nil); err != nil {
		t.Error(err)
	}
}

// full is a writer that always returns an error.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestCache checks that a program is built only once, and again if its code changes.
func TestCache(t *testing.T) {
	text := "define void @f(ptr %x, i64 %i, i64 %n) {\n  store i64 %n, ptr %x\n  ret void\n}\n"
	fns := []jit.Func{{Name: "f", Params: []string{"void *"}}}
	o := jit.Options{Level: "0", Cache: t.TempDir()}
	for range 2 {
		p, err := jit.Build(text, fns, o)
		if errors.Is(err, jit.ErrNoLLVM) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		x := make([]byte, 8)
		if _, err := p.Run(jit.Launch{Kernel: "f", Blocks: 7, Args: []any{x}}); err != nil || x[0] != 7 {
			t.Errorf("got %d, %v", x[0], err)
		}
		p.Close()
	}
	if _, err := jit.Build("nonsense", fns, o); err == nil || errors.Is(err, jit.ErrNoLLVM) {
		t.Errorf("nonsense compiles: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := jit.Build(text, fns, o); !errors.Is(err, jit.ErrNoLLVM) {
		t.Errorf("without tools: %v", err)
	}
}

// TestSameBuffer passes one buffer twice, at different offsets and with a small and a large
// buffer: the kernel copies element 1 of the first address to the second.
func TestSameBuffer(t *testing.T) {
	p := compile(t, copyElement, "1")
	for _, size := range []int{64, 3 << 20} {
		x := make([]byte, size)
		x[4*3] = 42
		_, err := p.Run(jit.Launch{Kernel: "main", Args: []any{x, jit.Same(0), uint64(1), uint64(2)}, Offsets: []int{8, 32, 0, 0}})
		if err != nil || x[32] != 21 || x[12] != 42 {
			t.Errorf("%d bytes: %v, % x", size, err, x[:64])
		}
		_, err = p.Run(jit.Launch{Kernel: "main", Args: []any{x, jit.Same(0), uint64(size / 4), uint64(2)}, Offsets: []int{8, 32, 0, 0}})
		if f := new(jit.Fault); !errors.As(err, &f) {
			t.Errorf("%d bytes: an access past the end: %v", size, err)
		}
	}
}
