package diff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// TestMachineKernels compares both engines on low-level machine instructions.
func TestMachineKernels(t *testing.T) {
	checkPairs(t, slices.Concat(roundedProducts(), productsBelow(), packedStores(), unifiedRows(), locals(), otherBuffers(), pairsOfNumbers(), mixedKernels(), boxedLoads(), vectorHelpers()))
}

// edges returns numbers around the limits of f16 and f32.
func edges(r *rand.Rand, _ int) float64 {
	return r.NormFloat64() * []float64{1, 100, 1e5, 1e-40}[r.IntN(4)]
}

// onMachine returns a kernel that reads 16x16 elements from %a and %b and writes its
// result to %c.
func onMachine(name, in, out, body string) pair {
	ds := []*data{
		{name: "a", elem: in, shape: [2]int{16, 16}, number: edges}, {name: "b", elem: in, shape: [2]int{16, 16}, number: edges},
		{name: "c", elem: out, shape: [2]int{64, 16}, number: edges},
	}
	return pair{name: name, data: ds, text: fmt.Sprintf("func.func @k(%%a: !pto.ptr<%s>, %%b: !pto.ptr<%s>, %%c: !pto.ptr<%s>) attributes {pto.kernel} {\n%s%s\n  return\n}\n",
		in, in, out, constants(body), body)}
}

var constantName = regexp.MustCompile(`%([ci])(\d+)\b`)

// constants returns declarations of the constants that body uses: %c7 is 7 of type i64,
// and %i7 is 7 of type index.
func constants(body string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, m := range constantName.FindAllStringSubmatch(body, -1) {
		if !seen[m[0]] {
			seen[m[0]] = true
			fmt.Fprintf(&b, "  %s = arith.constant %s : %s\n", m[0], m[2], map[string]string{"c": "i64", "i": "index"}[m[1]])
		}
	}
	return b.String()
}

// roundedProducts returns kernels that round the operands of a matrix product first.
func roundedProducts() []pair {
	const nz = "blayout=col_major, slayout=row_major"
	text := strings.NewReplacer("MAT", "!pto.tile_buf<mat, 16x16xf32, "+nz+">", "ACC", "!pto.tile_buf<acc, 16x16xf32, "+nz+">",
		"VIEW", "!pto.tensor_view<16x16xf32>", "PART", "!pto.partition_tensor_view<16x16xf32>").Replace(`
  %va = pto.make_tensor_view %a, shape = [%i16, %i16], strides = [%i16, %i1] : VIEW
  %vb = pto.make_tensor_view %b, shape = [%i16, %i16], strides = [%i16, %i1] : VIEW
  %vc = pto.make_tensor_view %c, shape = [%i16, %i16], strides = [%i16, %i1] : VIEW
  %pa = pto.partition_view %va, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEW -> PART
  %pb = pto.partition_view %vb, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEW -> PART
  %pc = pto.partition_view %vc, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEW -> PART
  %ta = pto.alloc_tile : MAT
  %tb = pto.alloc_tile : MAT
  %tc = pto.alloc_tile : ACC
  pto.tload ins(%pa : PART) outs(%ta : MAT)
  pto.tload ins(%pb : PART) outs(%tb : MAT)
  pto.tmatmul ins(%ta, %tb : MAT, MAT) outs(%tc : ACC)
  pto.tstore ins(%tc : ACC) outs(%pc : PART)`)
	var out []pair
	for _, set := range []string{
		"pto.sethf32mode {}", "pto.sethf32mode {mode = #pto<round_mode RINT>}", "pto.settf32mode {}",
		"pto.settf32mode {}\n  pto.sethf32mode {}", "pto.sethf32mode {}\n  pto.settf32mode {}",
		"pto.settf32mode {}\n  pto.sethf32mode {}\n  pto.settf32mode {}", "pto.settf32mode {}\n  pto.sethf32mode {}\n  pto.settf32mode {enable = false}",
	} {
		out = append(out, onMachine(set, "f32", "f32", "  "+set+text))
	}
	return out
}

// productsBelow returns kernels in which an operand or the result of a product starts
// before its memory and ends inside it. Both engines must report a fault for these, but
// not for the first kernel, which stays within memory.
func productsBelow() []pair {
	const text = `
  %below = arith.subi %c0, %c512 : i64
  %x = pto.castptr L0A : i64 -> !pto.ptr<f32, l0a>
  %y = pto.castptr L0B : i64 -> !pto.ptr<f32, l0b>
  %z = pto.castptr L0C : i64 -> !pto.ptr<f32, l0c>
  pto.mad %x, %y, %z, %c16, %c16, %c16 : !pto.ptr<f32, l0a>, !pto.ptr<f32, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`
	var out []pair
	for _, space := range []string{"", "L0A", "L0B", "L0C"} {
		body := strings.Replace(text, space+" :", "%below :", min(len(space), 1))
		p := onMachine("product below "+space, "f32", "f32", strings.NewReplacer("L0A", "%c0", "L0B", "%c0", "L0C", "%c0").Replace(body))
		p.faults = space != ""
		out = append(out, p)
	}
	return out
}

// packedStores returns kernels that store an accumulator. Two configuration words, which
// may or may not be constants, describe the store.
func packedStores() []pair {
	const multiply = `
  %pa = pto.castptr %c0 : i64 -> !pto.ptr<f32, l1>
  %pb = pto.castptr %c1024 : i64 -> !pto.ptr<f32, l1>
  %fb = pto.castptr %c0 : i64 -> !pto.ptr<f32, fb>
  %qa = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0a>
  %qb = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0b>
  %qc = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
  pto.mte_gm_l1 %a, %pa, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<f32>, !pto.ptr<f32, l1>, i64, i64, i64, i64
  pto.mte_gm_l1 %b, %pb, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<f32>, !pto.ptr<f32, l1>, i64, i64, i64, i64
  pto.copy_cbuf_to_fbuf %pb, %fb, %c1, %c16, %c0, %c0 : !pto.ptr<f32, l1>, !pto.ptr<f32, fb>, i64, i64, i64, i64
  pto.load_cbuf_to_ca %pa, %qa, %c0, %c0, %c1, %c2, %c1, %c1 : !pto.ptr<f32, l1>, !pto.ptr<f32, l0a>, i64, i64, i64, i64, i64, i64
  pto.load_cbuf_to_cb %pb, %qb, %c0, %c0, %c1, %c2, %c1, %c1 {transpose = true} : !pto.ptr<f32, l1>, !pto.ptr<f32, l0b>, i64, i64, i64, i64, i64, i64
  %fresh = arith.constant -9223372036586274800 : i64
  %again = arith.constant 268501008 : i64
  pto.mad_raw %qa, %qb, %qc, %fresh : !pto.ptr<f32, l0a>, !pto.ptr<f32, l0b>, !pto.ptr<f32, l0c>, i64
  pto.mad_raw %qa, %qb, %qc, %again : !pto.ptr<f32, l0a>, !pto.ptr<f32, l0b>, !pto.ptr<f32, l0c>, i64
  pto.set_quant_pre %c1069547520 : i64
  pto.set_relu_alpha %c1048576000 : i64
  pto.set_fix_clip_relu %c17920 : i64
  pto.set_fpc %c258 : i64
  pto.set_loop3_para %c131074, %c1 : i64, i64
  %word = arith.constant WORD : i64
  %zero = pto.get_block_idx
  %open = arith.addi %word, %zero : i64
  pto.copy_matrix_cc_to_gm %qc, %c, %c85900394752, KNOWN : !pto.ptr<f32, l0c>, !pto.ptr<ELEM>, i64, i64`
	quant := map[string]int64{}
	for _, c := range pto.QuantPreModeEnum.Cases {
		quant[c.Name] = c.Value
	}
	const relu, scalarRelu, vectorRelu, clip, rows, columns = 1 << 39, 2 << 39, 3 << 39, 1 << 30, 1 << 43, 1 << 62
	var out []pair
	for _, c := range []struct {
		elem, quant string
		word        int64
	}{
		{"f32", "no_convert", rows}, {"f32", "no_convert", columns | relu}, {"f32", "no_convert", 1 << 42},
		{"f16", "qf322f16_pre_scalar", scalarRelu | clip}, {"bf16", "qf322bf16_pre_vec", rows | vectorRelu},
		{"i8", "qf322b8_pre_vec", columns | clip}, {"ui8", "qf162b8_pre_scalar", rows | relu}, {"!pto.hif8", "qf322hif8_pre_scalar", 0},
	} {
		n := quant[c.quant]
		word := c.word | 16 | n&31<<34 | n>>5<<29
		for _, known := range []string{"%word", "%open"} {
			text := strings.NewReplacer("WORD", fmt.Sprint(word), "KNOWN", known, "ELEM", c.elem).Replace(multiply)
			out = append(out, onMachine(fmt.Sprintf("%s %s %x", c.quant, known, c.word), "f32", c.elem, text))
		}
	}
	return out
}

// unifiedRows returns kernels for instructions on rows of the unified buffer, in all
// formats, with masks and counts, on both profiles.
func unifiedRows() []pair {
	var out []pair
	for i, d := range pto.Dialect.All() {
		kind, ok := d.Sem.(sem.UbMap)
		if !ok {
			continue
		}
		for k, elem := range []string{"f32", "f16", "i32", "ui16", "i8"} {
			f, _ := num.ParseFormat(elem)
			if kind.Fn != nil && !kind.Fn.Supports(f) || kind.Fn == scalar.Div && f.IsInt() {
				continue // divisors may be zero
			}
			mask := []string{
				"", "pto.ub.set_mask %c1311768467463790320, %c3 : i64, i64", "pto.ub.set_mask_count\n  pto.ub.set_mask %c70, %c0 : i64, i64",
				"pto.ub.set_mask_count\n  pto.ub.set_mask_norm\n  pto.ub.set_mask %c255, %c0 : i64, i64",
			}[(i+k)%4]
			p := onMachine(d.Name+" of "+elem, elem, elem, unifiedRow(d, mask, "!pto.ptr<"+elem+", ub>", "!pto.ptr<"+elem+">"))
			p.arch = []string{"a3", "a5"}[i%2]
			p.data[2].shape = [2]int{32, 16}
			out = append(out, p)
		}
	}
	return out
}

// unifiedRow returns the body of a kernel that executes the instruction d on rows of the
// unified buffer. Some of the rows overlap.
func unifiedRow(d *ir.Def, mask, ub, gm string) string {
	form := d.Forms[0]
	var args, types []string
	for _, a := range form.Operands {
		arg := map[string]string{
			"dst": "%d", "src": "%x", "src0": "%x", "src1": "%y", "scalar": "%c16384", "repeat": "%c2",
			"dstBlockStride": "%c1", "dstRepeatStride": "%c8", "src1BlockStride": "%c0", "src1RepeatStride": "%c3",
		}[a.Name]
		switch {
		case arg == "":
			arg = "%c1"
			types = append(types, "i64")
		case strings.HasPrefix(arg, "%c"):
			types = append(types, "i64")
		default:
			types = append(types, ub)
		}
		args = append(args, arg)
	}
	return strings.NewReplacer("UB", ub, "GM", gm, "MASK", mask, "NAME", d.Name, "ARGS", strings.Join(args, ", "), "TYPES", strings.Join(types, ", ")).Replace(`
  %x = pto.castptr %c0 : i64 -> UB
  %y = pto.castptr %c256 : i64 -> UB
  %d = pto.castptr %c512 : i64 -> UB
  pto.mte_gm_ub %a, %x, %c0, %c256 nburst(%c1, %c256, %c256) : GM, UB, i64, i64, i64, i64, i64
  pto.mte_gm_ub %b, %y, %c0, %c256 nburst(%c1, %c256, %c256) : GM, UB, i64, i64, i64, i64, i64
  MASK
  NAME ARGS : TYPES
  pto.mte_ub_gm %d, %c, %c512 nburst(%c1, %c512, %c512) : UB, GM, i64, i64, i64, i64`)
}

// locals returns kernels that use arrays and structs on the stack and arrays of event
// numbers. Some indices are out of range.
func locals() []pair {
	const head = `
  %x = pto.load_scalar %a[%i3] : !pto.ptr<i32> -> i32
  %s = pto.declare_struct -> !pto.struct<i8, !pto.struct<i16, i32>, i32>
  %array = pto.declare_local_array -> !pto.local_array<3x5xi32>
  %events = pto.declare_eventid_array -> !pto.eventid_array<4>
  %byte = arith.trunci %x : i32 to i8
  pto.struct_set %s[0], %byte : !pto.struct<i8, !pto.struct<i16, i32>, i32>, i8
  pto.struct_set %s[1, 1], %x : !pto.struct<i8, !pto.struct<i16, i32>, i32>, i32
  %y = pto.struct_get %s[1, 1] : !pto.struct<i8, !pto.struct<i16, i32>, i32> -> i32
  %z = pto.struct_get %s[0] : !pto.struct<i8, !pto.struct<i16, i32>, i32> -> i8
  %w = arith.extui %z : i8 to i32
  %none = pto.struct_get %s[2] : !pto.struct<i8, !pto.struct<i16, i32>, i32> -> i32
  pto.local_array_set %array[%i2, %i4], %y : !pto.local_array<3x5xi32>, i32
  pto.local_array_set %array[%i2, %i3], %w : !pto.local_array<3x5xi32>, i32
  %v = pto.local_array_get %array[%i2, INDEX] : !pto.local_array<3x5xi32> -> i32
  pto.eventid_array_set %events[%i1], %i7 : !pto.eventid_array<4>
  %e = pto.eventid_array_get %events[EVENT] : !pto.eventid_array<4>
  %f = arith.index_cast %e : index to i32
  pto.store_scalar %v, %c[%i0] : !pto.ptr<i32>, i32
  pto.store_scalar %f, %c[%i1] : !pto.ptr<i32>, i32
  pto.store_scalar %none, %c[%i2] : !pto.ptr<i32>, i32
  pto.store_scalar %w, %c[%i3] : !pto.ptr<i32>, i32`
	var out []pair
	for i, at := range [][2]string{{"%i4", "%i1"}, {"%i3", "%i2"}, {"%i6", "%i0"}, {"%i0", "%i4"}} {
		text := strings.NewReplacer("INDEX", "%at", "EVENT", "%event").Replace(head)
		at0 := "\n  %zero = pto.get_block_idx\n  %open = arith.index_cast %zero : i64 to index\n  %at = arith.addi %open, " + at[0] + " : index\n  %event = arith.addi %open, " + at[1] + " : index"
		out = append(out, onMachine(fmt.Sprintf("locals %s %s", at[0], at[1]), "i32", "i32", at0+text))
		out[i].faults = i > 1
	}
	return out
}

// otherBuffers returns kernels that copy to the unified buffers of both vector cores.
// They read back the buffer of the first core.
func otherBuffers() []pair {
	const text = `
  %l = pto.castptr %c0 : i64 -> !pto.ptr<i32, l1>
  %u = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>
  pto.mte_gm_l1 %a, %l, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<i32>, !pto.ptr<i32, l1>, i64, i64, i64, i64
  pto.copy_cbuf_to_ubuf %l, %u, SUB, %c1, %c16, %c0, %c0 : !pto.ptr<i32, l1>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  pto.mte_ub_gm %u, %c, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<i32, ub>, !pto.ptr<i32>, i64, i64, i64, i64`
	var out []pair
	for i, sub := range []string{"%c0", "%c1", "%c2"} {
		out = append(out, onMachine("to core "+sub, "i32", "i32", strings.ReplaceAll(text, "SUB", sub)))
		out[i].faults = sub == "%c2"
	}
	return out
}

// pairsOfNumbers returns kernels that convert and move registers whose lanes hold two
// numbers each.
func pairsOfNumbers() []pair {
	const text = `
  %x = pto.castptr %c0 : i64 -> !pto.ptr<FROM, ub>
  %y = pto.castptr %c1024 : i64 -> !pto.ptr<TO, ub>
  %z = pto.castptr %c2048 : i64 -> !pto.ptr<TO, ub>
  %xs = pto.castptr %c0 : i64 -> !pto.ptr<bf16, ub>
  %zs = pto.castptr %c2048 : i64 -> !pto.ptr<bf16, ub>
  pto.mte_gm_ub %a, %xs, %c0, %c512 nburst(%c1, %c512, %c512) : !pto.ptr<bf16>, !pto.ptr<bf16, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %wide = pto.vmi.vload %x[%i0] : !pto.ptr<FROM, ub> -> !pto.vmi.vreg<256xFROM>
    %narrow = pto.vmi.vcvt %wide {rounding = "R"} : !pto.vmi.vreg<256xFROM> -> !pto.vmi.vreg<256xTO>
    pto.vmi.vstore %narrow, %y[%i0] : !pto.vmi.vreg<256xTO>, !pto.ptr<TO, ub>
    %all = pto.pset_b8 "PAT_ALL" : !pto.mask<b8>
    %bytes = pto.vlds %y[%i0] : !pto.ptr<TO, ub> -> !pto.vreg<256xTO>
    pto.vsts %bytes, %z[%i0], %all : !pto.vreg<256xTO>, !pto.ptr<TO, ub>, !pto.mask<b8>
  }
  pto.mte_ub_gm %zs, %c, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<bf16, ub>, !pto.ptr<bf16>, i64, i64, i64, i64`
	var out []pair
	for _, to := range []string{"!pto.f4E1M2x2", "!pto.f4E2M1x2"} {
		out = append(out, onMachine("bf16x2 to "+to, "bf16", "bf16", strings.NewReplacer("FROM", "!pto.bf16x2", "TO", to).Replace(text)))
	}
	return out
}

// mixedKernels returns kernels with one section for the cube core and one for the vector
// cores, which wait for each other. The last kernel deadlocks.
func mixedKernels() []pair {
	const text = `
  %l = pto.castptr %c0 : i64 -> !pto.ptr<f32, l1>
  %pa = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0a>
  %pb = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0b>
  %pc = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.section.cube {
    pto.mte_gm_l1 %a, %l, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<f32>, !pto.ptr<f32, l1>, i64, i64, i64, i64
    pto.mte_l1_l0a %l, %pa, %c16, %c16 : !pto.ptr<f32, l1>, !pto.ptr<f32, l0a>, i64, i64
    pto.mte_l1_l0b %l, %pb, %c16, %c16 {transpose = true} : !pto.ptr<f32, l1>, !pto.ptr<f32, l0b>, i64, i64
    scf.for %i = %i0 to %i2 step %i1 {
      pto.mad %pa, %pb, %pc, %c16, %c16, %c16 : !pto.ptr<f32, l0a>, !pto.ptr<f32, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64
      pto.wait_intra_block #pto.pipe<PIPE_FIX>, 2
      pto.wait_intra_block #pto.pipe<PIPE_FIX>, LAST
      pto.mte_l0c_ub %pc, %u, %c16, %c16, %c16, %c16, dst_mode(split_m), nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, ub>, i64, i64, i64, i64
      pto.set_intra_block #pto.pipe<PIPE_FIX>, 1
      pto.set_intra_block #pto.pipe<PIPE_FIX>, 17
    }
    pto.set_ctrl %c7 : i64
  }
  pto.section.vector {
    %sub = pto.get_subblock_idx
    %n = pto.get_subblock_num
    %code = arith.addi %sub, %n : i64
    pto.set_ctrl %code : i64
    scf.for %i = %i0 to %i2 step %i1 {
      pto.set_intra_block #pto.pipe<PIPE_MTE3>, 2
      pto.wait_intra_block #pto.pipe<PIPE_V>, 1
      %at = arith.index_cast %sub : i64 to index
      %row = arith.muli %at, %i128 : index
      %turn = arith.muli %i, %i256 : index
      %place = arith.addi %row, %turn : index
      %to = pto.addptr %c, %place : !pto.ptr<f32> -> !pto.ptr<f32>
      pto.mte_ub_gm %u, %to, %c512 nburst(%c1, %c512, %c512) : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64
      %ctrl = pto.get_ctrl : i64
      %word = arith.sitofp %ctrl : i64 to f32
      %where = arith.addi %place, %i512 : index
      pto.store_scalar %word, %c[%where] : !pto.ptr<f32>, f32
    }
  }`
	var out []pair
	for _, last := range []string{"18", "19"} {
		out = append(out, onMachine("signal "+last, "f32", "f32", strings.ReplaceAll(text, "LAST", last)))
		out[len(out)-1].faults = last == "19"
	}
	return append(out, calledWaits())
}

// calledWaits returns a kernel that waits for another core inside a called function and
// uses the result of that function.
func calledWaits() pair {
	p := onMachine("called waits", "f32", "f32", `
  %l = pto.castptr %c0 : i64 -> !pto.ptr<f32, l1>
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.section.cube {
    pto.mte_gm_l1 %a, %l, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<f32>, !pto.ptr<f32, l1>, i64, i64, i64, i64
    pto.mte_l1_ub %l, %u, %c16 nburst(%c1, %c0, %c0) : !pto.ptr<f32, l1>, !pto.ptr<f32, ub>, i64, i64, i64, i64
  }
  %number, %twice = func.call @k_number(%c1) : (i64) -> (i64, i64)
  %place = arith.muli %number, %c256 : i64
  %at = arith.index_cast %place : i64 to index
  %to = pto.addptr %c, %at : !pto.ptr<f32> -> !pto.ptr<f32>
  pto.mte_ub_gm %u, %to, %c512 nburst(%c1, %c0, %c0) : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64
  %word = arith.sitofp %twice : i64 to f32
  %behind = arith.addi %at, %i128 : index
  pto.store_scalar %word, %c[%behind] : !pto.ptr<f32>, f32`)
	p.text += `
func.func private @k_number(%one: i64) -> (i64, i64) {
  pto.section.cube {
    pto.wait_intra_block #pto.pipe<PIPE_S>, 3
    pto.wait_intra_block #pto.pipe<PIPE_S>, 19
    pto.sync.set #pto.pipe<PIPE_S>, 4
  }
  %sub = pto.get_subblock_idx
  %n = arith.addi %sub, %one : i64
  %twice = arith.addi %n, %n : i64
  pto.section.vector {
    pto.set_intra_block #pto.pipe<PIPE_S>, 3
    pto.sync.wait #pto.pipe<PIPE_S>, 4
  }
  return %n, %twice : i64, i64
}
`
	return p
}

// boxedLoads returns kernels that load tiles whose boxes are not 16 rows of 32 bytes, and
// copy the resulting contents of L1.
func boxedLoads() []pair {
	const text = `
  %v = pto.make_tensor_view %a, shape = [SHAPE], strides = [STRIDES] : !pto.tensor_view<TYPE>
  %p = pto.partition_view %v, offsets = [ZEROS], sizes = [SHAPE] : !pto.tensor_view<TYPE> -> !pto.partition_tensor_view<TYPE>
  %t = pto.alloc_tile addr = %c0 : TILE
  pto.tload ins(%p : !pto.partition_tensor_view<TYPE>) outs(%t : TILE)
  %l = pto.castptr %c0 : i64 -> !pto.ptr<ELEM, l1>
  %u = pto.castptr %c0 : i64 -> !pto.ptr<ELEM, ub>
  pto.mte_l1_ub %l, %u, %c8 nburst(%c1, %c0, %c0) : !pto.ptr<ELEM, l1>, !pto.ptr<ELEM, ub>, i64, i64, i64, i64
  pto.mte_ub_gm %u, %c, %c256 nburst(%c1, %c0, %c0) : !pto.ptr<ELEM, ub>, !pto.ptr<ELEM>, i64, i64, i64, i64`
	const byRow, byCol = ", slayout=row_major", ", blayout=col_major, slayout=col_major"
	var out []pair
	for _, c := range []struct{ name, elem, shape, strides, typ, tile string }{
		{"scales by rows", "!pto.f8E8M0", "%i32, %i4", "%i4, %i1", "32x4", "32x4xELEM" + byRow + ", fractal=32"},
		{"scales by columns", "!pto.f8E8M0", "%i4, %i32", "%i32, %i1", "4x32", "4x32xELEM" + byCol + ", fractal=32"},
		{"boxes of scales by name", "!pto.f8E8M0", "%i1, %i2, %i2, %i16, %i2", "%i128, %i32, %i64, %i2, %i1", "1x2x2x16x2", "32x4xELEM" + byRow + ", fractal=32"},
		{"pairs of scales apart", "!pto.f8E8M0", "%i2, %i1, %i2, %i16, %i2", "%i128, %i128, %i2, %i8, %i1", "2x1x2x16x2", "32x4xELEM" + byRow + ", fractal=32"},
		{"a row of small boxes", "f16", "%i1, %i64", "%i64, %i1", "1x64", "1x64xELEM, blayout=col_major" + byRow},
	} {
		zeros := strings.TrimSuffix(strings.Repeat("%i0, ", strings.Count(c.shape, "%")), ", ")
		words := strings.NewReplacer("SHAPE", c.shape, "STRIDES", c.strides, "ZEROS", zeros, "TYPE", c.typ+"x"+c.elem,
			"TILE", "!pto.tile_buf<mat, "+strings.ReplaceAll(c.tile, "ELEM", c.elem)+">", "ELEM", c.elem)
		out = append(out, onMachine(c.name, c.elem, c.elem, words.Replace(text)))
	}
	return out
}

// vectorHelpers returns kernels that sort and transpose within the unified buffer, with
// overlapping source and destination, and with legal and illegal configuration words.
func vectorHelpers() []pair {
	var out []pair
	for _, h := range []struct {
		name, elem string
		config     uint64
	}{
		{"vsort32", "f32", 5 << 56}, {"vsort32", "f16", 3 << 56}, {"vsort32", "f16", 0}, {"vsort32", "f32", 1<<56 | 1},
		{"vtranspose", "i16", 0}, {"vtranspose", "f16", 0}, {"vtranspose", "bf16", 1},
	} {
		body := strings.NewReplacer("NAME", h.name, "ELEM", h.elem, "CONFIG", "%c"+fmt.Sprint(h.config)).Replace(`
  %from = pto.castptr %c0 : i64 -> !pto.ptr<ELEM, ub>
  %to = pto.castptr %c64 : i64 -> !pto.ptr<ELEM, ub>
  pto.mte_gm_ub %a, %from, %c0, %c512 nburst(%c1, %c512, %c512) : !pto.ptr<ELEM, gm>, !pto.ptr<ELEM, ub>, i64, i64, i64, i64, i64
  pto.NAME %to, %from, CONFIG : !pto.ptr<ELEM, ub>, !pto.ptr<ELEM, ub>, i64
  pto.mte_ub_gm %from, %c, %c1024 nburst(%c1, %c1024, %c1024) : !pto.ptr<ELEM, ub>, !pto.ptr<ELEM, gm>, i64, i64, i64, i64`)
		p := onMachine(fmt.Sprintf("%s %s %#x", h.name, h.elem, h.config), h.elem, h.elem, body)
		p.faults = h.config&1 != 0
		out = append(out, p)
	}
	return out
}
