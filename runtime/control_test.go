package runtime

import "testing"

// TestControl runs programs that compute one word from another.
func TestControl(t *testing.T) {
	for _, c := range []struct {
		name, body string
		in, want   int32
	}{
		{"carried values swap", `
    %a, %b = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %x, %q = %zero) -> (i32, i32) {
      scf.yield %q, %p : i32, i32
    }
    %r = arith.addi %a, %b : i32
    %s = arith.subi %b, %a : i32
    %y = arith.muli %r, %s : i32`, 3, 9},
		{"a loop that never turns", `
    %y = scf.for %i = %c5 to %c0 step %c1 iter_args(%p = %x) -> (i32) {
      scf.yield %zero : i32
    }`, 7, 7},
		{"a counter of 32 bits that ends at the largest number", `
    %max = arith.constant 2147483647 : i32
    %from = arith.constant 2147483640 : i32
    %by = arith.constant 5 : i32
    %y = scf.for %i = %from to %max step %by iter_args(%p = %x) -> (i32) : i32 {
      %n = arith.addi %p, %one : i32
      scf.yield %n : i32
    }`, 0, 2},
		{"negative counters", `
    %from = arith.constant -3 : i32
    %y = scf.for %i = %from to %one step %one iter_args(%p = %x) -> (i32) : i32 {
      %n = arith.addi %p, %i : i32
      scf.yield %n : i32
    }`, 0, -6},
		{"if with results", `
    %small = arith.cmpi slt, %x, %ten : i32
    %y = scf.if %small -> (i32) {
      scf.yield %ten : i32
    } else {
      scf.yield %x : i32
    }`, 12, 12},
		{"while", `
    %y = scf.while (%p = %x) : (i32) -> i32 {
      %more = arith.cmpi slt, %p, %ten : i32
      scf.condition(%more) %p : i32
    } do {
    ^bb0(%q: i32):
      %n = arith.addi %q, %q : i32
      scf.yield %n : i32
    }`, 3, 12},
		{"index_switch", `
    %i = arith.index_cast %x : i32 to index
    %y = scf.index_switch %i -> i32
    case 2 { scf.yield %ten : i32 }
    case -5 { scf.yield %one : i32 }
    default { scf.yield %zero : i32 }`, -5, 1},
		{"execute_region with a loop of blocks", `
    %y = scf.execute_region -> i32 {
      cf.br ^head(%x : i32)
    ^head(%p: i32):
      %more = arith.cmpi slt, %p, %ten : i32
      cf.cond_br %more, ^body(%p : i32), ^end
    ^body(%q: i32):
      %n = arith.addi %q, %q : i32
      cf.br ^head(%n : i32)
    ^end:
      scf.yield %p : i32
    }`, 3, 12},
		{"a recursive call", `
    %y = func.call @fib(%x) : (i32) -> i32`, 10, 55},
		{"a switch of blocks", `
    %y = func.call @pick(%x) : (i32) -> i32`, 1, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `
func.func private @fib(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %low = arith.cmpi sle, %n, %one : i32
  cf.cond_br %low, ^done, ^more
^done:
  return %n : i32
^more:
  %a = arith.subi %n, %one : i32
  %b = arith.subi %n, %two : i32
  %x = func.call @fib(%a) : (i32) -> i32
  %y = func.call @fib(%b) : (i32) -> i32
  %s = arith.addi %x, %y : i32
  return %s : i32
}
func.func private @pick(%n: i32) -> i32 {
  %ten = arith.constant 10 : i32
  %two = arith.constant 2 : i32
  cf.switch %n : i32, [
    default: ^other(%two : i32),
    1: ^other(%ten : i32)
  ]
^other(%r: i32):
  return %r : i32
}
func.func @k(%in: !pto.ptr<i32>, %out: !pto.ptr<i32>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ten = arith.constant 10 : i32
    %x = pto.load_scalar %in[%c0] : !pto.ptr<i32> -> i32` + c.body + `
    pto.store_scalar %y, %out[%c0] : !pto.ptr<i32>, i32
    return
}`
			out := words(0)
			mustRun(t, text, ptr(words(c.in)), ptr(out))
			if got := wordAt(out, 0); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// TestDeepCalls checks that endless recursion is a fault.
func TestDeepCalls(t *testing.T) {
	f := faultOf(t, `
func.func private @f() {
  func.call @f() : () -> ()
  return
}
func.func @k() attributes {pto.kernel} {
  func.call @f() : () -> ()
  return
}`)
	if f.Text != "exceeds the limit of 256 nested function calls" {
		t.Error(f)
	}
}

// TestDeadBranch checks that a branch which is never taken may hold what
// cannot be executed.
func TestDeadBranch(t *testing.T) {
	mustRun(t, `
func.func private @unknown()
func.func @k() attributes {pto.kernel} {
  %no = arith.constant false
  scf.if %no {
    func.call @unknown() : () -> ()
  }
  return
}`)
}
