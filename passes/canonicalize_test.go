package passes_test

import (
	"testing"

	"ptogo/passes"
	"ptogo/passes/passtest"
)

var registry = passes.NewRegistry(passes.Table{Passes: passes.List, Order: passes.Rules})

type transform struct{ name, in, want string }

func check(t *testing.T, pipeline string, cases []transform) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { passtest.Check(t, registry, pipeline, c.in, c.want) })
	}
}

func TestCanonicalize(t *testing.T) {
	check(t, "builtin.module(canonicalize)", []transform{
		{"constants fold", `func.func @f() -> i32 {
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}`, `func.func @f() -> i32 {
  %c = arith.constant 7 : i32
  return %c : i32
}`},
		{"equal constants become one, at the front", `func.func @f(%x: i32) -> i32 {
  %a = arith.constant 3 : i32
  %y = arith.muli %x, %a : i32
  %b = arith.constant 3 : i32
  %z = arith.xori %y, %b : i32
  return %z : i32
}`, `func.func @f(%x: i32) -> i32 {
  %a = arith.constant 3 : i32
  %y = arith.muli %x, %a : i32
  %z = arith.xori %y, %a : i32
  return %z : i32
}`},
		{"constants of commutative operations go to the right", `func.func @f(%x: i32) -> i32 {
  %a = arith.constant 3 : i32
  %y = arith.muli %a, %x : i32
  return %y : i32
}`, `func.func @f(%x: i32) -> i32 {
  %a = arith.constant 3 : i32
  %y = arith.muli %x, %a : i32
  return %y : i32
}`},
		{"a dead chain goes, an effect stays", `func.func private @g(i32)
func.func @f(%x: i32) {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %a, %x : i32
  call @g(%x) : (i32) -> ()
  return
}`, `func.func private @g(i32)
func.func @f(%x: i32) {
  call @g(%x) : (i32) -> ()
  return
}`},
		{"dead tile instructions go at level 1, stay at level 2", `func.func @f(%t: !pto.tile<16x64xf32>, %s: f32, %d: !pto.tile_buf<vec, 16x64xf32>) {
  %0 = pto.tadds %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tadds ins(%d, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
  return
}`, `func.func @f(%t: !pto.tile<16x64xf32>, %s: f32, %d: !pto.tile_buf<vec, 16x64xf32>) {
  pto.tadds ins(%d, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
  return
}`},
		{"an if on a constant", `func.func @f(%x: i32) -> i32 {
  %c = arith.constant false
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}`, `func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}`},
		{"an if without effects", `func.func @f(%x: i32, %c: i1) {
  scf.if %c {
    %y = arith.addi %x, %x : i32
  }
  return
}`, `func.func @f(%x: i32, %c: i1) {
  return
}`},
		{"a loop that never runs", `func.func @f(%x: i32) -> i32 {
  %0 = arith.constant 4 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %1 step %1 iter_args(%a = %x) -> (i32) {
    %y = arith.addi %a, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}`, `func.func @f(%x: i32) -> i32 {
  return %x : i32
}`},
		{"a loop that runs once", `func.func @f(%x: i32) -> i32 {
  %0 = arith.constant 4 : index
  %1 = arith.constant 7 : index
  %2 = arith.constant 3 : index
  %r = scf.for %i = %0 to %1 step %2 iter_args(%a = %x) -> (i32) {
    %y = arith.addi %a, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}`, `func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}`},
		{"a loop stops carrying what does not change", `func.func private @g(i32)
func.func @f(%x: i32, %y: i32, %n: index) -> i32 {
  %r:3 = scf.for %i = %n to %n step %n iter_args(%a = %x, %b = %y, %c = %x) -> (i32, i32, i32) {
    %z = arith.addi %a, %b : i32
    call @g(%z) : (i32) -> ()
    scf.yield %a, %z, %c : i32, i32, i32
  }
  %m = arith.constant 9 : index
  %k = scf.for %i = %n to %m step %n iter_args(%a = %x) -> (i32) {
    call @g(%a) : (i32) -> ()
    scf.yield %a : i32
  }
  return %k : i32
}`, `func.func private @g(i32)
func.func @f(%x: i32, %y: i32, %n: index) -> i32 {
  %m = arith.constant 9 : index
  scf.for %i = %n to %m step %n {
    call @g(%x) : (i32) -> ()
  }
  return %x : i32
}`},
		{"a jump on a constant, and blocks that follow each other", `func.func @f(%x: i32) -> i32 {
  %c = arith.constant true
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%p: i32):
  %y = arith.addi %p, %x : i32
  cf.br ^c(%y : i32)
^b:
  cf.br ^c(%x : i32)
^c(%r: i32):
  return %r : i32
}`, `func.func @f(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}`},
		{"block arguments that only feed each other", `func.func private @g(i32)
func.func @f(%x: i32, %c: i1) {
  cf.br ^a(%x, %x : i32, i32)
^a(%p: i32, %q: i32):
  %y = arith.addi %p, %x : i32
  call @g(%q) : (i32) -> ()
  cf.cond_br %c, ^a(%y, %q : i32, i32), ^b
^b:
  return
}`, `func.func private @g(i32)
func.func @f(%x: i32, %c: i1) {
  cf.br ^bb1(%x : i32)
^bb1(%q: i32):
  call @g(%q) : (i32) -> ()
  cf.cond_br %c, ^bb1(%q : i32), ^bb2
^bb2:
  return
}`},
		{"a switch passes less", `func.func @f(%x: i32, %c: i32) {
  cf.switch %c : i32, [
    default: ^a(%x : i32),
    1: ^b(%x, %x : i32, i32),
    2: ^a(%c : i32)
  ]
^a(%p: i32):
  cf.br ^b(%p, %p : i32, i32)
^b(%q: i32, %r: i32):
  cf.br ^a(%q : i32)
}`, `func.func @f(%x: i32, %c: i32) {
  cf.switch %c : i32, [
    default: ^bb1,
    1: ^bb2,
    2: ^bb1
  ]
^bb1:
  cf.br ^bb2
^bb2:
  cf.br ^bb1
}`},
	})
}
