package runtime

import (
	"strings"
	"testing"
)

// vmiKernel is a kernel on two vectors %a and %b of 64 words, which it reads
// from %p and %q, with the vector %y for the output. %l is a mask of the first
// eight lanes, %ua to %uc are the memories of the three.
func vmiKernel(body string) string {
	return strings.ReplaceAll(`
func.func @k(%p: !pto.ptr<i32, gm>, %q: !pto.ptr<i32, gm>, %r: !pto.ptr<i32, gm>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %x512 = arith.constant 512 : i64
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %w7 = arith.constant 7 : i32
  %ua = pto.castptr %zero : i64 -> !pto.ptr<i32, ub>
  %ub = pto.castptr %n : i64 -> !pto.ptr<i32, ub>
  %uc = pto.castptr %x512 : i64 -> !pto.ptr<i32, ub>
  pto.mte_gm_ub %p, %ua, %zero, %n nburst(%one, %n, %n) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  pto.mte_gm_ub %q, %ub, %zero, %n nburst(%one, %n, %n) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %a = pto.vmi.vload %ua[%c0] : !pto.ptr<i32, ub> -> @V
    %b = pto.vmi.vload %ub[%c0] : !pto.ptr<i32, ub> -> @V
    %l = pto.vmi.create_mask %c8 : index -> @M
`+body+`
    pto.vmi.vstore %y, %uc[%c0] : @V, !pto.ptr<i32, ub>
  }
  pto.mte_ub_gm %uc, %r, %n nburst(%one, %n, %n) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64
  return
}`, "@V", "!pto.vmi.vreg<64xi32>")
}

// TestLanesOfAnyNumber checks single instructions on the words i and 100-i.
func TestLanesOfAnyNumber(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i int32) int32
	}{
		{"zero where not selected", `
    %y = pto.vmi.vadd %a, %b, %l : @V, @V, @M -> @V`,
			func(i int32) int32 { return pick(i < 8, 100, 0) }},
		{"kept where not selected", `
    %y = pto.vmi.vsub %b, %a, %l {pmode = "merge"} : @V, @V, @M -> @V`,
			func(i int32) int32 { return pick(i < 8, 100-2*i, 100-i) }},
		{"signless lanes have no sign", `
    %d = pto.vmi.vsub %a, %b : @V, @V -> @V
    %y = pto.vmi.vmax %d, %b : @V, @V -> @V`,
			func(i int32) int32 { return pick(i < 50, 2*i-100, max(2*i-100, 100-i)) }},
		{"a comparison and a choice", `
    %m = pto.vmi.vcmp %a, %b, %l {cmp = "lt"} : @V, @V, @M -> @M
    %k = pto.vmi.mask_not %m : @M -> @M
    %y = pto.vmi.vsel %k, %a, %b : @M, @V, @V -> @V`,
			func(i int32) int32 { return pick(i < 8, 100-i, i) }},
		{"sums of groups", `
    %k = pto.vmi.mask_or %l, %l : @M, @M -> @M
    %all = pto.vmi.pset "PAT_ALL" : @M
    %s = pto.vmi.vcadd %a, %all {group = 8 : i64} : @V, @M -> !pto.vmi.vreg<8xi32>
    %y = pto.vmi.vbrc %s {group = 8 : i64} : !pto.vmi.vreg<8xi32> -> @V`,
			func(i int32) int32 { return i/8*64 + 28 }},
		{"counting down in groups", `
    %y = pto.vmi.vci %w7 {order = "DESC", group = 8 : i64} : i32 -> @V`,
			func(i int32) int32 { return 7 - i%8 }},
		{"groups of neighbours, a stride apart", `
    %y = pto.vmi.vload %ua[%c8], %c0 {group = 8 : i64} : !pto.ptr<i32, ub> -> @V`,
			func(i int32) int32 { return 8 + i%8 }},
		{"selected lanes to the front and back", `
    %o = pto.vmi.pge "PAT_VL4" {group = 8 : i64} : @M
    pto.vmi.compress_store %a, %uc[%c0], %o : @V, !pto.ptr<i32, ub>, @M
    %y = pto.vmi.expand_load %uc[%c0], %o, %b : !pto.ptr<i32, ub>, @M, @V -> @V`,
			func(i int32) int32 { return pick(i%8 < 4, i, 100-i) }},
		{"lanes that alternate in memory", `
    %e, %f = pto.vmi.vload %ua[%c0] {dist_mode = "dintlv"} : !pto.ptr<i32, ub> -> @V, @V
    %all = pto.vmi.pset "PAT_ALL" : @M
    %y, %z = pto.vmi.vintlv %e, %f, %all : @V, @V, @M -> @V, @V`,
			func(i int32) int32 { return i }},
		{"channels", `
    %e, %f = "pto.vmi.channel_split"(%a) : (@V) -> (!pto.vmi.vreg<32xi32>, !pto.vmi.vreg<32xi32>)
    %y = "pto.vmi.channel_merge"(%f, %e) : (!pto.vmi.vreg<32xi32>, !pto.vmi.vreg<32xi32>) -> @V`,
			func(i int32) int32 { return i ^ 1 }},
		{"numbers of selected lanes", `
    %y = pto.vmi.active_prefix_index %l : @M -> @V`,
			func(i int32) int32 { return min(i, 8) }},
		{"lanes by their numbers", `
    %y = pto.vmi.vselr %a, %b : @V, @V -> @V`,
			func(i int32) int32 { return (100 - i) % 64 }},
		{"a constant", `
    %y = "pto.vmi.constant"() <{value = dense<5> : vector<64xi32>}> : () -> @V`,
			func(int32) int32 { return 5 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, q, r := words(make([]int32, 64)...), words(make([]int32, 64)...), words(make([]int32, 64)...)
			for i := range 64 {
				p.Data[4*i], q.Data[4*i] = byte(i), byte(100-i)
			}
			mustRun(t, strings.ReplaceAll(vmiKernel(c.body), "@M", "!pto.vmi.mask<64xpred>"), ptr(p), ptr(q), ptr(r))
			for i := range int32(64) {
				if got := wordAt(r, int(i)); got != c.want(i) {
					t.Fatalf("lane %d is %d, want %d", i, got, c.want(i))
				}
			}
		})
	}
}

func pick(cond bool, yes, no int32) int32 {
	if cond {
		return yes
	}
	return no
}

// TestLanesInRegisters takes a vector apart and puts it together again.
func TestLanesInRegisters(t *testing.T) {
	const dealt = "!pto.vmi.vreg<64xi32, #pto.vmi.layout<deinterleaved = 2>>"
	text := strings.ReplaceAll(vmiKernel(`
    %d = pto.vmi.ensure_layout %c : !pto.vmi.vreg<64xi32, #pto.vmi.layout<contiguous>> -> @D
    %e, %f = "pto.vmi.unpack"(%d) : (@D) -> (!pto.vreg<64xi32>, !pto.vreg<64xi32>)
    %g = "pto.vmi.pack"(%f, %e) : (!pto.vreg<64xi32>, !pto.vreg<64xi32>) -> @D
    %h = pto.vmi.ensure_layout %g : @D -> !pto.vmi.vreg<64xi32, #pto.vmi.layout<contiguous>>`), "@D", dealt)
	text = strings.NewReplacer(
		"%a = pto.vmi.vload %ua[%c0] : !pto.ptr<i32, ub> -> !pto.vmi.vreg<64xi32>",
		"%c = pto.vmi.vload %ua[%c0] : !pto.ptr<i32, ub> -> !pto.vmi.vreg<64xi32, #pto.vmi.layout<contiguous>>",
		"vstore %y, %uc[%c0] : !pto.vmi.vreg<64xi32>", "vstore %h, %uc[%c0] : !pto.vmi.vreg<64xi32, #pto.vmi.layout<contiguous>>",
		"@M", "!pto.vmi.mask<64xpred>").Replace(text)
	p, q, r := words(make([]int32, 64)...), words(make([]int32, 64)...), words(make([]int32, 64)...)
	for i := range 64 {
		p.Data[4*i] = byte(i)
	}
	mustRun(t, text, ptr(p), ptr(q), ptr(r))
	for i := range 64 {
		if got := wordAt(r, i); got != int32(i^1) {
			t.Fatalf("lane %d is %d, want %d", i, got, i^1)
		}
	}
}
