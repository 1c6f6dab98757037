package lower_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"ptogo/dialect/arith"
	"ptogo/passes/passtest"
)

// addresses plans a program and returns where its allocations lie, by name.
func addresses(t *testing.T, options, text string) map[string]int64 {
	t.Helper()
	m := passtest.Parse(t, text)
	passtest.Apply(t, registry, "builtin.module(pto-plan-memory"+options+")", m)
	at := map[string]int64{}
	for op := range m.Walk() {
		if base, ok := op.Attr("base").AsInt(); ok {
			at[op.Result(0).Name()] = base
		} else if addr := op.Arg("addr"); addr != nil && op.NumResults() == 1 {
			at[op.Result(0).Name()], _ = arith.ConstantInt(addr)
		}
	}
	return at
}

// short spells out the tile types of test programs: T is 16x64xf32 in vec,
// which needs 4096 bytes.
func short(text string) string {
	return strings.NewReplacer(
		"T2", "!pto.multi_tile_buf<vec, 16x64xf32, count=2>",
		"T", "!pto.tile_buf<vec, 16x64xf32>",
		"HALF", "!pto.tile_buf<vec, 8x64xf32>",
		"MAP", "test.map", "MIX", "test.mix", "ALLOC", "pto.alloc_tile", "USE", "test.use",
	).Replace(text)
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		name, options, text string
		want                map[string]int64
	}{
		{"one after the other", "", `func.func @main() {
  %a = ALLOC : T
  test.make outs(%a : T) {number = 1 : i64}
  USE %a : T
  %b = ALLOC : T
  test.make outs(%b : T) {number = 2 : i64}
  USE %b : T
  return
}`, map[string]int64{"a": 0, "b": 0}},
		{"source and result of one instruction", "", `func.func @main() {
  %a = ALLOC : T
  %b = ALLOC : T
  test.make outs(%a : T) {number = 1 : i64}
  MAP ins(%a, %a : T, T) outs(%b : T)
  USE %b : T
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"in place", "{in-place=true}", `func.func @main(%p: T) {
  %a = ALLOC : T
  %b = ALLOC : T
  %c = ALLOC : T
  test.make outs(%a : T) {number = 1 : i64}
  MAP ins(%a, %p : T, T) outs(%b : T)
  MIX ins(%b, %p : T, T) outs(%c : T)
  USE %c : T
  return
}`, map[string]int64{"a": 0, "b": 0, "c": 4096}},
		{"needed in the next iteration", "", `func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %a = ALLOC : T
  test.make outs(%a : T) {number = 1 : i64}
  scf.for %i = %c0 to %n step %n {
    USE %a : T
    %b = ALLOC : T
    test.make outs(%b : T) {number = 2 : i64}
    USE %b : T
  }
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"written anew in each iteration", "", `func.func @main(%p: T, %n: index) {
  %c0 = arith.constant 0 : index
  %a = ALLOC : T
  %b = ALLOC : T
  scf.for %i = %c0 to %n step %n {
    MAP ins(%p, %p : T, T) outs(%a : T)
    USE %a : T
    MAP ins(%p, %p : T, T) outs(%b : T)
    USE %b : T
  }
  return
}`, map[string]int64{"a": 0, "b": 0}},
		{"a part written does not free the rest", "", `func.func @main(%p: T, %n: index) {
  %c0 = arith.constant 0 : index
  %a = ALLOC : T
  %b = ALLOC : T
  scf.for %i = %c0 to %n step %n {
    %h = pto.subview %a[%c0, %c0] sizes [8, 64] : T -> HALF
    MAP ins(%h, %h : HALF, HALF) outs(%h : HALF)
    USE %a : T
    MAP ins(%p, %p : T, T) outs(%b : T)
    USE %b : T
  }
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"carried around the loop", "", `func.func @main(%p: T, %n: index) {
  %c0 = arith.constant 0 : index
  %a = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%a : T)
  %r = scf.for %i = %c0 to %n step %n iter_args(%x = %a) -> (T) {
    USE %x : T
    %b = ALLOC : T
    MAP ins(%p, %p : T, T) outs(%b : T)
    %c = ALLOC : T
    MAP ins(%p, %p : T, T) outs(%c : T)
    USE %c : T
    scf.yield %b : T
  }
  USE %r : T
  return
}`, map[string]int64{"a": 0, "b": 4096, "c": 8192}},
		{"two ways", "", `func.func @main(%p: T, %c: i1) {
  %r = scf.if %c -> (T) {
    %a = ALLOC : T
    MAP ins(%p, %p : T, T) outs(%a : T)
    scf.yield %a : T
  } else {
    %b = ALLOC : T
    MAP ins(%p, %p : T, T) outs(%b : T)
    scf.yield %b : T
  }
  USE %r : T
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"a view keeps the whole", "", `func.func @main(%p: T) {
  %a = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%a : T)
  %r = pto.treshape %a : T -> !pto.tile_buf<vec, 32x32xf32>
  %b = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%b : T)
  USE %b : T
  USE %r : !pto.tile_buf<vec, 32x32xf32>
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"slots", "", `func.func @main(%p: T, %n: index) {
  %a = pto.alloc_multi_tile : T2
  %b = ALLOC : T
  %s = pto.multi_tile_get %a[%n] : T2 -> T
  MAP ins(%p, %p : T, T) outs(%s : T)
  MAP ins(%p, %p : T, T) outs(%b : T)
  MAP ins(%p, %p : T, T) outs(%s : T)
  USE %b : T
  return
}`, map[string]int64{"a": 0, "b": 8192}},
		{"addresses of the program", "", `func.func @main(%p: T) {
  %c4096 = arith.constant 4096 : i64
  %a = ALLOC : T
  %f = ALLOC addr = %c4096 : T
  %b = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%a : T)
  MAP ins(%p, %p : T, T) outs(%b : T)
  USE %a : T
  return
}`, map[string]int64{"a": 0, "f": 4096, "b": 8192}},
		{"behind the caller", "", `func.func @f(%p: T) {
  %b = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%b : T)
  USE %b : T
  return
}
func.func @main(%p: T) {
  %a = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%a : T)
  call @f(%a) : (T) -> ()
  return
}`, map[string]int64{"a": 0, "b": 4096}},
		{"queues", "", `func.func @main(%p: T) {
  %q = pto.reserve_buffer {name = "fifo", size = 1000, location = #pto.address_space<vec>, auto = true} -> i32
  %a = ALLOC : T
  MAP ins(%p, %p : T, T) outs(%a : T)
  return
}`, map[string]int64{"q": 0, "a": 1024}},
		{"cube", "", `func.func @main() {
  %a = ALLOC : !pto.tile_buf<left, 16x16xf16>
  %b = ALLOC : !pto.tile_buf<left, 16x16xf16>
  %c = ALLOC : !pto.tile_buf<mat, 16x16xf16>
  USE %a : !pto.tile_buf<left, 16x16xf16>
  USE %c : !pto.tile_buf<mat, 16x16xf16>
  USE %b : !pto.tile_buf<left, 16x16xf16>
  USE %a : !pto.tile_buf<left, 16x16xf16>
  return
}`, map[string]int64{"a": 0, "b": 4096, "c": 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := addresses(t, test.options, short(test.text)); !maps.Equal(got, test.want) {
				t.Errorf("addresses are %v, want %v", got, test.want)
			}
		})
	}
}

// TestPlanErrors asks for the messages of what cannot be planned.
func TestPlanErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"too much", `func.func @main() {
  %a = ALLOC : !pto.tile_buf<vec, 400x64xf32>
  %b = ALLOC : !pto.tile_buf<vec, 500x64xf32>
  MIX ins(%a, %a : !pto.tile_buf<vec, 400x64xf32>, !pto.tile_buf<vec, 400x64xf32>) outs(%b : !pto.tile_buf<vec, 500x64xf32>)
  return
}`, []string{"the 2 tiles in use at the same time need 230400 bytes, but vec has 188416 bytes on a3", "test:3:8: error", "note: %b needs 128000 bytes", "note: %a needs 102400 bytes"}},
		{"the system's part of vec", `module attributes {pto.target_arch = "a5"} {
  func.func @main() {
    %a = ALLOC : !pto.tile_buf<vec, 1000x64xf32>
    USE %a : !pto.tile_buf<vec, 1000x64xf32>
    return
  }
}`, []string{"the tile needs 256000 bytes, but vec has 245760 bytes on a5"}},
		{"a tile that nobody uses", `func.func @main() {
  %a = ALLOC : !pto.tile_buf<vec, 65536x64xf32>
  return
}`, []string{"the tile needs 16777216 bytes, but vec has 188416 bytes on a3", "the planner does not use the last 8192 of 196608 bytes, because devices are reported to corrupt them; whole-vec=true uses them"}},
		{"an address nobody knows", `func.func @main(%x: i64) {
  %f = ALLOC addr = %x : T
  %a = ALLOC : T
  USE %a : T
  return
}`, []string{"another tile in vec has an address that is only known at run time", "give both tiles an address, or neither"}},
		{"recursion", `func.func @main() {
  call @main() : () -> ()
  return
}`, []string{"is recursive"}},
		{"a tile that outlives its function", `func.func @f() -> T {
  %a = ALLOC : T
  return %a : T
}
func.func @main() {
  %a = call @f() : () -> T
  return
}`, []string{"returns operand #0 to the caller, but its memory is only valid inside the function", "allocated here"}},
		{"tiles of one instruction that share bytes", `module attributes {pto.target_arch = "a5"} {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %a0 = arith.constant 0 : i64
    %a2048 = arith.constant 2048 : i64
    %a18432 = arith.constant 18432 : i64
    %whole = ALLOC addr = %a0 : !pto.tile_buf<vec, 64x64xui8>
    %dst = pto.subview %whole[%c0, %c0] sizes [64, 32] : !pto.tile_buf<vec, 64x64xui8> -> !pto.tile_buf<vec, 64x32xui8>
    %src = ALLOC addr = %a2048 : !pto.tile_buf<vec, 64x64xf32, valid=64x32>
    %exp = ALLOC addr = %a18432 : !pto.tile_buf<vec, 2x64xui8, valid=2x32>
    %max = ALLOC : !pto.tile_buf<vec, 2x64xf32, valid=2x32>
    %scl = ALLOC : !pto.tile_buf<vec, 2x64xf32, valid=2x32>
    pto.tquant.mx ins(%src : !pto.tile_buf<vec, 64x64xf32, valid=64x32>)
      outs(%dst, %exp, %max, %scl : !pto.tile_buf<vec, 64x32xui8>, !pto.tile_buf<vec, 2x64xui8, valid=2x32>, !pto.tile_buf<vec, 2x64xf32, valid=2x32>, !pto.tile_buf<vec, 2x64xf32, valid=2x32>)
      {quant_type = #pto<quant_type MXFP8>, grpAxis = #pto<mx_group_axis axis0>}
    return
  }
}`, []string{"uses \"src\" and \"dst\" at the same time, but they share bytes", "note: \"src\" occupies bytes 2048 to 18431", "note: \"dst\" occupies bytes 0 to 4063"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := passtest.Fail(t, registry, "builtin.module(pto-plan-memory)", short(test.text))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("messages are\n%s\nwant %q", got, want)
				}
			}
		})
	}
}

// TestPlanFits plans tiles of many sizes whose lives overlap, and checks that
// no two needed at once share a byte.
func TestPlanFits(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @main() {\n")
	const n, life = 300, 6
	rows := func(i int) int { return 1 + i*7%40 }
	use := func(i int) {
		fmt.Fprintf(&b, "test.use %%t%d : !pto.tile_buf<vec, %dx64xf32>\n", i, rows(i))
	}
	for i := range n {
		fmt.Fprintf(&b, "%%t%d = pto.alloc_tile : !pto.tile_buf<vec, %dx64xf32>\n", i, rows(i))
		use(i)
		if i >= life {
			use(i - life)
		}
	}
	b.WriteString("return\n}\n")
	for _, options := range []string{"", "{order-by-size=true}"} {
		at := addresses(t, options, b.String())
		for i := range n - life { // those after are used once
			for k := max(0, i-life); k < i; k++ {
				a, c := at[fmt.Sprintf("t%d", i)], at[fmt.Sprintf("t%d", k)]
				if a < c+int64(rows(k)*256) && c < a+int64(rows(i)*256) {
					t.Fatalf("%s: tile %d at %d and tile %d at %d overlap", options, i, a, k, c)
				}
			}
		}
	}
}
