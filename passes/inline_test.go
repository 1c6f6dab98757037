package passes_test

import "testing"

func TestInline(t *testing.T) {
	check(t, "builtin.module(inline)", []transform{
		{"a body of one block", `func.func private @g(%a: i32) -> (i32, i32) {
  %b = arith.addi %a, %a : i32
  return %b, %a : i32, i32
}
func.func @f(%x: i32) -> i32 {
  %r:2 = call @g(%x) : (i32) -> (i32, i32)
  %s:2 = call @g(%r#0) : (i32) -> (i32, i32)
  %y = arith.muli %s#0, %s#1 : i32
  return %y : i32
}`, `func.func @f(%x: i32) -> i32 {
  %b = arith.addi %x, %x : i32
  %b_0 = arith.addi %b, %b : i32
  %y = arith.muli %b_0, %b : i32
  return %y : i32
}`},
		{"a body with jumps", `func.func private @g(%a: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^x, ^y
^x:
  return %a : i32
^y:
  %b = arith.muli %a, %a : i32
  return %b : i32
}
func.func @f(%x: i32, %c: i1) -> i32 {
  %d = call @g(%x, %c) : (i32, i1) -> i32
  %e = arith.addi %d, %x : i32
  return %e : i32
}`, `func.func @f(%x: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%x : i32)
^bb2:
  %b = arith.muli %x, %x : i32
  cf.br ^bb3(%b : i32)
^bb3(%d: i32):
  %e = arith.addi %d, %x : i32
  return %e : i32
}`},
		{"callees first; what is public, declared, recursive or marked stays", `func.func private @leaf(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func private @middle(%a: i32) -> i32 {
  %b = call @leaf(%a) : (i32) -> i32
  return %b : i32
}
func.func private @recursive(%a: i32) -> i32 {
  %b = call @recursive(%a) : (i32) -> i32
  return %b : i32
}
func.func private @declared(i32) -> i32
func.func private @marked(%a: i32) -> i32 attributes {no_inline} {
  return %a : i32
}
func.func @f(%x: i32) -> i32 {
  %1 = call @middle(%x) : (i32) -> i32
  %2 = call @recursive(%1) : (i32) -> i32
  %3 = call @declared(%2) : (i32) -> i32
  %4 = call @marked(%3) : (i32) -> i32
  return %4 : i32
}`, `func.func private @recursive(%a: i32) -> i32 {
  %b = call @recursive(%a) : (i32) -> i32
  return %b : i32
}
func.func private @declared(i32) -> i32
func.func private @marked(%a: i32) -> i32 attributes {no_inline} {
  return %a : i32
}
func.func @f(%x: i32) -> i32 {
  %b = arith.addi %x, %x : i32
  %0 = call @recursive(%b) : (i32) -> i32
  %1 = call @declared(%0) : (i32) -> i32
  %2 = call @marked(%1) : (i32) -> i32
  return %2 : i32
}`},
		{"no jumps inside a loop", `func.func private @g(%c: i1) {
  cf.cond_br %c, ^x, ^y
^x:
  cf.br ^y
^y:
  return
}
func.func @f(%c: i1, %n: index) {
  scf.for %i = %n to %n step %n {
    func.call @g(%c) : (i1) -> ()
  }
  return
}`, `func.func private @g(%c: i1) {
  cf.cond_br %c, ^x, ^y
^x:
  cf.br ^y
^y:
  return
}
func.func @f(%c: i1, %n: index) {
  scf.for %i = %n to %n step %n {
    func.call @g(%c) : (i1) -> ()
  }
  return
}`},
		{"not between profiles", `module attributes {pto.target_arch = "a5"} {
module attributes {pto.target_arch = "a3"} {
func.func @g() {
  return
}
}
func.func @g() {
  return
}
func.func @f() {
  call @g() : () -> ()
  return
}
}`, `module attributes {pto.target_arch = "a5"} {
module attributes {pto.target_arch = "a3"} {
func.func @g() {
  return
}
}
func.func @g() {
  return
}
func.func @f() {
  return
}
}`},
	})
}

func TestSymbolDCE(t *testing.T) {
	check(t, "builtin.module(symbol-dce)", []transform{
		{"what a public function reaches stays", `func.func private @unused()
func.func private @cycle1() {
  call @cycle2() : () -> ()
  return
}
func.func private @cycle2() {
  call @cycle1() : () -> ()
  return
}
func.func private @used()
func.func private @between() {
  call @used() : () -> ()
  return
}
func.func @f() attributes {also = [@kept]} {
  call @between() : () -> ()
  return
}
func.func private @kept()`, `func.func private @used()
func.func private @between() {
  call @used() : () -> ()
  return
}
func.func @f() attributes {also = [@kept]} {
  call @between() : () -> ()
  return
}
func.func private @kept()`},
		{"tables inside", `module {
module @inner {
func.func private @unused()
func.func private @named()
func.func @public() {
  return
}
}
func.func @f() attributes {uses = @inner::@named} {
  return
}
}`, `module {
module @inner {
func.func private @named()
func.func @public() {
  return
}
}
func.func @f() attributes {uses = @inner::@named} {
  return
}
}`},
	})
}

func TestLICM(t *testing.T) {
	check(t, "builtin.module(loop-invariant-code-motion)", []transform{
		{"out of two loops", `func.func private @g(i32, index)
func.func @f(%n: index, %x: i32) {
  scf.for %i = %n to %n step %n {
    scf.for %k = %n to %n step %n {
      %a = arith.addi %x, %x : i32
      %b = arith.muli %a, %a : i32
      %c = arith.addi %i, %i : index
      func.call @g(%b, %c) : (i32, index) -> ()
    }
  }
  return
}`, `func.func private @g(i32, index)
func.func @f(%n: index, %x: i32) {
  %a = arith.addi %x, %x : i32
  %b = arith.muli %a, %a : i32
  scf.for %i = %n to %n step %n {
    %c = arith.addi %i, %i : index
    scf.for %k = %n to %n step %n {
      func.call @g(%b, %c) : (i32, index) -> ()
    }
  }
  return
}`},
		{"what may fail only from where it is certain to run", `func.func private @g(i32)
func.func @f(%n: index, %x: i32, %c: i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %a = arith.divsi %x, %x : i32
    func.call @g(%a) : (i32) -> ()
  }
  scf.for %i = %0 to %1 step %1 {
    %a = arith.divsi %x, %x : i32
    func.call @g(%a) : (i32) -> ()
  }
  scf.while : () -> () {
    %a = arith.divsi %x, %x : i32
    func.call @g(%a) : (i32) -> ()
    scf.condition(%c)
  } do {
    %b = arith.remsi %x, %x : i32
    func.call @g(%b) : (i32) -> ()
    scf.yield
  }
  return
}`, `func.func private @g(i32)
func.func @f(%n: index, %x: i32, %c: i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %a = arith.divsi %x, %x : i32
    func.call @g(%a) : (i32) -> ()
  }
  %a = arith.divsi %x, %x : i32
  scf.for %i = %0 to %1 step %1 {
    func.call @g(%a) : (i32) -> ()
  }
  %a_0 = arith.divsi %x, %x : i32
  scf.while : () -> () {
    func.call @g(%a_0) : (i32) -> ()
    scf.condition(%c)
  } do {
    %b = arith.remsi %x, %x : i32
    func.call @g(%b) : (i32) -> ()
    scf.yield
  }
  return
}`},
		{"tiles at level 1, not at level 2", `func.func private @g(!pto.tile<16x64xf32>)
func.func @f(%n: index, %s: f32, %d: !pto.tile_buf<vec, 16x64xf32>) {
  scf.for %i = %n to %n step %n {
    %t = pto.texpands %s : f32 -> !pto.tile<16x64xf32>
    pto.texpands ins(%s : f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
    func.call @g(%t) : (!pto.tile<16x64xf32>) -> ()
  }
  return
}`, `func.func private @g(!pto.tile<16x64xf32>)
func.func @f(%n: index, %s: f32, %d: !pto.tile_buf<vec, 16x64xf32>) {
  %t = pto.texpands %s : f32 -> !pto.tile<16x64xf32>
  scf.for %i = %n to %n step %n {
    pto.texpands ins(%s : f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
    func.call @g(%t) : (!pto.tile<16x64xf32>) -> ()
  }
  return
}`},
	})
}
