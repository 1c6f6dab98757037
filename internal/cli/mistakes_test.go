package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addKernel is a kernel without mistakes, at Level 1.
const addKernel = `func.func @add(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %xs = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
  %ys = pto.make_tensor_view %y, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<32x64xf32> -> !pto.tile<32x64xf32>
  %d = pto.tadds %t, %s : (!pto.tile<32x64xf32>, f32) -> !pto.tile<32x64xf32>
  pto.tstore %d, %yp : (!pto.tile<32x64xf32>, !pto.partition_tensor_view<32x64xf32>) -> ()
  return
}
`

// bufKernel is a kernel at Level 2 with addresses and flags of its own.
const bufKernel = `func.func @add(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %xs = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
  %ys = pto.make_tensor_view %y, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %at0 = arith.constant 0 : i64
  %at1 = arith.constant 8192 : i64
  %t = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 32x64xf32>
  %d = pto.alloc_tile addr = %at1 : !pto.tile_buf<vec, 32x64xf32>
  pto.tload ins(%xp : !pto.partition_tensor_view<32x64xf32>) outs(%t : !pto.tile_buf<vec, 32x64xf32>)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !pto.tile_buf<vec, 32x64xf32>) outs(%d : !pto.tile_buf<vec, 32x64xf32>)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%d : !pto.tile_buf<vec, 32x64xf32>) outs(%yp : !pto.partition_tensor_view<32x64xf32>)
  return
}
`

// mistakes are what authors of kernels who are new to PTO write: a change of a
// kernel, or a command line, and what the tools answer. Each answer names the
// cause or the way out.
var mistakes = []struct {
	area     string
	kernel   string
	old, new string
	command  string // "" is pto-opt FILE
	want     string // parts of the answer, in order, between |
}{
	{"syntax", addKernel, "arith.constant 1 : index", "arith.constant 1 index", "", "error: expected ':' or the end of the operation, found 'index'|note: the types of an operation follow a ':', and the next operation begins on a new line"},
	{"syntax", addKernel, "%xp = pto.part", "%xp pto.part", "", "error: expected '=', found 'pto.partition_view'"},
	{"syntax", addKernel, "pto.tadds %t, %s :", "pto.tadds %t %s :", "", "error: 'pto.tadds' op expects 2 operands here, found 1|note: an example: %d = pto.tadds %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	{"syntax", addKernel, "pto.tadds %t", "pto.tadd_s %t", "", "error: unknown operation 'pto.tadd_s'|note: did you mean 'pto.tadds'?"},
	{"syntax", addKernel, "  return\n}", "  return\n", "", "error: expected '}', found end of input|note: it belongs to this '{'"},
	{"types", addKernel, "%t, %s : (!pto.tile<32x64xf32>, f32)", "%t, %s : (!pto.tile<32x64xf32>, f16)", "", "error: use of value '%s' expects different type than prior uses: 'f16' vs 'f32'|note: prior use here"},
	{"types", addKernel, "make_tensor_view %x, shape", "make_tensor_view %s, shape", "", "error: 'pto.make_tensor_view' op: operand \"ptr\" must be a !pto.ptr or memref in gm, but is f32"},
	{"types", addKernel, "-> !pto.tile<32x64xf32>\n  %d", "-> !pto.tile<32x64xf16>\n  %d", "", "error: use of value '%t' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<32x64xf16>'|note: prior use here"},
	{"types", addKernel, "%t = pto.tload %xp :", "%t = pto.tload %xs :", "", "error: use of value '%xs' expects different type than prior uses: '!pto.partition_tensor_view<32x64xf32>' vs '!pto.tensor_view<32x64xf32>'|note: prior use here"},
	{"types", addKernel, "arith.constant 32 : index", "arith.constant 32 : i32", "", "error: use of value '%c32' expects different type than prior uses: 'index' vs 'i32'|note: prior use here"},
	{"shapes", addKernel, "f32) -> !pto.tile<32x64xf32>", "f32) -> !pto.tile<64x32xf32>", "", "error: use of value '%d' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<64x32xf32>'|note: prior use here"},
	{"shapes", addKernel, "partition_tensor_view<32x64xf32> -> !pto.tile<32x64xf32>", "partition_tensor_view<32x64xf32> -> !pto.tile<16x64xf32>", "", "error: use of value '%t' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<16x64xf32>'|note: prior use here"},
	{"shapes", addKernel, "shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64", "shape = [%c64, %c32], strides = [%c64, %c1] : !pto.tensor_view<32x64", "", "error: 'pto.make_tensor_view' op has extent 64 in dimension 0 of its operands, but its result type has extent 32 in this dimension"},
	{"shapes", addKernel, "offsets = [%c0, %c0], sizes = [%c32", "offsets = [%c1, %c0], sizes = [%c32", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 1.0", "error: 'pto.partition_view' op selects rows 1..32 of a view with 32 rows"},
	{"layouts", addKernel, "-> !pto.tile<32x64xf32>\n  %d", "-> !pto.tile<32x64xf32, blayout=colmajor>\n  %d", "", "error: expected one of row_major, col_major, found 'colmajor'|note: did you mean 'col_major'?"},
	{"layouts", addKernel, "f32) -> !pto.tile<32x64xf32>", "f32) -> !pto.tile<32x64xf32, blayout=col_major>", "", "error: use of value '%d' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<32x64xf32, blayout=col_major>'|note: prior use here"},
	{"layouts", addKernel, "f32) -> !pto.tile<32x64xf32>", "f32) -> !pto.tile<32x64xf32, slayout=row_major>", "", "error: use of value '%d' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<32x64xf32, slayout=row_major>'|note: prior use here"},
	{"layouts", addKernel, "strides = [%c64, %c1]", "strides = [%c1, %c64]", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 1.0", "error: 'pto.tload' op on target a3: if \"src\" has layout dn, \"dst\" must be col_major/none_box, but is row_major/none_box|note: the strides of this view make its layout dn"},
	{"memory", bufKernel, "alloc_tile addr = %at1 :", "alloc_tile :", "pto-opt --pto-level=level3", "error: 'pto.alloc_tile' op needs the operand \"addr\": at build level 3 the program assigns addresses|note: write addr = %a, where %a is the address, or let pto-plan-memory assign the address"},
	{"memory", bufKernel, "constant 8192 : i64", "constant 8190 : i64", "", "error: 'pto.alloc_tile' op address must be a multiple of 32, but is 8190"},
	{"memory", bufKernel, "constant 8192 : i64", "constant 4096 : i64", "pto-run --check=all --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: 'pto.tabs' op writes \"dst\" (bytes 4096..12287) over \"src\" (bytes 0..8191), which it may not have completely read yet|note: they must be at the same address, element for element, or must not overlap"},
	{"memory", bufKernel, "tile_buf<vec, 32x64xf32>\n  %d", "tile_buf<gm, 32x64xf32>\n  %d", "", "error: use of value '%t' expects different type than prior uses: '!pto.tile_buf<vec, 32x64xf32>' vs '!pto.tile_buf<gm, 32x64xf32>'|note: prior use here"},
	{"sync", bufKernel, "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n", "", "pto-run --check=all --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: [sync] event 0 from PIPE_MTE2 to PIPE_V is still raised when the kernel ends|note: the next kernel on the core would find it raised: insert pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] at the end of all paths that raise it"},
	{"sync", bufKernel, "  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n", "", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: 'pto.wait_flag' op waits for a flag that was never raised: the core would wait forever"},
	{"sync", bufKernel, "  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n", "  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]\n", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: 'pto.wait_flag' op waits for a flag that was never raised: the core would wait forever"},
	{"sync", bufKernel, "pto.set_flag[<PIPE_MTE2>, <PIPE_V>", "pto.set_flag[<PIPE_MTE3>, <PIPE_V>", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: 'pto.wait_flag' op waits for a flag that was never raised: the core would wait forever"},
	{"sync", bufKernel, "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n", "", "pto-opt --verify-sync", "error: [sync] event 0 from PIPE_MTE2 to PIPE_V is still raised when the kernel ends|note: the next kernel on the core would find it raised: insert pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] at the end of all paths that raise it"},
	{"arguments", addKernel, "", "", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32", "error: kernel 'add' has 3 parameters, but 2 --arg options were given; its signature is (%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32)"},
	{"arguments", addKernel, "", "", "pto-run --arg 1.0 --arg zeros=32x64xf32 --arg 1.0", "error: --arg 0 (%x): the parameter is a pointer, so its argument must be a buffer: write in=PATH, inout=PATH, out=PATH:BYTES, out=PATH:SHAPE, rand=SHAPE[,seed=N], zeros=SHAPE, ones=SHAPE, "},
	{"arguments", addKernel, "", "", "pto-run --arg rand=16x64xf32 --arg zeros=32x64xf32 --arg 1.0", "error: 'pto.tload' op accesses memory out of bounds: it reads bytes 4096..4351 of gm buffer 0 (rand=16x64xf32) through \"src\", but the buffer has 4096 bytes|note: this view needs an array of 8192 bytes, such as zeros=32x64xf32, but the array has 4096"},
	{"arguments", addKernel, "", "", "pto-run --arg rand=50x200xf32 --arg zeros=32x64xf32 --arg 1.0", "note: the array of %x has 10000 elements, of which the kernel reaches the first 2048: its largest view is 32x64"},
	{"arguments", addKernel, "", "", "pto-run --arg rand=32x64xf16 --arg zeros=32x64xf32 --arg 1.0", "error: --arg 0 (%x): the parameter points to elements of type f32, but 'rand=32x64xf16' creates elements of type f16"},
	{"arguments", addKernel, "", "", "pto-run --arg random=32x64xf32 --arg zeros=32x64xf32 --arg 1.0", "error: --arg 0 (%x): unknown kind of argument 'random': did you mean 'rand'?"},
	{"arguments", addKernel, "", "", "pto-run --arg in=nowhere.npy --arg zeros=32x64xf32 --arg 1.0", "error: --arg 0 (%x): open nowhere.npy: no such file or directory"},
	{"passes", addKernel, "", "", "pto-opt --pass-pipeline=builtin.module(pto-bufferize", "error: this '(' is not closed"},
	{"passes", addKernel, "", "", "pto-opt --pto-bufferize=reus=true", "error: pass 'pto-bufferize' has no option 'reus'; did you mean 'reuse'?"},
	{"passes", addKernel, "", "", "pto-opt --pto-buferize", "error: unknown flag: --pto-buferize: did you mean --pto-bufferize?"},
	{"passes", addKernel, "", "", "pto-opt --pto-insert-sync", "error: 'pto.tload' op has a tile without a buffer, so the pass cannot determine which instructions access the same memory|note: run pto-bufferize first"},
	{"passes", addKernel, "", "", "pto-opt --pto-plan-memory", "error: 'pto.tload' op has a tile without a buffer, so pto-plan-memory cannot assign an address to it|note: run pto-bufferize first"},
	{"memory", bufKernel, "constant 8192 : i64", "constant 400000 : i64", "", "error: 'pto.alloc_tile' op occupies bytes 400000..408191 of vec, which has 196608 bytes on a3"},
	{"arguments", addKernel, "tstore %d", "tstore %t", "pto-run --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 1.0", "note: nothing reads the tile that 'pto.tadds' computes"},
	{"flags", addKernel, "", "", "pto-opt --pto-arch=a4", "error: unknown profile 'a4' for --pto-arch: expected a2, a3 or a5"},
	{"flags", addKernel, "", "", "pto-opt --emit=c++", "error: unknown kind of output 'c++' for --emit: expected mlir, pto-as, llvm or cpp"},
	{"flags", addKernel, "", "", "pto-run --kernel sub --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 1.0", "error: there is no kernel 'sub'|note: kernels: add"},
}

// TestMistakes makes each mistake: none may pass in silence.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	areas := map[string]int{}
	for _, m := range mistakes {
		areas[m.area]++
		t.Run(m.area+"/"+strings.TrimSpace(m.new+" "+m.command), func(t *testing.T) {
			if !strings.Contains(m.kernel, m.old) {
				t.Fatalf("no %q in the kernel", m.old)
			}
			file := filepath.Join(dir, "k.pto")
			if err := os.WriteFile(file, []byte(strings.Replace(m.kernel, m.old, m.new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(m.command)
			if len(words) == 0 {
				words = []string{"pto-opt"}
			}
			run := map[string]func([]string) (int, string){
				"pto-opt": func(args []string) (int, string) {
					var out, err bytes.Buffer
					code := Opt(args, strings.NewReader(""), &out, &err)
					return code, err.String()
				},
				"pto-run": func(args []string) (int, string) {
					var out, err bytes.Buffer
					code := Run(args, strings.NewReader(""), &out, &err)
					return code, err.String()
				},
			}[words[0]]
			code, answer := run(append([]string{file}, words[1:]...))
			rest := answer
			for part := range strings.SplitSeq(m.want, "|") {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Fatalf("exit %d, no %q in:\n%s", code, part, answer)
				}
				rest = after
			}
		})
	}
	if len(mistakes) < 40 {
		t.Errorf("%d mistakes", len(mistakes))
	}
	t.Log(areas)
}
