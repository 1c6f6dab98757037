package isa_test

import (
	"slices"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// lanes is a function with vmi values at hand, under names that say their
// type: %f and %g have 64 lanes of f32, %h of f16, %i of i32, %s of si32; %m and
// %n are masks of 64 lanes, %k of 32.
func lanes(body string) string {
	return `func.func @f(%p: !pto.ptr<f32, ub>, %far: !pto.ptr<f32>, %o: index, %b: i16, %x: f32, %y: i32,
	%f: !pto.vmi.vreg<64xf32>, %g: !pto.vmi.vreg<64xf32>, %h: !pto.vmi.vreg<64xf16>, %i: !pto.vmi.vreg<64xi32>, %s: !pto.vmi.vreg<64xsi32>,
	%m: !pto.vmi.mask<64xpred>, %n: !pto.vmi.mask<64xb32>, %k: !pto.vmi.mask<32xpred>) {
	` + body + "\nreturn\n}"
}

const (
	f32x64 = "!pto.vmi.vreg<64xf32>"
	f16x64 = "!pto.vmi.vreg<64xf16>"
	i32x64 = "!pto.vmi.vreg<64xi32>"
	s32x64 = "!pto.vmi.vreg<64xsi32>"
	pred64 = "!pto.vmi.mask<64xpred>"
	ptrF32 = "!pto.ptr<f32, ub>"
)

func TestVMITypes(t *testing.T) {
	arg := func(typ string) string { return "func.func private @f(" + typ + ")" }
	checkVerify(t, sem.A5, []verifyCase{
		{"no lanes", arg("!pto.vmi.vreg<0xf32>"), "one positive number of lanes"},
		{"two dimensions", arg("!pto.vmi.vreg<4x4xf32>"), "one positive number of lanes"},
		{"open number of lanes", arg("!pto.vmi.vreg<?xf32>"), "one positive number of lanes"},
		{"wide lanes", arg("!pto.vmi.vreg<64xi64>"), "8, 16 or 32 bits, but are of type i64"},
		{"narrow lanes", arg("!pto.vmi.vreg<64xi1>"), "8, 16 or 32 bits, but are of type i1"},
		{"pairs", arg("!pto.vmi.vreg<64x!pto.bf16x2>"), ""},
		{"mask of unknown width", arg("!pto.vmi.mask<64xb64>"), "expected one of pred, b8, b16, b32"},
		{"mask without a width", arg("!pto.vmi.mask<64>"), ""},
		{"pred with a layout", arg("!pto.vmi.mask<64xpred, #pto.vmi.layout<contiguous>>"), "a mask of pred must not have a layout, because the width of its lanes is not known yet"},
		{"another attribute", arg("!pto.vmi.vreg<64xf32, 4>"), "expected a #pto.vmi.layout"},
		{"three parts", arg("!pto.vmi.vreg<64xf32, #pto.vmi.layout<deinterleaved = 3>>"), "must have 2 or 4 parts"},
		{"blocks with a stride", arg("!pto.vmi.vreg<64xf32, #pto.vmi.layout<block_deinterleaved = 2, lane_stride = 2>>"), "must not have parameters other than its number of parts"},
		{"no stride", arg("!pto.vmi.vreg<64xf32, #pto.vmi.layout<contiguous, lane_stride = 0>>"), "positive lane_stride"},
		{"slots", arg("!pto.vmi.vreg<8xf32, #pto.vmi.layout<num_groups = 8, slots = -1>>"), "positive number of slots"},
		{"groups and lanes", arg("!pto.vmi.vreg<16xf32, #pto.vmi.layout<num_groups = 8, slots = 8>>"), "one lane per group, but there are 16"},
	})
}

func TestVMILanes(t *testing.T) {
	vv := " : " + f32x64 + ", " + f32x64 + " -> " + f32x64
	checkVerify(t, sem.A5, []verifyCase{
		{"no mask", lanes("%r = pto.vmi.vadd %f, %g" + vv), ""},
		{"mask of fitting width", lanes("%r = pto.vmi.vadd %f, %g, %n : " + f32x64 + ", " + f32x64 + ", !pto.vmi.mask<64xb32> -> " + f32x64), ""},
		{"mask of other width", lanes("%r = pto.vmi.vneg %h, %n : " + f16x64 + ", !pto.vmi.mask<64xb32> -> " + f16x64), "must be !pto.vmi.mask<64xpred> or !pto.vmi.mask<64xb16>"},
		{"mask of other lanes", lanes("%r = pto.vmi.vneg %f, %k : " + f32x64 + ", !pto.vmi.mask<32xpred> -> " + f32x64), "must be !pto.vmi.mask<64xpred>"},
		{"two masks", lanes("%r = pto.vmi.vneg %f, %m, %m : " + f32x64 + ", " + pred64 + ", " + pred64 + " -> " + f32x64), "has 3 operands here"},
		{"other lanes", lanes("%r = pto.vmi.vadd %f, %i : " + f32x64 + ", " + i32x64 + " -> " + f32x64), `of the type of "lhs"`},
		{"predication", lanes(`%r = pto.vmi.vneg %f, %m {pmode = "keep"} : ` + f32x64 + ", " + pred64 + " -> " + f32x64), `one of "zero", "merge"`},
		{"absolute value of signless lanes", lanes("%r = pto.vmi.vabs %i : " + i32x64 + " -> " + i32x64), "of si8, si16, si32, f16, bf16 or f32"},
		{"absolute value of signed lanes", lanes("%r = pto.vmi.vabs %s : " + s32x64 + " -> " + s32x64), ""},
		{"masks are bits", lanes("%r = pto.vmi.vand %m, %m : " + pred64 + ", " + pred64 + " -> " + pred64), ""},
		{"masked masks", lanes("%r = pto.vmi.vnot %m, %m : " + pred64 + ", " + pred64 + " -> " + pred64), `masks are always combined in full, so operand "mask" is not allowed`},
		{"relation of floats", lanes(`%r = pto.vmi.vcmp %f, %g, %m {cmp = "olt"} : ` + f32x64 + ", " + f32x64 + ", " + pred64 + " -> " + pred64), ""},
		{"relation of integers", lanes(`%r = pto.vmi.vcmps %i, %y, %m {cmp = "olt"} : ` + i32x64 + ", i32, " + pred64 + " -> " + pred64), "must be eq, ne, lt, le, gt or ge, but is olt"},
		{"scalar of another type", lanes("%r = pto.vmi.vadds %f, %y, %m : " + f32x64 + ", i32, " + pred64 + " -> " + f32x64), "must be f32"},
		{"wide product of few lanes", lanes("%v = pto.vmi.vbrc %y : i32 -> !pto.vmi.vreg<32xi32>\n%l, %u = pto.vmi.vmull %v, %v, %k : !pto.vmi.vreg<32xi32>, !pto.vmi.vreg<32xi32>, !pto.vmi.mask<32xpred> -> !pto.vmi.vreg<32xi32>, !pto.vmi.vreg<32xi32>"), "must have 64, 128 or 256 lanes, but has 32"},
		{"lane beyond the last", lanes("%r = pto.vmi.shuffle %f[[0, 64]] : " + f32x64 + " -> !pto.vmi.vreg<2xf32>"), "must name one of the 64 lanes"},
	})
}

func TestVMIGroups(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{
		{"sum", lanes("%r = pto.vmi.vcadd %f, %m {reassoc} : " + f32x64 + ", " + pred64 + " -> !pto.vmi.vreg<1xf32>"), ""},
		{"sum in order", lanes("%r = pto.vmi.vcadd %f, %m : " + f32x64 + ", " + pred64 + " -> !pto.vmi.vreg<1xf32>"), `requires the attribute "reassoc"`},
		{"sum of integers", lanes("%r = pto.vmi.vcadd %i, %m : " + i32x64 + ", " + pred64 + " -> !pto.vmi.vreg<1xi32>"), ""},
		{"too many results", lanes("%r = pto.vmi.vcmax %f, %m : " + f32x64 + ", " + pred64 + " -> !pto.vmi.vreg<8xf32>"), "must be !pto.vmi.vreg<1xf32>"},
		{"groups", lanes("%r = pto.vmi.vcmax %f, %m {group = 8} : " + f32x64 + ", " + pred64 + " -> !pto.vmi.vreg<8xf32>"), ""},
		{"uneven groups", lanes("%r = pto.vmi.vcmax %f, %m {group = 6} : " + f32x64 + ", " + pred64 + " -> !pto.vmi.vreg<6xf32>"), "must divide the 64 lanes"},
		{"no groups", lanes("%r = pto.vmi.vci %y {group = 0} : i32 -> " + i32x64), "must be at least 1, but is 0"},
		{"groups across registers", lanes("%r = pto.vmi.vci %y {group = 2} : i32 -> !pto.vmi.vreg<96xi32>"), "parts or multiples of the 64 lanes"},
		{"scalar for groups", lanes("%r = pto.vmi.vbrc %x {group = 1} : f32 -> " + f32x64), "one lane per group"},
		{"mask of groups", lanes("%r = pto.vmi.create_group_mask %o {num_groups = 3, group_size = 16} : index -> " + pred64), "3 groups of 16 lanes must make up the 64 lanes"},
		{"pattern", lanes(`%r = pto.vmi.pge "PAT_VLx" : ` + pred64), "PAT_VL followed by a positive number"},
		{"long pattern", lanes(`%r = pto.vmi.pge "PAT_VL65" : ` + pred64), `selects 65 lanes, but "result" has 64`},
	})
}

func TestVMIConversions(t *testing.T) {
	convert := func(from, to, attrs string) string {
		return "func.func @f(%a: !pto.vmi.vreg<64x" + from + ">) {\n%r = pto.vmi.vcvt %a " + attrs +
			" : !pto.vmi.vreg<64x" + from + "> -> !pto.vmi.vreg<64x" + to + ">\nreturn\n}"
	}
	const sat = `{saturate = "SAT"}`
	checkVerify(t, sem.A5, []verifyCase{
		{"widen floats", convert("f16", "f32", ""), ""},
		{"widen with rounding", convert("f16", "f32", `{rounding = "R"}`), `must not have the attribute "rounding"`},
		{"narrow floats", convert("f32", "f16", sat), ""},
		{"narrow without saturate", convert("f32", "f16", ""), `requires the attribute "saturate"`},
		{"narrow down", convert("f32", "f16", `{rounding = "F", saturate = "SAT"}`), "must be one of R, A, H, Z"},
		{"same width", convert("bf16", "f16", sat), ""},
		{"same width back", convert("f16", "bf16", sat), "no conversion from f16 to bf16"},
		{"to signed", convert("f32", "si32", sat), ""},
		{"to signless", convert("f32", "i32", sat), "no conversion from f32 to i32"},
		{"to wider signed", convert("f16", "si32", ""), ""},
		{"to bytes", convert("f16", "ui8", sat), ""},
		{"to signless bytes", convert("f16", "i8", sat), ""},
		{"from signed", convert("si32", "f32", ""), ""},
		{"from signless", convert("i32", "f32", ""), "no conversion from i32 to f32"},
		{"widen integers", convert("ui8", "i16", ""), ""},
		{"same integers", convert("i16", "ui16", ""), "no conversion from i16 to ui16"},
		{"narrow to signed bytes", convert("si32", "si8", sat), "must be NOSAT"},
		{"narrow to bytes", convert("ui32", "ui8", sat), ""},
		{"pairs", convert("!pto.bf16x2", "!pto.f4E1M2x2", `{rounding = "F"}`), ""},
		{"pairs half up", convert("!pto.bf16x2", "!pto.f4E1M2x2", `{rounding = "H"}`), "must be one of R, A, F, C, Z"},
		{"saturated pairs", convert("!pto.bf16x2", "!pto.f4E1M2x2", sat), `must not have the attribute "saturate"`},
		{"pairs of one", convert("!pto.f4E1M2x2", "bf16", ""), "no conversion"},
		{"truncf saturates", lanes("%r = pto.vmi.truncf %f : " + f32x64 + " -> " + f16x64), ""},
		{"extf narrows", lanes("%r = pto.vmi.extf %f : " + f32x64 + " -> " + f16x64), "must be wider"},
		{"bits", lanes("%r = pto.vmi.vinterpret_cast %f : " + f32x64 + " -> " + f16x64), "equally many bits"},
	})
}

func TestVMIMemory(t *testing.T) {
	load := func(s string) string { return lanes("%r = pto.vmi.vload " + s + " -> " + f32x64) }
	store := func(s string) string { return lanes("pto.vmi.vstore " + s) }
	value := " : " + f32x64 + ", " + ptrF32
	checkVerify(t, sem.A5, []verifyCase{
		{"load", load("%p[%o] : " + ptrF32), ""},
		{"load from gm", load("%far[%o] : !pto.ptr<f32>"), "in ub"},
		{"load groups", load("%p[%o], %o {group = 8} : " + ptrF32 + ", index"), ""},
		{"load groups without a stride", load("%p[%o] {group = 8} : " + ptrF32), `"group" and operand "stride" together`},
		{"load with a stride alone", load("%p[%o], %o : " + ptrF32), `"group" and operand "stride" together`},
		{"load blocks", load("%p[%o], %b, %b : " + ptrF32), ""},
		{"load blocks in a mode", load(`%p[%o], %b, %b {dist_mode = "brc"} : ` + ptrF32), "must not have a block stride together"},
		{"load groups in a mode", load(`%p[%o], %o {group = 8, dist_mode = "continuous"} : ` + ptrF32), `both attributes "group" and "dist_mode"`},
		{"load one of two", load(`%p[%o] {dist_mode = "dintlv"} : ` + ptrF32), "must have two results, but has 1"},
		{"load another type", lanes("%r = pto.vmi.vload %p[%o] : " + ptrF32 + " -> " + f16x64), `"source" must point to f16`},
		{"load and widen", lanes(`%r = pto.vmi.vload %p[%o] {dist_mode = "unpack"} : ` + ptrF32 + " -> " + f16x64), "must be wider"},
		{"store", store("%f, %p[%o], %m" + value + ", " + pred64), ""},
		{"store unmasked", store("%f, %p[%o]" + value), ""},
		{"store masked groups", store("%f, %p[%o], %o, %m {group = 8}" + value + ", " + pred64), `must not have a mask with attribute "group"`},
		{"store blocks", store("%f, %p[%o], %b, %b, %m" + value + ", " + pred64), ""},
		{"load from nowhere", load("[%o] : " + ptrF32), "expects one pointer before the offset"},
		{"load from two places", load("%p, %p[%o] : " + ptrF32), "expects one pointer before the offset"},
		{"store nothing", store("%p[%o] : " + ptrF32), "must have one value, but has 0"},
		{"store too few types", store("%f, %p[%o] : " + f32x64), "needs those of the 2 operands"},
		{"store alternating", store(`%f, %h, %p[%o] {dist_mode = "dintlv"} : ` + f32x64 + ", " + f16x64 + ", " + ptrF32), "both values must have the same type"},
		{"store and merge", store(`%f, %p[%o], %m {pmode = "merge"}` + value + ", " + pred64), `"pmode" must be one of "zero"`},
		{"gather by signed offsets", lanes("%r = pto.vmi.vgather %p, %s, %m : " + ptrF32 + ", " + s32x64 + ", " + pred64 + " -> " + f32x64), "must be a !pto.vmi.vreg of i16"},
	})
}

func TestVMIParts(t *testing.T) {
	contiguous := pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 1}
	strided := pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 4}
	dealt := pto.VMILayout{Kind: pto.LayoutDeinterleaved, Factor: 2, LaneStride: 1}
	blocks := pto.VMILayout{Kind: pto.LayoutBlockDeinterleaved, Factor: 2, LaneStride: 1}
	slots := pto.VMILayout{Kind: pto.LayoutGroupSlots, Factor: 10, Slots: 8, LaneStride: 1}
	f32 := func(n int64, l pto.VMILayout) ir.Type {
		return ir.TypeOf(pto.VMIVReg{Lanes: n, Elem: ir.F32, Layout: l})
	}
	for _, c := range []struct {
		name   string
		typ    ir.Type
		parts  int64
		lane   int64
		reg, n int64 // where it lies
	}{
		{"contiguous", f32(100, contiguous), 2, 70, 1, 6},
		{"strided", f32(100, strided), 7, 17, 1, 4},
		{"dealt", f32(128, dealt), 2, 5, 1, 2},
		{"dealt in chunks", f32(256, dealt), 4, 255, 3, 63},
		{"dealt with a rest", f32(130, dealt), 4, 128, 1, 0},
		{"blocks", f32(128, blocks), 2, 9, 1, 1},
		{"blocks with a rest", f32(20, blocks), 2, 16, 0, 8},
		{"slots", f32(10, slots), 2, 9, 1, 1},
		{"mask", ir.TypeOf(pto.VMIMask{Lanes: 300, Bits: 8, Layout: contiguous}), 2, 256, 1, 0},
		{"strided mask", ir.TypeOf(pto.VMIMask{Lanes: 100, Bits: 8, Layout: strided}), 2, 64, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, ok := lanemap.Registers(c.typ); !ok || n != c.parts {
				t.Errorf("%s is held in %d registers (%t), want %d", c.typ, n, ok, c.parts)
			}
			reg, n, ok := lanemap.Place(c.typ, c.lane)
			if !ok || reg != c.reg || n != c.n {
				t.Errorf("lane %d of %s is lane %d of register %d (%t), want %d of %d", c.lane, c.typ, n, reg, ok, c.n, c.reg)
			}
		})
	}
}

// TestVMIPlaces checks that no two lanes of a value share a place, and that
// all places are in its registers.
func TestVMIPlaces(t *testing.T) {
	for _, l := range []pto.VMILayout{
		{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 1}, {Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 2},
		{Kind: pto.LayoutDeinterleaved, Factor: 2, LaneStride: 1}, {Kind: pto.LayoutDeinterleaved, Factor: 4, LaneStride: 2},
		{Kind: pto.LayoutBlockDeinterleaved, Factor: 2, LaneStride: 1}, {Kind: pto.LayoutBlockDeinterleaved, Factor: 4, LaneStride: 1},
	} {
		for _, lanes := range []int64{1, 7, 64, 65, 100, 256, 1000} {
			typ := ir.TypeOf(pto.VMIVReg{Lanes: lanes, Elem: ir.F16, Layout: l})
			parts, _ := lanemap.Registers(typ)
			var places []int64
			for i := range lanes {
				reg, lane, ok := lanemap.Place(typ, i)
				if !ok || reg >= parts || lane >= 128 {
					t.Fatalf("lane %d of %s lies in lane %d of register %d of %d", i, typ, lane, reg, parts)
				}
				places = append(places, reg*128+lane)
			}
			slices.Sort(places)
			if len(slices.Compact(places)) != int(lanes) {
				t.Errorf("lanes of %s share places", typ)
			}
		}
	}
}

func TestVMIWays(t *testing.T) {
	for text, want := range map[string]sem.Way{
		"%r = pto.vmi.vload %p[%o] : " + ptrF32 + " -> " + f32x64:                                             sem.WayContinuous,
		"%r = pto.vmi.vload %p[%o], %o {group = 8} : " + ptrF32 + " -> " + f32x64:                             sem.WayGrouped,
		`%r = pto.vmi.vload %p[%o], %o {group = 8, dist_mode = "brc"} : ` + ptrF32 + " -> " + f32x64:          sem.WayGroupElement,
		`%r = pto.vmi.vload %p[%o] {dist_mode = "brc"} : ` + ptrF32 + " -> " + f32x64:                         sem.WayEverywhere,
		`%r, %q = pto.vmi.vload %p[%o] {dist_mode = "dintlv"} : ` + ptrF32 + " -> " + f32x64 + ", " + f32x64:  sem.WayAlternating,
		"pto.vmi.vstore %f, %p[%o], %b, %b : " + f32x64 + ", " + ptrF32:                                       sem.WayBlocks,
		"pto.vmi.compress_store %f, %p[%o], %m : " + f32x64 + ", " + ptrF32 + ", " + pred64:                   sem.WayPacked,
		"%r = pto.vmi.group_load %p[%o], %o {num_groups = 8 : i64} : " + ptrF32 + " -> !pto.vmi.vreg<64xf32>": sem.WayGrouped,
	} {
		var diags ir.Diags
		module, _ := ir.Parse(&ir.Source{Name: "case", Text: lanes(text)}, ir.ParseOptions{}, &diags)
		if module == nil {
			t.Fatalf("%s\n%s", text, diags.All()[0].Format())
		}
		for op := range module.Walk() {
			switch op.Def().Sem.(type) {
			case sem.LaneLoad, sem.LaneStore:
				if got := sem.WayOf(op); got != want {
					t.Errorf("%s\nmaps lanes in way %d, want %d", text, got, want)
				}
			}
		}
	}
}
