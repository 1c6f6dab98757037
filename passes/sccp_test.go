package passes_test

import "testing"

func TestSCCP(t *testing.T) {
	check(t, "builtin.module(sccp)", []transform{
		{"through a condition that is constant", `func.func @f(%x: i32) -> i32 {
  %t = arith.constant true
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  cf.cond_br %t, ^l(%a : i32), ^r(%x : i32)
^l(%p: i32):
  %c = arith.addi %p, %b : i32
  cf.br ^e(%c : i32)
^r(%q: i32):
  cf.br ^e(%q : i32)
^e(%z: i32):
  return %z : i32
}`, `func.func @f(%x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %t = arith.constant true
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  cf.cond_br %t, ^l(%a : i32), ^r(%x : i32)
^l(%p: i32):
  cf.br ^e(%c : i32)
^r(%q: i32):
  cf.br ^e(%q : i32)
^e(%z: i32):
  return %c : i32
}`},
		{"a loop that never changes what it carries", `func.func @f(%n: index, %c: i1) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %r:2 = scf.for %i = %n to %n step %n iter_args(%p = %a, %q = %a) -> (i32, i32) {
    %s = arith.addi %p, %a : i32
    %t = arith.subi %s, %a : i32
    %u = arith.addi %q, %b : i32
    scf.yield %t, %u : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}`, `func.func @f(%n: index, %c: i1) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %r:2 = scf.for %i = %n to %n step %n iter_args(%p = %a, %q = %a) -> (i32, i32) {
    %u = arith.addi %q, %b : i32
    scf.yield %a, %u : i32, i32
  }
  return %a, %r#1 : i32, i32
}`},
		{"regions that give the same, regions that never run", `func.func @f(%x: i32, %c: i1) -> (i32, i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %no = arith.constant false
  %r:2 = scf.if %c -> (i32, i32) {
    scf.yield %a, %a : i32, i32
  } else {
    %d = arith.subi %b, %a : i32
    scf.yield %d, %b : i32, i32
  }
  %s = scf.if %no -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %b : i32
  }
  return %r#0, %r#1, %s : i32, i32, i32
}`, `func.func @f(%x: i32, %c: i1) -> (i32, i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %no = arith.constant false
  %r:2 = scf.if %c -> (i32, i32) {
    scf.yield %a, %a : i32, i32
  } else {
    scf.yield %a, %b : i32, i32
  }
  return %a, %r#1, %b : i32, i32, i32
}`},
		{"calls and parameters vary", `func.func private @g(i32) -> i32
func.func @f(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = call @g(%a) : (i32) -> i32
  %c = arith.muli %b, %a : i32
  %d = arith.addi %c, %x : i32
  return %d : i32
}`, `func.func private @g(i32) -> i32
func.func @f(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = call @g(%a) : (i32) -> i32
  %c = arith.muli %b, %a : i32
  %d = arith.addi %c, %x : i32
  return %d : i32
}`},
		{"while: what the condition passes on", `func.func @f(%c: i1) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %r:2 = scf.while (%p = %a) : (i32) -> (i32, i32) {
    %s = arith.addi %a, %a : i32
    scf.condition(%c) %p, %s : i32, i32
  } do {
  ^bb0(%q: i32, %s: i32):
    scf.yield %q : i32
  }
  return %r#0, %r#1 : i32, i32
}`, `func.func @f(%c: i1) -> (i32, i32) {
  %r = arith.constant 2 : i32
  %a = arith.constant 1 : i32
  %r_0:2 = scf.while (%p = %a) : (i32) -> (i32, i32) {
    scf.condition(%c) %a, %r : i32, i32
  } do {
  ^bb0(%q: i32, %s: i32):
    scf.yield %a : i32
  }
  return %a, %r : i32, i32
}`},
	})
}
