package lower_test

import (
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

type transform struct{ name, in, want string }

func check(t *testing.T, pipeline string, cases []transform) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { passtest.Check(t, registry, pipeline, c.in, c.want) })
	}
}

func TestBufferize(t *testing.T) {
	check(t, "builtin.module(pto-bufferize)", []transform{
		{"parameters, results and calls", `func.func private @g(%t: !pto.tile<16x64xf32>, %i: i32) -> (i32, !pto.tile<16x64xf32>) {
  %u = test.mix %t, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  return %i, %u : i32, !pto.tile<16x64xf32>
}
func.func @f(%t: !pto.tile<16x64xf32>, %i: i32) -> i32 {
  %r:2 = call @g(%t, %i) : (!pto.tile<16x64xf32>, i32) -> (i32, !pto.tile<16x64xf32>)
  test.use %r#1 : !pto.tile<16x64xf32>
  return %r#0 : i32
}
func.func private @h(!pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>`,
			`func.func private @g(%t: !pto.tile_buf<vec, 16x64xf32>, %i: i32, %u: !pto.tile_buf<vec, 16x64xf32>) -> i32 {
  test.mix ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%u : !pto.tile_buf<vec, 16x64xf32>)
  return %i : i32
}
func.func @f(%t: !pto.tile_buf<vec, 16x64xf32>, %i: i32) -> i32 {
  %r = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %r_0 = call @g(%t, %i, %r) : (!pto.tile_buf<vec, 16x64xf32>, i32, !pto.tile_buf<vec, 16x64xf32>) -> i32
  test.use %r : !pto.tile_buf<vec, 16x64xf32>
  return %r_0 : i32
}
func.func private @h(!pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>)`},
		{"what a loop carries is one buffer; the first tile is made in it", `func.func @f(%n: index) {
  %a = test.make : () -> !pto.tile<16x64xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%t = %a) -> (!pto.tile<16x64xf32>) {
    %u = test.mix %t, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
    scf.yield %u : !pto.tile<16x64xf32>
  }
  test.use %r : !pto.tile<16x64xf32>
  return
}`, `func.func @f(%n: index) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  scf.for %i = %n to %n step %n {
    %u = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    test.mix ins(%a, %a : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%u : !pto.tile_buf<vec, 16x64xf32>)
    pto.tmov ins(%u : !pto.tile_buf<vec, 16x64xf32>) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  }
  test.use %a : !pto.tile_buf<vec, 16x64xf32>
  return
}`},
		{"an accumulator is updated in place", `func.func @f(%n: index, %x: !pto.tile<16x64xf32>) {
  %a = test.make : () -> !pto.tile<16x64xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%t = %a) -> (!pto.tile<16x64xf32>) {
    %u = test.acc %x, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
    scf.yield %u : !pto.tile<16x64xf32>
  }
  test.use %r : !pto.tile<16x64xf32>
  return
}`, `func.func @f(%n: index, %x: !pto.tile_buf<vec, 16x64xf32>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  scf.for %i = %n to %n step %n {
    test.acc ins(%x : !pto.tile_buf<vec, 16x64xf32>) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  }
  test.use %a : !pto.tile_buf<vec, 16x64xf32>
  return
}`},
		{"an accumulator that is still needed, or looked at, is copied", `func.func @f(%x: !pto.tile<16x64xf32>) {
  %a = test.make : () -> !pto.tile<16x64xf32>
  %b = test.acc %x, %a : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  test.use %a : !pto.tile<16x64xf32>
  %v = test.view %b : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>
  %c = test.acc %v, %b : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  test.use %c : !pto.tile<16x64xf32>
  return
}`, `func.func @f(%x: !pto.tile_buf<vec, 16x64xf32>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tmov ins(%a : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
  test.acc ins(%x : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
  test.use %a : !pto.tile_buf<vec, 16x64xf32>
  %v = test.view %b : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xf32>
  %c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tmov ins(%b : !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
  test.acc ins(%v : !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
  test.use %c : !pto.tile_buf<vec, 16x64xf32>
  return
}`},
		{"tiles that change places go through a third buffer", `func.func @f(%n: index) {
  %a = test.make : () -> !pto.tile<16x64xf32>
  %b = test.make : () -> !pto.tile<16x64xf32>
  %r:2 = scf.for %i = %n to %n step %n iter_args(%t = %a, %u = %b) -> (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) {
    test.use %t : !pto.tile<16x64xf32>
    scf.yield %u, %t : !pto.tile<16x64xf32>, !pto.tile<16x64xf32>
  }
  return
}`, `func.func @f(%n: index) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%b : !pto.tile_buf<vec, 16x64xf32>)
  scf.for %i = %n to %n step %n {
    test.use %a : !pto.tile_buf<vec, 16x64xf32>
    %0 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    pto.tmov ins(%b : !pto.tile_buf<vec, 16x64xf32>) outs(%0 : !pto.tile_buf<vec, 16x64xf32>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
    pto.tmov ins(%0 : !pto.tile_buf<vec, 16x64xf32>) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  }
  return
}`},
		{"a part of what a loop carries becomes the whole", `func.func @f(%n: index, %p: !pto.tile<16x64xf32>) {
  %r = scf.for %i = %n to %n step %n iter_args(%t = %p) -> (!pto.tile<16x64xf32>) {
    %v = test.view %t : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>
    scf.yield %v : !pto.tile<16x64xf32>
  }
  test.use %r : !pto.tile<16x64xf32>
  return
}`, `func.func @f(%n: index, %p: !pto.tile_buf<vec, 16x64xf32>) {
  %r = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tmov ins(%p : !pto.tile_buf<vec, 16x64xf32>) outs(%r : !pto.tile_buf<vec, 16x64xf32>)
  scf.for %i = %n to %n step %n {
    %v = test.view %r : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xf32>
    %0 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    pto.tmov ins(%v : !pto.tile_buf<vec, 16x64xf32>) outs(%0 : !pto.tile_buf<vec, 16x64xf32>)
    pto.tmov ins(%0 : !pto.tile_buf<vec, 16x64xf32>) outs(%r : !pto.tile_buf<vec, 16x64xf32>)
  }
  test.use %r : !pto.tile_buf<vec, 16x64xf32>
  return
}`},
		{"a choice between tiles, and jumps that pass them", `func.func @f(%c: i1, %p: !pto.tile<16x64xf32>) {
  %a = test.make : () -> !pto.tile<16x64xf32>
  %s = arith.select %c, %a, %p : !pto.tile<16x64xf32>
  cf.cond_br %c, ^x(%s : !pto.tile<16x64xf32>), ^y
^x(%t: !pto.tile<16x64xf32>):
  test.use %t : !pto.tile<16x64xf32>
  cf.br ^y
^y:
  return
}`, `func.func @f(%c: i1, %p: !pto.tile_buf<vec, 16x64xf32>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.make outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  scf.if %c {
  } else {
    pto.tmov ins(%p : !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  }
  cf.cond_br %c, ^e, ^y
^x:
  test.use %t : !pto.tile_buf<vec, 16x64xf32>
  cf.br ^y
^y:
  return
^e:
  cf.br ^x
}`},
	})
	check(t, "builtin.module(pto-bufferize{reuse=true})", []transform{
		{"a tile that dies gives its buffer to an element-by-element result", `func.func @f(%s: f32) {
  %a = pto.texpands %s : f32 -> !pto.tile<16x64xf32>
  %b = pto.tadds %a, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  %c = pto.tadds %b, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  %d = test.mix %b, %c : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  test.use %d : !pto.tile<16x64xf32>
  return
}`, `func.func @f(%s: f32) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  %c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  test.mix ins(%a, %c : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
  test.use %d : !pto.tile_buf<vec, 16x64xf32>
  return
}`},
		{"not to one of another type", `func.func @f(%s: f32, %m: !pto.tile<16x32xui8>) {
  %a = pto.texpands %s : f32 -> !pto.tile<16x64xf32>
  %c = pto.tcmps %a, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x32xui8>
  test.use %c : !pto.tile<16x32xui8>
  return
}`, `func.func @f(%s: f32, %m: !pto.tile_buf<vec, 16x32xui8>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  %c = pto.alloc_tile : !pto.tile_buf<vec, 16x32xui8>
  pto.tcmps ins(%a, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%c : !pto.tile_buf<vec, 16x32xui8>)
  test.use %c : !pto.tile_buf<vec, 16x32xui8>
  return
}`},
	})
}

func TestBufferizeErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"an unknown operation", `func.func @f(%t: !pto.tile<16x64xf32>) {
  "other.thing"(%t) : (!pto.tile<16x64xf32>) -> ()
  return
}`, "test:2:3: error: 'other.thing' op has a tile as operand or result, but pto-bufferize does not know this operation\n"},
		{"an unknown function", `func.func @f(%t: !pto.tile<16x64xf32>, %g: (!pto.tile<16x64xf32>) -> ()) {
  func.call_indirect %g(%t) : (!pto.tile<16x64xf32>) -> ()
  return
}`, "test:2:3: error: 'func.call_indirect' op calls a function that is only known at run time, so pto-bufferize cannot replace its tiles by buffers\n"},
		{"counts that are read", `func.func @f(%a: !pto.tile<1x64xf32>, %b: !pto.tile<1x64xf32>) -> vector<4xi16> {
  %d, %e = pto.tmrgsort %a, %b : (!pto.tile<1x64xf32>, !pto.tile<1x64xf32>) -> (!pto.tile<1x128xf32>, vector<4xi16>)
  return %e : vector<4xi16>
}`, "test:2:12: error: 'pto.tmrgsort' op returns a value of type vector<4xi16> as result #1, but the Level 2 form of this instruction has no result that other instructions could read\n"},
		{"an open valid region that nothing tells", `func.func @f() {
  %a = test.make : () -> !pto.tile<16x64xf32, valid=?x64>
  test.use %a : !pto.tile<16x64xf32, valid=?x64>
  return
}`, "test:2:8: error: 'test.make' op returns a tile with dynamic valid rows, but pto-bufferize cannot infer their number: !pto.tile<16x64xf32, valid=?x64>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			passtest.Wants(t, passtest.Fail(t, registry, "builtin.module(pto-bufferize)", c.in), c.want)
		})
	}
}

func TestBufferizeValidRegions(t *testing.T) {
	check(t, "builtin.module(pto-bufferize)", []transform{
		{"those of a parameter are asked for", `func.func @f(%a: !pto.tile<16x64xf32, valid=?x64>, %s: f32) {
  %b = pto.tadds %a, %s : (!pto.tile<16x64xf32, valid=?x64>, f32) -> !pto.tile<16x64xf32, valid=?x64>
  test.use %b : !pto.tile<16x64xf32, valid=?x64>
  return
}`, `func.func @f(%a: !pto.tile_buf<vec, 16x64xf32, valid=?x64>, %s: f32) {
  %0 = pto.tile_valid_rows %a : !pto.tile_buf<vec, 16x64xf32, valid=?x64> -> index
  %b = pto.alloc_tile valid_row = %0 : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 16x64xf32, valid=?x64>, f32) outs(%b : !pto.tile_buf<vec, 16x64xf32, valid=?x64>)
  test.use %b : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}`},
		{"a buffer that is written twice is told each time", `func.func @f(%c: i1, %a: !pto.tile<16x64xf32, valid=?x64>, %s: f32) {
  %r = scf.if %c -> (!pto.tile<16x64xf32, valid=?x64>) {
    %b = pto.tadds %a, %s : (!pto.tile<16x64xf32, valid=?x64>, f32) -> !pto.tile<16x64xf32, valid=?x64>
    scf.yield %b : !pto.tile<16x64xf32, valid=?x64>
  } else {
    scf.yield %a : !pto.tile<16x64xf32, valid=?x64>
  }
  %d = pto.tadds %r, %s : (!pto.tile<16x64xf32, valid=?x64>, f32) -> !pto.tile<16x64xf32, valid=?x64>
  test.use %d : !pto.tile<16x64xf32, valid=?x64>
  return
}`, `func.func @f(%c: i1, %a: !pto.tile_buf<vec, 16x64xf32, valid=?x64>, %s: f32) {
  %0 = arith.constant 16 : index
  %1 = arith.constant 64 : index
  %r = pto.alloc_tile valid_row = %0 valid_col = %1 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  scf.if %c {
    %2 = pto.tile_valid_rows %a : !pto.tile_buf<vec, 16x64xf32, valid=?x64> -> index
    %3 = arith.constant 64 : index
    pto.set_validshape %r, %2, %3 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
    pto.tadds ins(%a, %s : !pto.tile_buf<vec, 16x64xf32, valid=?x64>, f32) outs(%r : !pto.tile_buf<vec, 16x64xf32, valid=?x?>)
  } else {
    %2 = pto.tile_valid_rows %a : !pto.tile_buf<vec, 16x64xf32, valid=?x64> -> index
    %3 = arith.constant 64 : index
    pto.set_validshape %r, %2, %3 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x64xf32, valid=?x64>) outs(%r : !pto.tile_buf<vec, 16x64xf32, valid=?x?>)
  }
  %4 = pto.tile_valid_rows %r : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  %d = pto.alloc_tile valid_row = %4 : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  pto.tadds ins(%r, %s : !pto.tile_buf<vec, 16x64xf32, valid=?x?>, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32, valid=?x64>)
  test.use %d : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  return
}`},
	})
}

func TestBufferizeAccumulators(t *testing.T) {
	const acc, left, right = "!pto.tile<16x16xf32, loc=acc, blayout=col_major, slayout=row_major>", "!pto.tile<16x16xf16, loc=left, blayout=col_major, slayout=row_major>", "!pto.tile<16x16xf16, loc=right, slayout=col_major>"
	text := func(s string) string {
		return strings.NewReplacer("ACC", acc, "LEFT", left, "RIGHT", right).Replace(s)
	}
	got := passtest.Run(t, registry, "builtin.module(pto-bufferize)", text(`func.func @f(%l: LEFT, %r: RIGHT, %n: index) {
  %a = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  %b = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (ACC) {
    %y = pto.tmatmul.acc %x, %l, %r : (ACC, LEFT, RIGHT) -> ACC
    scf.yield %y : ACC
  }
  test.use %b : ACC
  return
}`))
	if strings.Count(got, "alloc_tile") != 1 || strings.Contains(got, "tmov") {
		t.Errorf("one accumulator would do:\n%s", got)
	}
	passtest.Wants(t, passtest.Fail(t, registry, "builtin.module(pto-bufferize)", text(`func.func @f(%c: i1, %l: LEFT, %r: RIGHT) {
  %a = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  %b = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  %d = arith.select %c, %a, %b : ACC
  test.use %d : ACC
  test.use %a : ACC
  return
}`)), "passes a tile that must be copied, but on a3 no instruction copies a tile of type !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major> here")
}

func TestBufferizeRemarks(t *testing.T) {
	m := passtest.Parse(t, `func.func @f(%s: f32, %p: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %a = pto.texpands %s : f32 -> !pto.tile<16x64xf32>
  %b = pto.tadds %a, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  test.use %b : !pto.tile<16x64xf32>
  return %p : !pto.tile<16x64xf32>
}`)
	var diags ir.Diags
	var stats passes.Statistics
	p := passtest.Pipeline(t, registry, "builtin.module(pto-bufferize{reuse=true remarks=true})")
	if !p.Run(m, passes.RunOptions{Diags: &diags, Statistics: &stats}) {
		t.Fatal(passtest.Messages(&diags))
	}
	passtest.Wants(t, passtest.Messages(&diags),
		"test:3:8: remark: 'pto.tadds' op writes its result into the buffer of operand #0, which no later instruction reads\n",
		"test:5:3: remark: 'func.return' op copies a tile of type !pto.tile_buf<vec, 16x64xf32>\n")
	var out strings.Builder
	stats.Report(&out, p, true)
	passtest.Wants(t, out.String(), "(S) 3 num-tiles ", "(S) 1 num-buffers ", "(S) 1 num-copies ", "(S) 1 num-reused ")
}
