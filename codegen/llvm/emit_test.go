package llvm_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/kernel"
)

// addKernel is a kernel that adds a scalar to a tile.
const addKernel = `module attributes {pto.target_arch = "a5"} {
func.func @adds(%src: !pto.ptr<T>, %dst: !pto.ptr<T>, %s: T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %src, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xT>
  %w = pto.make_tensor_view %dst, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xT>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xT> -> !pto.partition_tensor_view<16x64xT>
  %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xT> -> !pto.partition_tensor_view<16x64xT>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xT>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 16x64xT>
  pto.tload ins(%p : !pto.partition_tensor_view<16x64xT>) outs(%t : !pto.tile_buf<vec, 16x64xT>)
  pto.tadds ins(%t, %s : !pto.tile_buf<vec, 16x64xT>, T) outs(%u : !pto.tile_buf<vec, 16x64xT>)
  pto.tstore ins(%u : !pto.tile_buf<vec, 16x64xT>) outs(%q : !pto.partition_tensor_view<16x64xT>)
  func.return
}
}
`

func addOf(elem string) string {
	return regexp.MustCompile(`\bT\b|xT\b`).ReplaceAllStringFunc(addKernel, func(s string) string { return strings.Replace(s, "T", elem, 1) })
}

// TestTileLoopsAreVectorized checks that LLVM vectorizes the emitted loops over tiles,
// which is why they have their form.
func TestTileLoopsAreVectorized(t *testing.T) {
	for elem, want := range map[string]string{
		"f32": `fadd <\d+ x float>`,
		"i32": `add (nuw |nsw )*<\d+ x i32>`,
		"f16": `fadd <\d+ x float>`, // widened and rounded by integer code
	} {
		t.Run(elem, func(t *testing.T) {
			m := llvmtest.Parse(t, "add.pto", addOf(elem))
			out := llvmtest.Optimize(t, llvmtest.Emit(t, m, llvm.Options{}))
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("no %q in\n%s", want, out)
			}
		})
	}
}

// TestWidthOfHalfLoops checks that LLVM processes 16 f16 elements at a time in loops that
// compute each element independently. Loops that add elements must not have this
// annotation, because it would permit another order of additions.
func TestWidthOfHalfLoops(t *testing.T) {
	const width = "llvm.loop.vectorize.width"
	m := llvmtest.Parse(t, "add.pto", addOf("f16"))
	text := llvmtest.Emit(t, m, llvm.Options{Half: true})
	llvmtest.Verify(t, text)
	if !strings.Contains(text, width) {
		t.Errorf("no %s in\n%s", width, text)
	}
	if out := llvmtest.Optimize(t, text); !strings.Contains(out, "fadd <16 x float>") {
		t.Errorf("no 16 sums at a time in\n%s", out)
	}
	sums := llvmtest.Parse(t, "sum.pto", `func.func @k(%a: !pto.tile_buf<vec, 16x64xf16>, %b: !pto.tile_buf<vec, 16x64xf16>, %d: !pto.tile_buf<vec, 16x1xf16, blayout=col_major>) {
  pto.trowsum ins(%a, %b : !pto.tile_buf<vec, 16x64xf16>, !pto.tile_buf<vec, 16x64xf16>) outs(%d : !pto.tile_buf<vec, 16x1xf16, blayout=col_major>)
  pto.tcolsum ins(%a : !pto.tile_buf<vec, 16x64xf16>) outs(%b : !pto.tile_buf<vec, 16x64xf16>)
  return
}`)
	for elem, m := range map[string]*ir.Op{"f32": llvmtest.Parse(t, "add.pto", addOf("f32")), "sums of f16": sums} {
		if text := llvmtest.Emit(t, m, llvm.Options{Half: true}); strings.Contains(text, width) {
			t.Errorf("%s: %s in\n%s", elem, width, text)
		}
	}
}

func TestEveryKernelIsLegalForLLVM(t *testing.T) {
	for _, elem := range []string{"f32", "f16", "bf16", "i8", "ui16", "i32", "i64"} {
		m := llvmtest.Parse(t, "add.pto", addOf(elem))
		llvmtest.Verify(t, llvmtest.Emit(t, m, llvm.Options{}))
		llvmtest.Verify(t, llvmtest.Emit(t, m, llvm.Options{Triple: "aarch64-unknown-linux-gnu"}))
	}
}

func TestAddressInRegister(t *testing.T) {
	m := llvmtest.Parse(t, "ffts.pto", "func.func @k(%p: !pto.ptr<i64>) attributes {pto.kernel} {\n  pto.set_ffts %p : !pto.ptr<i64>\n  return\n}")
	llvmtest.Verify(t, llvmtest.Emit(t, m, llvm.Options{}))
}

// TestQueuesOfKernels emits two kernels for the cube core that have different queues with
// the same number.
func TestQueuesOfKernels(t *testing.T) {
	const kernel = `
func.func @kN(%t: !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %base = arith.constant 0 : i32
  pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = N} (c2v_consumer_buf = %base : i32)
  pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>) {id = 0, split = 1}
  return
}`
	text := strings.ReplaceAll(kernel, "N", "2") + strings.ReplaceAll(kernel, "N", "4")
	llvmtest.Verify(t, llvmtest.Emit(t, llvmtest.Parse(t, "queues.pto", text), llvm.Options{}))
}

// TestNamesOfMembers emits a kernel for both kinds of cores together with functions whose
// names equal those of the functions that the emitter creates for each core.
func TestNamesOfMembers(t *testing.T) {
	const text = `
func.func @k.cube() { return }
func.func @k.vector() { return }
func.func @k() attributes {pto.kernel} {
  pto.section.cube {
    pto.wait_intra_block #pto.pipe<PIPE_FIX>, 1
  }
  pto.section.vector {
    pto.set_intra_block #pto.pipe<PIPE_V>, 1
  }
  return
}`
	llvmtest.Verify(t, llvmtest.Emit(t, llvmtest.Parse(t, "names.pto", text), llvm.Options{}))
}

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"level 1 tile",
			`func.func @k(%t: !pto.tile<16x64xf32>, %s: f32) {
				%d = pto.tadds %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
				return
			}`,
			`'func.func' op has a parameter of type !pto.tile<16x64xf32>, which the LLVM IR emitter does not support`,
		},
		{
			"cast without a meaning",
			`func.func @k(%x: i64) {
				%d = builtin.unrealized_conversion_cast %x : i64 to f32
				return
			}`,
			`test.pto:2:10: error: 'builtin.unrealized_conversion_cast' op casts type i64 to type f32, which the LLVM IR emitter does not support`,
		},
		{
			"a frame whose size does not fit a number",
			`func.func @k() attributes {pto.kernel} {
				%n = arith.constant 2305843009213693953 : i64
				%p = llvm.alloca %n x i64 : (i64) -> !llvm.ptr
				return
			}`,
			`test.pto:3:10: error: 'llvm.alloca' op must reserve a constant number of bytes between 1 and 1048576 to be written as LLVM IR`,
		},
		{
			"two functions of one name",
			`module @a { func.func @k() { return } }
			module @b { func.func @k() { return } }`,
			`'func.func' op must have a unique name, but another function is also named @k`,
		},
		{
			"too many tiles",
			`func.func @k(%s: f32) {
				%a = pto.alloc_tile : !pto.tile_buf<vec, 256x256xf32>
				%b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
				pto.tadds ins(%a, %s : !pto.tile_buf<vec, 256x256xf32>, f32) outs(%a : !pto.tile_buf<vec, 256x256xf32>)
				pto.tadds ins(%b, %s : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%b : !pto.tile_buf<vec, 16x16xf32>)
				return
			}`,
			`test.pto:2:10: error: 'pto.alloc_tile' op and 1 other tile need 263168 bytes of vec, which has 196608 on a3`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := llvmtest.Parse(t, "test.pto", c.text)
			var out strings.Builder
			diags := &ir.Diags{}
			if llvm.Emit(&out, m, llvm.Options{}, diags) {
				t.Fatal("Emit succeeded")
			}
			var all []string
			for _, d := range diags.All() {
				all = append(all, d.Format())
			}
			if !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("got %q\nwant %q", all, c.want)
			}
			if out.Len() > 0 {
				t.Errorf("wrote %d bytes besides an error", out.Len())
			}
		})
	}
}

func TestUnknownMachine(t *testing.T) {
	m := llvmtest.Parse(t, "add.pto", addOf("f32"))
	diags := &ir.Diags{}
	if llvm.Emit(&strings.Builder{}, m, llvm.Options{Triple: "sparc-unknown-linux"}, diags) {
		t.Fatal("Emit succeeded")
	}
	const want = `cannot generate code for the target triple "sparc-unknown-linux"`
	if got := diags.All()[0].Text; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPrototype(t *testing.T) {
	m := llvmtest.Parse(t, "p.pto", `
		func.func @k(%a: !pto.ptr<f16>, %b: f16, %c: i1, %d: index, %e: f32, %v: !pto.tensor_view<8x8xf32>) { return }
		func.func private @hidden() { return }
		func.func @result() -> i32 { %x = arith.constant 0 : i32  return %x : i32 }`)
	want := map[string]string{
		"k":      "[void * uint16_t _Bool int64_t float void * int64_t int64_t int64_t int64_t] true",
		"hidden": "[] false",
		"result": "[] false",
	}
	for _, f := range fn.Functions(m) {
		params, ok := llvm.Prototype(f)
		if got := fmt.Sprint(params, ok); got != want[fn.Name(f)] {
			t.Errorf("%s: got %s, want %s", fn.Name(f), got, want[fn.Name(f)])
		}
	}
}

// TestSameTextEachTime checks that Emit is deterministic: helpers and tables are in the
// order of their use, and operands in the order of the program.
func TestSameTextEachTime(t *testing.T) {
	for name, text := range map[string]string{"add": addOf("f16"), "extents": openExtents} {
		first := ""
		for range 8 {
			text := llvmtest.Emit(t, llvmtest.Parse(t, name, text), llvm.Options{})
			if first != "" && text != first {
				t.Fatalf("%s: two runs differ", name)
			}
			first = text
		}
	}
}

// openExtents is program text that creates six tiles with dynamic valid regions.
const openExtents = `
!t = !pto.tile_buf<vec, 16x64xf32, valid=?x?>
!i = !pto.tile_buf<vec, 16x64xi32, valid=?x?>
func.func @k(%a: !t, %b: !t, %d: !t, %ai: !i, %bi: !i, %di: !i) {
  pto.tpartargmax ins(%a, %b, %ai, %bi : !t, !t, !i, !i) outs(%d, %di : !t, !i)
  return
}
`

// TestMostInstructions emits a kernel that waits for other cores, and one with loops,
// with every instruction limit up to its size. Each time a single error must report the
// instruction that exceeds the limit.
func TestMostInstructions(t *testing.T) {
	for _, file := range []string{"mixed_attention.pto", "softmax.pto"} {
		text, err := os.ReadFile(filepath.Join("../../examples", file))
		if err != nil {
			t.Fatal(err)
		}
		for limit := 1; ; limit += 97 {
			m := llvmtest.Parse(t, file, string(text))
			var diags ir.Diags
			if !kernel.Lower(m, ir.TargetOf(m), 0, &diags) {
				t.Fatal(diags.All())
			}
			if llvm.Emit(io.Discard, m, llvm.Options{MostInstructions: limit, Fenced: limit%2 == 0}, &diags) {
				if limit < 100 {
					t.Errorf("%s has fewer than %d instructions", file, limit)
				}
				break
			}
			list := diags.All()
			if want := fmt.Sprintf("exceed the limit of %d instructions", limit); len(list) != 1 || !strings.Contains(list[0].Text, want) {
				t.Fatalf("%s with %d instructions: %v", file, limit, list)
			}
		}
	}
}
