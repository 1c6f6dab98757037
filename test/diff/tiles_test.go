package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// onTiles returns a kernel whose body executes instructions on tiles. Each entry of all
// describes one tile and its data.
func onTiles(name, body string, all ...*data) pair {
	return pair{name: name, text: tileKernel("  "+body, all...), data: all}
}

// TestTileKernels compares both engines on tile instructions that the random programs do
// not contain.
func TestTileKernels(t *testing.T) {
	s := &data{name: "s", elem: "f32", shape: [2]int{8, 64}, number: normal, valid: "7x60"}
	o := &data{name: "o", elem: "f32", shape: [2]int{8, 64}, number: normal, valid: "7x60"}
	d := &data{name: "d", elem: "f32", shape: [2]int{8, 64}, valid: "5x60"}
	all := []pair{
		onTiles("pair sums", "pto.tpairreducesum ins(%s : T(s)) outs(%d : T(d))", s, &data{name: "d", elem: "f32", shape: [2]int{8, 64}, valid: "7x60"}),
		onTiles("relu and convert", "pto.taddreluconv ins(%s, %s : T(s), T(s)) outs(%d : T(d))", s, &data{name: "d", elem: "f16", shape: [2]int{8, 64}, valid: "7x60"}),
		onTiles("difference, relu and convert", "pto.tsubreluconv ins(%s, %o : T(s), T(o)) outs(%d : T(d))", s, o, &data{name: "d", elem: "f16", shape: [2]int{8, 64}, valid: "7x60"}),
		onTiles("fill behind bits of another type", "pto.tfillpad ins(%s : T(s)) outs(%d : T(d))", s, &data{name: "d", elem: "i32", shape: [2]int{8, 64}, keys: ", pad=2"}),
	}
	all = append(all, paddedLoads()...)
	all = append(all, gathers(s, d)...)
	all = append(all, tables()...)
	all = append(all, generators()...)
	all = append(all, quantizations()...)
	all = append(all, slots()...)
	all = append(all, reorders()...)
	checkPairs(t, all)
}

// paddedLoads returns kernels whose loads add padding elements before and after each row.
func paddedLoads() []pair {
	var all []pair
	for _, how := range []string{
		"pad_mode = #pto.padmode<PadFirstElem> left_padding_num = %c2 : index right_padding_num = %n : index",
		"pad_mode = #pto.padmode<PadFirstElem> left_padding_num = %n : index",
		"pad_mode = #pto.padmode<PadValue> pad_value = %nine : f32 left_padding_num = %c2 : index init_out_buffer = true right_padding_num = %c1 : index",
		"pad_mode = #pto.padmode<PadValue> pad_value = %nine : f32 init_out_buffer = true init_condition = %no : i1",
		"left_padding_num = %c2 : index right_padding_num = %far : index",
		"left_padding_num = %six : index right_padding_num = %two : index", // beside 8 columns, of 15
	} {
		m := &data{name: "m", elem: "f32", shape: [2]int{8, 8}, number: normal}
		d := &data{name: "d", elem: "f32", shape: [2]int{8, 16}, number: normal, valid: "7x15"}
		k := &data{name: "k", elem: "i32", shape: [2]int{1, 8}, number: below(6)}
		body := `%c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c15 = arith.constant 15 : index
  %no = arith.constant false
  %nine = arith.constant 9.0 : f32
  %n32 = pto.load_scalar %k_ptr[%c0] : !pto.ptr<i32> -> i32
  %n = arith.index_cast %n32 : i32 to index
  %far = arith.subi %n, %c15 : index
  %none = arith.muli %n, %c0 : index
  %two = arith.addi %none, %c2 : index
  %six = arith.muli %c3, %two : index
  pto.tload ins(%m_gm : V(m)) outs(%d : T(d)) ` + how
		p := onTiles("load "+how, body, m, d, k)
		p.faults = strings.Contains(how, "%far") || strings.Contains(how, "%six")
		all = append(all, p)
	}
	return all
}

// gathers returns kernels that move elements within vec memory by index. s is the source
// and d the destination.
func gathers(s, d *data) []pair {
	var all []pair
	x := &data{name: "x", elem: "i32", shape: [2]int{8, 64}, number: below(512), valid: "5x60"}
	o := &data{name: "o", elem: "ui32", shape: [2]int{8, 8}, number: func(r *rand.Rand, _ int) float64 { return float64(r.IntN(56) * 32) }}
	outOfPlace := onTiles("gather out of place", "pto.tgather ins(%s, %x : T(s), T(x)) outs(%d : T(d))", s,
		&data{name: "x", elem: "i32", shape: [2]int{8, 64}, number: below(520), valid: "5x60"}, d)
	outOfPlace.faults = true
	all = append(all, outOfPlace,
		onTiles("gather by index", "pto.tgather ins(%s, %x : T(s), T(x)) outs(%d : T(d))", s, x, d),
		onTiles("gather blocks", "pto.tgatherb ins(%s, %o : T(s), T(o)) outs(%d : T(d))", s, o, d),
	)
	dense := &data{name: "s", elem: "f16", shape: [2]int{4, 64}, number: normal}
	for _, p := range []string{"P0101", "P1010", "P0001", "P1000", "P1111"} {
		cols := map[string]int{"P0101": 32, "P1010": 32, "P1111": 64}[p]
		if cols == 0 {
			cols = 16
		}
		few := &data{name: "d", elem: "f16", shape: [2]int{4, cols}}
		all = append(all, onTiles("gather "+p, "pto.tgather ins(%s, {maskPattern = #pto.mask_pattern<"+p+">} : T(s)) outs(%d : T(d))", dense, few))
		from := &data{name: "d", elem: "f16", shape: [2]int{4, cols}, number: normal}
		to := &data{name: "s", elem: "f16", shape: [2]int{4, 64}, number: normal}
		all = append(all, onTiles("scatter "+p, "pto.tscatter ins(%d, {maskPattern = #pto.mask_pattern<"+p+">} : T(d), \"row\") outs(%s : T(s))", from, to))
	}
	down := &data{name: "d", elem: "f16", shape: [2]int{8, 64}, number: normal}
	all = append(all, onTiles("scatter down", "pto.tscatter ins(%s, {maskPattern = #pto.mask_pattern<P1010>} : T(s), \"col\") outs(%d : T(d))", dense, down))
	for _, cmp := range []string{"eq", "gt"} {
		from := &data{name: "s", elem: "f32", shape: [2]int{4, 64}, number: below(9), valid: "3x50"}
		found, n := &data{name: "d", elem: "i32", shape: [2]int{4, 64}}, &data{name: "n", elem: "i32", shape: [2]int{1, 8}}
		tmp := &data{name: "tmp", elem: "i8", shape: [2]int{8, 64}}
		all = append(all, onTiles("search "+cmp, "%k = arith.constant 5.0 : f32\n  pto.tgather ins(%s, %k, %tmp : T(s), f32, T(tmp)) outs(%d, %n : T(d), T(n)) {cmpMode = #pto.cmp<"+cmp+">, offset = 7 : i32}",
			from, found, n, tmp))
	}
	return all
}

// tables returns kernels that read and write global memory by index, with every treatment
// of indices out of range.
func tables() []pair {
	var all []pair
	for _, oob := range []string{"undefined", "clamp", "wrap", "zero", "skip"} {
		for _, by := range []string{"elem", "row"} {
			m := &data{name: "m", elem: "f32", shape: [2]int{16, 8}, number: normal}
			d := &data{name: "d", elem: "f32", shape: [2]int{4, 8}, number: normal}
			x := &data{name: "x", elem: "i32", shape: [2]int{4, 8}, number: between(-20, 150)}
			if by == "row" {
				x = &data{name: "x", elem: "i32", shape: [2]int{1, 8}, number: between(-3, 20), valid: "1x4"}
			}
			if oob == "undefined" {
				x.number = below(16)
			}
			if oob != "skip" {
				all = append(all, onTiles("table gather "+by+" "+oob,
					fmt.Sprintf("pto.mgather ins(%%m_gm, %%x : V(m), T(x)) outs(%%d : T(d)) {coalesce = #pto<coalesce %s>, gatherOob = #pto<gather_oob %s>}", by, oob), m, x, d))
			}
			if oob == "zero" {
				continue
			}
			for _, atomic := range []string{"none", "add", "max"} {
				if by == "row" && atomic == "max" {
					continue
				}
				all = append(all, onTiles("table scatter "+by+" "+oob+" "+atomic,
					fmt.Sprintf("pto.mscatter ins(%%d, %%x : T(d), T(x)) outs(%%w_gm : V(w)) {coalesce = #pto<coalesce %s>, scatterAtomicOp = #pto<scatter_atomic_op %s>, scatterOob = #pto<scatter_oob %s>}\n"+
						"  pto.tload ins(%%w_gm : V(w)) outs(%%w : T(w))", by, atomic, oob), &data{name: "w", elem: "f32", shape: [2]int{16, 8}, number: normal}, x, d))
			}
		}
	}
	return all
}

// generators returns kernels whose instructions create numbers without tile operands:
// consecutive numbers, random numbers and triangles.
func generators() []pair {
	var all []pair
	for i, shape := range [][2]int{{3, 64}, {2, 320}, {4, 512}} {
		d := &data{name: "d", elem: "i32", shape: shape, valid: []string{"3x61", "2x317", "4x512"}[i]}
		k := &data{name: "k", elem: "i32", shape: [2]int{1, 8}, number: between(math.MinInt32, math.MaxInt32)}
		all = append(all, onTiles(fmt.Sprintf("random %s", d.valid), fmt.Sprintf(`%%one = arith.constant -1 : i32
  %%k0 = pto.load_scalar %%k_ptr[%%c0] : !pto.ptr<i32> -> i32
  %%k1 = pto.load_scalar %%k_ptr[%%c1] : !pto.ptr<i32> -> i32
  pto.trandom ins(%%k0, %%k1, %%one, %%one, %%k1, %%k0 : i32, i32, i32, i32, i32, i32) outs(%%d : T(d)) {rounds = %d : i32}`, 7+i%2*3), d, k))
	}
	for n := range 2 {
		s := &data{name: "s", elem: "ui16", shape: [2]int{32, 128}, number: below(1 << 10), valid: "32x100"}
		x := &data{name: "x", elem: "ui8", shape: [2]int{32, 1}, keys: ", blayout=col_major", number: below(4)}
		d := &data{name: "d", elem: "ui32", shape: [2]int{32, 256}}
		all = append(all, onTiles(fmt.Sprintf("histogram of byte %d", n),
			fmt.Sprintf("pto.thistogram ins(%%s, %%x : T(s), T(x)) outs(%%d : T(d)) {byte = %d : i32}", n), s, x, d))
	}
	return all
}

// mixed returns numbers of very different magnitudes, among them infinities and NaNs.
func mixed(r *rand.Rand, i int) float64 {
	switch r.IntN(200) {
	case 0:
		return math.Inf(1)
	case 1:
		return math.NaN()
	}
	return math.Ldexp(r.NormFloat64(), r.IntN(20)-10+i/32%7*20-60)
}

// quantizations returns kernels that quantize groups of elements with a shared exponent.
func quantizations() []pair {
	var all []pair
	for _, alg := range []string{"ocp", "nv"} {
		for _, elem := range []string{"f32", "bf16"} {
			s := &data{name: "s", elem: elem, shape: [2]int{32, 64}, number: mixed}
			q8, q4 := &data{name: "d", elem: "i8", shape: [2]int{32, 64}}, &data{name: "d", elem: "!pto.f4E2M1x2", shape: [2]int{32, 32}}
			e, m := &data{name: "e", elem: "ui8", shape: [2]int{1, 64}}, &data{name: "m", elem: elem, shape: [2]int{1, 64}}
			c, cd := &data{name: "c", elem: elem, shape: [2]int{1, 128}, valid: "1x64"}, &data{name: "c", elem: elem, shape: [2]int{1, 64}}
			body := "pto.tquant.mx ins(%s : T(s)) outs(%d, %e, %m, %c : T(d), T(e), T(m), T(c)) {quantScaleAlg = #pto<quant_scale_alg " + alg + ">, quant_type = #pto<quant_type "
			all = append(all, onTiles("MXFP8 down "+alg+" "+elem, body+"MXFP8>, grpAxis = #pto<mx_group_axis axis0>}", s, q8, e, m, cd))
			switch {
			case elem == "f32":
				all = append(all, onTiles("MXFP8 "+alg, body+"MXFP8>}", s, q8, e, m, c))
			case alg == "ocp":
				all = append(all, onTiles("MXFP4", body+"MXFP4_E2M1>}", s, q4, e, m, c))
			}
		}
	}
	return all
}

// slots returns kernels that use several tiles of one type in rotation.
func slots() []pair {
	s := &data{name: "s", elem: "f32", shape: [2]int{8, 64}, number: normal, valid: "6x64"}
	d := &data{name: "d", elem: "f32", shape: [2]int{8, 64}, valid: "6x64"}
	body := `%n = arith.constant 6 : index
  %c3 = arith.constant 3 : index
  %at = arith.constant 8192 : i64
  %all = pto.alloc_multi_tile addr = %at valid_row = %n valid_col = %c64 : !pto.multi_tile_buf<vec, 8x64xf32, valid=?x?, count=3>
  scf.for %i = %c0 to %c3 step %c1 {
    %t = pto.multi_tile_get %all[%i] : !pto.multi_tile_buf<vec, 8x64xf32, valid=?x?, count=3> -> SLOT
    pto.tadd ins(%s, %d : T(s), T(d)) outs(%t : SLOT)
    pto.tmul ins(%t, %s : SLOT, T(s)) outs(%d : T(d))
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %t = pto.multi_tile_get %all[%i] : !pto.multi_tile_buf<vec, 8x64xf32, valid=?x?, count=3> -> SLOT
    pto.tsub ins(%d, %t : T(d), SLOT) outs(%d : T(d))
  }`
	return []pair{onTiles("several tiles", strings.ReplaceAll(body, "SLOT", "!pto.tile_buf<vec, 8x64xf32, valid=?x?>"), s, d)}
}

// reorders returns kernels that move exponents into boxes, the inner layout for the cube
// unit. The tile %o exposes the resulting order in memory.
func reorders() []pair {
	reorder := func(name string, rows, cols int, boxes, attr string) pair {
		e := &data{name: "e", elem: "ui8", shape: [2]int{rows, cols}, number: below(256)}
		tmp := &data{name: "tmp", elem: "ui8", shape: [2]int{1, 96}, valid: "1x1"}
		o := &data{name: "o", elem: "ui8", shape: [2]int{1, 512}}
		z := "!pto.tile_buf<vec, " + boxes + "xui8, slayout=row_major>"
		return onTiles(name, "%z = pto.alloc_tile addr = %o_at : "+z+"\n  pto.tmov ins(%e : T(e), %tmp : T(tmp)) outs(%z : "+z+")"+attr, e, tmp, o)
	}
	down := " {grpAxis = #pto<mx_group_axis axis0>}"
	return []pair{
		reorder("exponents of columns", 2, 64, "1x128", down), reorder("exponents of more columns", 4, 32, "1x128", down),
		reorder("exponents of rows", 1, 512, "16x32", ""),
	}
}
