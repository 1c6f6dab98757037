package cpp

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// readFile reads the kernels in a file and returns the text of the program and the
// diagnostics.
func readFile(t *testing.T, path string, o Options) (program string, diags *ir.Diags) {
	t.Helper()
	needClang(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	diags = &ir.Diags{}
	m := Read(&ir.Source{Name: path, Text: string(text)}, o, diags)
	if m == nil {
		t.Fatal(diags.Err())
	}
	var b bytes.Buffer
	if err := ir.Print(&b, m, ir.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String(), diags
}

// expectLines checks that each kernel of a program contains the texts in its list.
func expectLines(t *testing.T, program string, kernels map[string][]string) {
	t.Helper()
	for kernel, lines := range kernels {
		_, body, ok := strings.Cut(program, "@"+kernel+"(")
		body, _, _ = strings.Cut(body, "func.func")
		for _, l := range lines {
			if !ok || !strings.Contains(body, l) {
				t.Errorf("kernel %s lacks %q:\n%s", kernel, l, body)
			}
		}
	}
}

// TestCalls reads the kernels in testdata/calls.cpp, and compares lines of the program and
// diagnostics.
func TestCalls(t *testing.T) {
	for _, profile := range []struct {
		target ir.Target
		stored string // the stride of rows of a store with fewer columns than its view
		boxes  string // the stride of columns of boxes of a store with fewer rows than its view
	}{{sem.A3, "strides = [%c8, %c1]", "%c80"}, {sem.A5, "strides = [%c32, %c1]", "%c256"}} {
		program, diags := readFile(t, "testdata/calls.cpp", Options{Target: profile.target})
		expectLines(t, program, map[string][]string{
			"prints":      {`pto.print ins("%d", %n : i32)`, `pto.print ins("%% of %f", %x : f32)`, `pto.print ins(", %x\0A"`},
			"asserts":     {"scf.if", "pto.trap"},
			"modes":       {"pto.set_atomic_none", "pto.set_atomic_add"},
			"window":      {"addr = %c800_i64 : !pto.tile_buf<vec, 16x64xf32, valid=4x8>"},
			"reduction":   {"pto.trowmax ins", "pto.trowargmax ins"},
			"two_windows": {"pto.textract ins(%tile_2, %c0, %c16 :", "pto.textract ins(%tile_2, %c16, %c32 :", "outs(%tile_1 : "},
			"bits":        {"pto.tand ins(", ": !pto.tile_buf<vec, 8x16xi16>, !pto.tile_buf<vec, 8x16xi16>)"},
			"columns":     {`pto.mask_pattern<P0101>`, `"col"`},
			"short_boxes": {"valid=5x32", "shape = [%c1, %c2, %c1, %c5, %c16], strides = [%c512, " + profile.boxes + ", "},
			"narrow":      {"16x8xf32", profile.stored},
			"filled":      {"arith.constant 3 : i32", "pto.texpands"},
			"scattered":   {"coalesce = #pto<coalesce row>", "scatterAtomicOp = #pto<scatter_atomic_op add>", "scatterOob = #pto<scatter_oob skip>"},
			"gathered":    {"4x32xf32, valid=4x16", `"col"`},
			"optional":    {"pto.tstore"},
			"raw":         {"pto.copy_cbuf_to_ubuf", "pto.create_cbuf_matrix"},
		})
		var all []string
		for _, d := range diags.All() {
			all = append(all, d.Text)
		}
		for _, want := range []string{
			"'set_mask_count' has no effect", "'preload' has no effect", "inline assembly (MOV $0, PC) is left out",
			"the clock is read as 0 here", "a pointer argument is compared with null",
			"kernel 'outer' cannot be read: a kernel calls the kernel 'inner'",
			"kernel 'aligned' cannot be read: 'SetKAligned(true)' has no counterpart in PTO yet",
		} {
			if !strings.Contains(strings.Join(all, "\n"), want) {
				t.Errorf("no diagnostic %q in %q", want, all)
			}
		}
		if len(all) != 7 {
			t.Errorf("%d diagnostics: %q", len(all), all)
		}
	}
}

// TestA5 reads kernels for A5: two types of cores, scales of MX formats, numbers of 4 bits,
// and vector instructions.
func TestA5(t *testing.T) {
	program, _ := readFile(t, "testdata/a5/cores.cpp", Options{Target: sem.A5})
	expectLines(t, program, map[string][]string{
		"two_cores": {"%x: !pto.ptr<f32>", "pto.section.cube {", "pto.set_intra_block <PIPE_FIX>, 19", "pto.section.vector {", "pto.wait_intra_block <PIPE_MTE3>, 3"},
		"scales":    {"strides = [%c1, %c128, %c2, %c8, %c1]", "#pto.layout<mx_a_zz>", "1x2x4x16x2"},
		"pairs":     {"16x64x!pto.f4E2M1x2", "strides = [%c64, %c1]"},
		"spare_row": {"16x32xf16, blayout=col_major, slayout=row_major, compact=2", "pto.tmov"},
		"loaded":    {"pto.copy_gm_to_ubuf", "%c128_i64, %c0_i64, %c0_i64, %cfalse_i1, %c0_i64, %c160_i64, %c128_i64"},
		"halves":    {"pto.tsubreluconv ins"},
		"registers": {"pto.vecscope {", "pto.plt_b32", "pto.vdup"},
	})
}

// TestQueues reads kernels with queues between cores: one with both ends, whose entry is a
// tile of another type, too, and one with the end of the vector cores.
func TestQueues(t *testing.T) {
	program, diags := readFile(t, "testdata/queues.cpp", Options{})
	expectLines(t, program, map[string][]string{
		"both_ends": {
			"%unused: !pto.ptr<i32>) attributes {pto.kernel} {", "pto.section.cube {", "slot_num = 2, local_slot_num = 2, flag_base = 2} (%slots",
			"pto.tpush(%tile, %queue : ", "pto.section.vector {", "pto.tpop(%tile, %queue : !pto.tile_buf<vec, 8x16xf32>, !pto.pipe) {split = 1}",
			"pto.tfree(%queue : !pto.pipe) {split = 1}", "pto.tile_buf_addr %tile : !pto.tile_buf<vec, 8x16xf32>",
		},
		"consumer": {
			"pto.kernel_kind = #pto.kernel_kind<vector>} {", "nosplit = true", "pto.set_validshape %tile_1, %n", "pto.load_scalar %pointer[%c0] : !pto.ptr<f32, ub>",
		},
	})
	expectLines(t, program, map[string][]string{
		"allocates": {
			"pto.declare_global -> !pto.tensor_view<16x64xui8>", "{dir_mask = 1, slot_size = 1024, slot_num = 2, flag_base = 2} (%slots",
			"pto.talloc(%slot, %queue : !pto.tensor_view<16x64xui8>, !pto.pipe) {split = 1}", "pto.tpush(%slot, ", "pto.tpop(%slot, %queue : !pto.tensor_view<8x64xui8>", "pto.tfree(%slot, ",
		},
		"signals": {"pto.sync.wait <PIPE_S>, 4", "pto.sync.set <PIPE_FIX>, 3", "pto.sync.wait <PIPE_S>, 3", "pto.sync.set <PIPE_MTE2>, 4"},
	})
	if all := diags.All(); len(all) != 1 || !strings.Contains(all[0].Text, "kernel 'odd' cannot be read: a tile of a queue that is split at an odd row") {
		t.Errorf("the diagnostics are %s", all)
	}
}

// TestMaps reads kernels with tiles of convolutions.
func TestMaps(t *testing.T) {
	program, diags := readFile(t, "testdata/maps.cpp", Options{})
	expectLines(t, program, map[string][]string{
		"patches": {
			"!pto.tile_buf<mat, 128x16xf16, valid=?x16>", "2x?x4x16xf16", "pto.make_fmatrix_config fmap(", "pto.setfmatrix", "pto.set_img2col_rpt", "pto.timg2col ins(",
			"!pto.tile_buf<mat, 64x32xf16, slayout=col_major>", "pto.textract", "layout = #pto.layout<nz>", "1x2x1x16x16xf16",
		},
		"padded":     {"pto.texpands", "pad_value(", "arith.bitcast", ": i16 to f16"},
		"transposed": {"pto.ttrans ins(", "!pto.tile_buf<vec, 16x16xf16>", "pto.copy_ubuf_to_ubuf"},
		"from_l1":    {"pto.tstore ins(%tile : !pto.tile_buf<mat, 4x96xui8, valid=4x64>)", "strides = [%c160, %c1]"},
	})
	if all := diags.All(); len(all) != 1 || !strings.Contains(all[0].Text, "kernel 'unknown' cannot be read: TLOAD with a ConvTile in Layout::NC1HWC0 has no counterpart") {
		t.Errorf("the diagnostics are %s", all)
	}
}

// TestStatics reads kernels with static variables, pointers that may be null, columns, and
// arrays of tiles.
func TestStatics(t *testing.T) {
	program, diags := readFile(t, "testdata/statics.cpp", Options{})
	expectLines(t, program, map[string][]string{
		"counts":     {"iter_args(", "%c3_i32"},
		"maybe_null": {"arith.constant -4611686018427387904 : i64", "arith.cmpi", "pto.store_scalar"},
		"column":     {"pto.tmuls ins(", "!pto.tile_buf<vec, 1x64xf32>"},
		"position":   {"pto.get_block_num"},
		"choice":     {"pto.tadds"},
	})
	if len(diags.All()) > 0 {
		t.Errorf("the diagnostics are %s", diags.All())
	}
}

// TestComm reads kernels with signals, copies and collectives between ranks, and calls that
// take pointers to tiles.
func TestComm(t *testing.T) {
	program, diags := readFile(t, "testdata/comm.cpp", Options{Target: sem.A5})
	expectLines(t, program, map[string][]string{
		"signals": {
			"pto.comm.tnotify(%part, %n_1 : !pto.partition_tensor_view<1x1xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}",
			"pto.comm.twait(", "%c4_i32 : ", "{cmp = #pto<wait_cmp ge>}", "pto.comm.ttest(", "{cmp = #pto<wait_cmp eq>} -> i1", "scf.if",
		},
		"copies": {"pto.comm.tput(", "buf(%tile_1, %tile_2)", "{atomicType = #pto<atomic_type atomic_add>}", "pto.comm.tget("},
		"group":  {"pto.comm.tbroadcast(%part, recv(%tile", "{root = 1 : i32}", "pto.comm.treduce(", "reduceOp = #pto<reduce_op max>"},
		"forms": {
			"{cache_policy = #pto.load_cache_policy<l2_bypass>}", "builtin.unrealized_conversion_cast", ": i32 to ui32", "pto.tci ins",
			"quant_type = #pto<quant_type INT8_ASYM>", "pto.tquant.mx", "quantScaleAlg = #pto<quant_scale_alg nv>", `pto.print ins("done\0A", %c0_i32 : i32)`,
		},
	})
	if len(diags.All()) > 0 {
		t.Errorf("the diagnostics are %s", diags.All())
	}
}
