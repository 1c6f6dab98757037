package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPrinting compares the text that print instructions write on both engines.
func TestPrinting(t *testing.T) {
	checkPairs(t, slices.Concat(printedTiles(), printedViews(), printedScalars(), printingCores()))
}

// odd returns numbers that print formats must round or print as special text, such as
// infinities.
func odd(r *rand.Rand, i int) float64 {
	special := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1), 0.00005, 1e9, -2.5, 1e-42}
	if i < len(special) {
		return special[i]
	}
	return normal(r, i)
}

// printedTiles returns kernels that print tiles of all element types and several layouts,
// with full and partial valid regions.
func printedTiles() []pair {
	var all []pair
	for i, elem := range []string{"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "!pto.hif8", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"} {
		format := []string{"", " {printFormat = #pto<print_format width8_precision2>}", " {printFormat = #pto<print_format width10_precision6>}"}[i%3]
		d := &data{name: "x", elem: elem, shape: [2]int{4, 32}, valid: []string{"2x3", "", "4x20", "3x32"}[i%4], number: odd}
		all = append(all, pair{name: elem, text: tileKernel("  pto.tprint ins(%x : T(x))"+format, d), data: []*data{d}, prints: "\n"})
	}
	d := &data{name: "x", elem: "f32", shape: [2]int{16, 8}, keys: ", blayout=col_major", valid: "5x4", number: odd}
	all = append(all, pair{name: "columns", text: tileKernel("  pto.tprint ins(%x : T(x))", d), data: []*data{d}, prints: "--------\n"})
	open := &data{name: "x", elem: "f32", shape: [2]int{4, 8}, valid: "?x?", number: odd}
	text := strings.ReplaceAll(tileKernel(`  pto.set_validshape %x, %c1, %c4 : T(x)
  pto.tprint ins(%x : T(x))
  pto.set_validshape %x, %c0, %c0 : T(x)
  pto.tprint ins(%x : T(x))`, open), "%x = pto.alloc_tile addr = %x_at", "%x = pto.alloc_tile addr = %x_at valid_row = %c4 valid_col = %c8")
	return append(all, pair{name: "open", text: text, data: []*data{open}, prints: " |"})
}

// printedViews returns kernels that print views with several dimensions and with gaps
// between rows.
func printedViews() []pair {
	d := &data{name: "x", elem: "f16", shape: [2]int{24, 16}, number: odd}
	body := `  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %x_ptr, shape = [%c2, %c3, %c2], strides = [%c64, %c16, %c3] : !pto.tensor_view<2x3x2xf16>
  %w = pto.partition_view %v, offsets = [%c0, %c1, %c0], sizes = [%c2, %c2, %c1] : !pto.tensor_view<2x3x2xf16> -> !pto.partition_tensor_view<2x2x1xf16>
  %none = pto.partition_view %v, offsets = [%c0, %c1, %c0], sizes = [%c2, %c2, %c0] : !pto.tensor_view<2x3x2xf16> -> !pto.partition_tensor_view<?x?x?xf16>
  pto.tprint ins(%x_gm : V(x))
  pto.tprint ins(%v : !pto.tensor_view<2x3x2xf16>) {printFormat = #pto<print_format width10_precision6>}
  pto.tprint ins(%w : !pto.partition_tensor_view<2x2x1xf16>)
  pto.tprint ins(%none : !pto.partition_tensor_view<?x?x?xf16>)`
	beyond := `  %v = pto.make_tensor_view %x_ptr, shape = [%c24, %c24], strides = [%c24, %c1] : !pto.tensor_view<24x24xf16>
  pto.tprint ins(%v : !pto.tensor_view<24x24xf16>)`
	all := []pair{{name: "views", text: tileKernel(body, d), data: []*data{d}, prints: "\n"}}
	return append(all, pair{name: "beyond", text: tileKernel(beyond, d), data: []*data{d}, faults: true})
}

// printedScalars returns kernels that print scalars with all conversions of the format
// string.
func printedScalars() []pair {
	var body strings.Builder
	formats := []string{"%d", "%i", "%5d|", "%-8lld|", "%08ld", "%+.3d", "% hd", "%u", "%zu", "%x", "%#X", "%o", "%f", "%+012.3f", "%-12.1F|", "%e", "%.0E", "%g", "%10G",
		"%s", "100%% of %d%%", "%d and %d", "nothing", "a%", "%5", "\\01\\00%d"}
	values := []string{"0 : i1", "true", "-3 : i8", "300 : i16", "-70000 : i32", "-1 : i64", "12 : index", "0.1 : f32", "-1.0e30 : f32", "0x7F800000 : f32", "0xFF800000 : f32", "0xFFC00000 : f32", "0.0 : f32"}
	for i, v := range values {
		fmt.Fprintf(&body, "  %%s%d = arith.constant %s\n", i, v)
		_, typ, typed := strings.Cut(v, " : ")
		if !typed {
			typ = "i1"
		}
		for _, f := range formats {
			fmt.Fprintf(&body, "  pto.print ins(\"%s\\0A\", %%s%d : %s)\n", f, i, typ)
		}
	}
	d := &data{name: "x", elem: "f32", shape: [2]int{1, 8}, number: normal}
	return []pair{{name: "scalars", text: tileKernel(body.String(), d), data: []*data{d}, prints: "100% of -3%\n"}}
}

// printingCores returns kernels that print on several blocks, on cores that wait for each
// other, and in work items.
func printingCores() []pair {
	d := &data{name: "x", elem: "i32", shape: [2]int{1, 8}, number: between(0, 9)}
	blocks := `  %b = pto.get_block_idx
  pto.print ins("block %d:", %b : i64)
  pto.tprint ins(%x : T(x))`
	meeting := `  %b = pto.get_block_idx
  pto.print ins("block %d before\0A", %b : i64)
  pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
  pto.print ins("block %d behind\0A", %b : i64)`
	cores := onMachine("cores", "f32", "f32", `
  pto.section.cube {
    pto.print ins("cube %d\0A", %c1 : i64)
    pto.set_intra_block #pto.pipe<PIPE_FIX>, 1
    pto.set_intra_block #pto.pipe<PIPE_FIX>, 17
    pto.wait_intra_block #pto.pipe<PIPE_FIX>, 2
    pto.wait_intra_block #pto.pipe<PIPE_FIX>, 18
    pto.print ins("cube %d\0A", %c7 : i64)
  }
  pto.section.vector {
    %sub = pto.get_subblock_idx
    pto.print ins("vector %d\0A", %sub : i64)
    pto.wait_intra_block #pto.pipe<PIPE_V>, 1
    pto.print ins("vector %d goes on\0A", %sub : i64)
    pto.set_intra_block #pto.pipe<PIPE_MTE3>, 2
  }`)
	cores.prints, cores.blocks = "vector 1 goes on\n", 2
	items := onItems("items", [3]int{5, 2, 1}, "i32", "i32", anyInt, `  pto.print ins("%d before ", %number : i32)
  pto.syncthreads
  pto.print ins("%d behind\0A", %number : i32)
  %r = arith.addi %x, %one : i32`+storeValue("i32"))
	items.prints = "9 before 0 behind\n1 behind\n"
	return []pair{
		{name: "blocks", text: tileKernel(blocks, d), data: []*data{d}, blocks: 3, prints: "block 2:"},
		{name: "meeting", text: tileKernel(meeting, d), data: []*data{d}, blocks: 3, prints: "block 2 before\nblock 2 behind\n"},
		cores, items,
	}
}
