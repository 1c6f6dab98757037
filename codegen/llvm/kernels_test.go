package llvm_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"

	_ "ptogo/dialect/all"
)

// kernelCase is a test kernel that writes its result to its last parameter. Integers are
// i64 unless a test case specifies another type.
type kernelCase struct {
	name   string
	text   string
	args   []any
	blocks int // 1 if left out
	want   []int64
	faults bool
}

// words returns 64-bit integers as bytes.
func words(xs ...int64) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	return b
}

// kernelHead is the start of every test kernel. It includes a function that stores %x to
// element %i of %out.
const kernelHead = `
func.func private @put(%out: !pto.ptr<i64>, %i: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %v = pto.make_tensor_view %out, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<1x1000xi64>
  %p = pto.partition_view %v, offsets = [%c0, %i], sizes = [%c1, %c1] : !pto.tensor_view<1x1000xi64> -> !pto.partition_tensor_view<1x1xi64>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x4xi64, valid=1x1>
  pto.texpands ins(%x : i64) outs(%t : !pto.tile_buf<vec, 1x4xi64, valid=1x1>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x4xi64, valid=1x1>) outs(%p : !pto.partition_tensor_view<1x1xi64>)
  func.return
}
`

// runKernels compiles all test cases as one module, in which kernel @k of case i is named
// @k<i>, and runs them.
func runKernels(t *testing.T, cases []kernelCase) {
	var text strings.Builder
	text.WriteString("module attributes {pto.target_arch = \"a5\"} {\n" + kernelHead)
	for i, c := range cases {
		text.WriteString(strings.ReplaceAll(c.text, "@k(", fmt.Sprintf("@k%d(", i)))
	}
	text.WriteString("\n}\n")
	p := llvmtest.Compile(t, llvmtest.Parse(t, "kernels.pto", text.String()), llvm.Options{}, "2")
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := make([]byte, 8*len(c.want))
			err := p.Run(fmt.Sprintf("k%d", i), max(c.blocks, 1), append(c.args, out)...)
			var fault *llvmtest.Fault
			switch {
			case c.faults && !errors.As(err, &fault):
				t.Errorf("got error %v, want a fault", err)
			case c.faults:
			case err != nil:
				t.Error(err)
			case !bytes.Equal(out, words(c.want...)):
				t.Errorf("got  %v\nwant %v", int64s(out), c.want)
			}
		})
	}
}

// int64s returns bytes as 64-bit integers.
func int64s(b []byte) []int64 {
	var xs []int64
	for ; len(b) >= 8; b = b[8:] {
		xs = append(xs, int64(binary.LittleEndian.Uint64(b)))
	}
	return xs
}

func TestControlFlow(t *testing.T) {
	runKernels(t, []kernelCase{
		{
			name: "for with carried values",
			text: `
func.func @k(%n: index, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant 0 : i64
  %b = arith.constant 1 : i64
  %f:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i64, i64) {
    %s = arith.addi %x, %y : i64
    func.call @put(%out, %i, %x) : (!pto.ptr<i64>, index, i64) -> ()
    scf.yield %y, %s : i64, i64
  }
  func.call @put(%out, %n, %f#1) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{uint64(6)},
			want: []int64{0, 1, 1, 2, 3, 5, 13},
		},
		{
			name: "for that runs past the largest integer",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %lo = arith.constant 100 : i8
  %hi = arith.constant 127 : i8
  %by = arith.constant 20 : i8
  %z = arith.constant 0 : i64
  %s = scf.for %i = %lo to %hi step %by iter_args(%x = %z) -> (i64) : i8 {
    %w = arith.extsi %i : i8 to i64
    %y = arith.addi %x, %w : i64
    scf.yield %y : i64
  }
  %c0 = arith.constant 0 : index
  func.call @put(%out, %c0, %s) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			want: []int64{220},
		},
		{
			name: "for with a step of zero",
			text: `
func.func @k(%by: index, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %by {
  }
  func.return
}`,
			args:   []any{uint64(0)},
			want:   []int64{0},
			faults: true,
		},
		{
			name: "if with results",
			text: `
func.func @k(%a: i64, %b: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lt = arith.cmpi slt, %a, %b : i64
  %r:2 = scf.if %lt -> (i64, i64) {
    scf.yield %a, %b : i64, i64
  } else {
    %d = arith.subi %a, %b : i64
    scf.yield %d, %a : i64, i64
  }
  scf.if %lt {
    func.call @put(%out, %c0, %r#0) : (!pto.ptr<i64>, index, i64) -> ()
  }
  func.call @put(%out, %c1, %r#1) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{uint64(3), uint64(5)},
			want: []int64{3, 5},
		},
		{
			name: "if with a constant condition leaves out the other region",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %never = arith.constant false
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i64
  %r = scf.if %never -> (i64) {
    %y = builtin.unrealized_conversion_cast to i64
    scf.yield %y : i64
  } else {
    scf.yield %x : i64
  }
  func.call @put(%out, %c0, %r) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			want: []int64{7},
		},
		{
			name: "while",
			text: `
func.func @k(%n: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %n, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %go = arith.cmpi ne, %x, %one : i64
    scf.condition(%go) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %odd = arith.andi %x, %one : i64
    %isOdd = arith.cmpi eq, %odd, %one : i64
    %half = arith.divui %x, %two : i64
    %t = arith.muli %x, %three : i64
    %up = arith.addi %t, %one : i64
    %next = arith.select %isOdd, %up, %half : i64
    %s = arith.addi %steps, %one : i64
    scf.yield %next, %s : i64, i64
  }
  func.call @put(%out, %c0, %r#1) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{uint64(27)},
			want: []int64{111},
		},
		{
			name: "index_switch",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %r = scf.index_switch %i -> i64
    case 1 {
      %x = arith.constant 10 : i64
      scf.yield %x : i64
    }
    case 3 {
      %x = arith.constant 30 : i64
      scf.yield %x : i64
    }
    default {
      %x = arith.constant -1 : i64
      scf.yield %x : i64
    }
    func.call @put(%out, %i, %r) : (!pto.ptr<i64>, index, i64) -> ()
  }
  func.return
}`,
			want: []int64{-1, 10, -1, 30, -1},
		},
		{
			name: "blocks that stand in another order than they run",
			text: `
func.func @k(%n: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%n, %zero : i64, i64)
^done(%r: i64):
  func.call @put(%out, %c0, %r) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
^body(%x: i64, %s: i64):
  %t = arith.addi %s, %x : i64
  %y = arith.subi %x, %one : i64
  cf.br ^head(%y, %t : i64, i64)
^head(%a: i64, %b: i64):
  %more = arith.cmpi sgt, %a, %zero : i64
  cf.cond_br %more, ^body(%a, %b : i64, i64), ^done(%b : i64)
}`,
			args: []any{uint64(10)},
			want: []int64{55},
		},
		{
			name: "both ways to one block",
			text: `
func.func @k(%c: i1, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %a = arith.constant 4 : i64
  %b = arith.constant 9 : i64
  cf.cond_br %c, ^end(%a : i64), ^end(%b : i64)
^end(%x: i64):
  func.call @put(%out, %c0, %x) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{uint64(0)},
			want: []int64{9},
		},
		{
			name: "switch inside execute_region",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = arith.constant 100 : i64
  %b = arith.constant 200 : i64
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.index_cast %i : index to i32
    %r = scf.execute_region -> i64 {
      cf.switch %x : i32, [
        default: ^other(%a : i64),
        1: ^other(%b : i64),
        2: ^two
      ]
    ^two:
      %two = arith.constant 2 : i64
      scf.yield %two : i64
    ^other(%y: i64):
      scf.yield %y : i64
    }
    func.call @put(%out, %i, %r) : (!pto.ptr<i64>, index, i64) -> ()
  }
  func.return
}`,
			want: []int64{100, 200, 2, 100},
		},
		{
			name: "functions with results",
			text: `
func.func private @divmod(%a: i64, %b: i64) -> (i64, i64) {
  %q = arith.divsi %a, %b : i64
  %r = arith.remsi %a, %b : i64
  func.return %q, %r : i64, i64
}
func.func private @square(%a: i64) -> i64 {
  %q = arith.muli %a, %a : i64
  func.return %q : i64
}
func.func @k(%a: i64, %b: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d:2 = func.call @divmod(%a, %b) : (i64, i64) -> (i64, i64)
  %s = func.call @square(%d#1) : (i64) -> i64
  func.call @put(%out, %c0, %d#0) : (!pto.ptr<i64>, index, i64) -> ()
  func.call @put(%out, %c1, %s) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{^uint64(16), uint64(5)},
			want: []int64{-3, 4},
		},
		{
			name: "division by zero",
			text: `
func.func @k(%a: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %q = arith.divsi %a, %a : i64
  func.call @put(%out, %c0, %q) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args:   []any{uint64(0)},
			want:   []int64{0},
			faults: true,
		},
		{
			name: "assert",
			text: `
func.func @k(%c: i1, %out: !pto.ptr<i64>) {
  cf.assert %c, "must hold"
  func.return
}`,
			args:   []any{uint64(0)},
			want:   []int64{0},
			faults: true,
		},
		{
			name: "every block writes its number",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %i = pto.get_block_idx
  %n = pto.get_block_num
  %x = arith.muli %i, %n : i64
  %at = arith.index_cast %i : i64 to index
  func.call @put(%out, %at, %x) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			blocks: 4,
			want:   []int64{0, 4, 8, 12},
		},
	})
}

func TestScalars(t *testing.T) {
	runKernels(t, []kernelCase{
		{
			name: "f16 arguments are bits",
			text: `
func.func @k(%a: f16, %b: f16, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %s = arith.addf %a, %b : f16
  %bits = arith.bitcast %s : f16 to i16
  %x = arith.extui %bits : i16 to i64
  func.call @put(%out, %c0, %x) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{uint64(0x3C00), uint64(0x4000)}, // 1 + 2
			want: []int64{0x4200},
		},
		{
			name: "extended results",
			text: `
func.func @k(%a: i64, %b: i64, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s, %o = arith.addui_extended %a, %b : i64, i1
  %lo, %hi = arith.mului_extended %a, %b : i64
  %ox = arith.extui %o : i1 to i64
  func.call @put(%out, %c0, %s) : (!pto.ptr<i64>, index, i64) -> ()
  func.call @put(%out, %c1, %ox) : (!pto.ptr<i64>, index, i64) -> ()
  func.call @put(%out, %c2, %lo) : (!pto.ptr<i64>, index, i64) -> ()
  func.call @put(%out, %c3, %hi) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			args: []any{^uint64(0), uint64(3)},
			want: []int64{2, 1, -3, 2},
		},
		{
			name: "vectors of the builtin dialect",
			text: `
func.func @k(%out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<[1.5, -2.5]> : vector<2xf32>
  %b = arith.constant dense<4.0> : vector<2xf32>
  %m = arith.mulf %a, %b : vector<2xf32>
  %i = arith.fptosi %m : vector<2xf32> to vector<2xi32>
  %x = arith.bitcast %i : vector<2xi32> to vector<2xf32>
  %lt = arith.cmpf olt, %a, %b : vector<2xf32>
  %z = arith.constant 5 : i64
  func.call @put(%out, %c0, %z) : (!pto.ptr<i64>, index, i64) -> ()
  func.return
}`,
			want: []int64{5},
		},
	})
}
