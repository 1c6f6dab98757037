package examples

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// mistakes are changes of examples that a new user may make, with what pto-run must say
// and its exit code. docs/measurements/checking.md grades them.
var mistakes = []struct {
	file, args, old, new string
	want                 string
	code                 int
}{
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `pto.tdivs`, `pto.tdiv`, `'pto.tdiv' op: operand "src1" must be a !pto.tile of f32 in vec, blayout=row_major, as "src0" is, but is f32`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `pto.tdivs`, `pto.tdivz`, `did you mean 'pto.tdiv'?`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `%t, %s :`, `%t, %d :`, `use of value`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `-> !pto.tile<32x64xf32>
  pto.tstore`, `-> !pto.tile<32x32xf32>
  pto.tstore`, `use of value '%d' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<32x32xf32>'`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `!pto.partition_tensor_view<32x64xf32> -> !pto.tile<32x64xf32>`, `!pto.partition_tensor_view<32x64xf32> -> !pto.tile<64x32xf32>`, `use of value '%t' expects different type than prior uses: '!pto.tile<32x64xf32>' vs '!pto.tile<64x32xf32>'`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `strides = [%cols, %c1] : !pto.tensor_view<32x64xf32>
  %ys`, `strides = [%c1, %cols] : !pto.tensor_view<32x64xf32>
  %ys`, `the strides of this view make its layout dn`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `%s: f32`, `%s: f16`, `use of value '%s' expects different type than prior uses: 'f32' vs 'f16'`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `  return
`, ``, `does not end in a terminator`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %yp`, `offsets = [%c1, %c0], sizes = [%rows, %cols] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>
  %yp`, `'pto.partition_view' op selects rows 1..32 of a view with 32 rows`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", `%rows = arith.constant 32 : index`, `%rows = arith.constant 32 : i32`, `use of value '%rows' expects different type than prior uses: 'index' vs 'i32'`, 1},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32", ``, ``, `kernel 'divide' has 3 parameters, but 2 --arg options were given; its signature is (%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32)`, 2},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=16x64xf32 --arg 3.0", ``, ``, `such as zeros=32x64xf32`, 4},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf16 --arg zeros=32x64xf32 --arg 3.0", ``, ``, `--arg 0 (%x): the parameter points to elements of type f32, but 'rand=32x64xf16' creates elements of type f16`, 2},
	{"divide.pto", "--pto-arch=a7 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0", ``, ``, `unknown profile 'a7' for --pto-arch: expected a2, a3 or a5`, 2},
	{"divide.pto", "--pto-arch=a5 --arg rand=32x64xf32 --arg zeros=32x64xf32 --arg 3.0 --checks=all", ``, ``, `unknown flag: --checks: did you mean --check?`, 2},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32", `pto.trowmax %t`, `pto.trowmax %x`, `use of value '%x' expects different type than prior uses: '!pto.tile<16x64xf32>' vs '!pto.ptr<f32>'`, 1},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32", `!pto.tile<16x1xf32, blayout=col_major>
    %e`, `!pto.tile<16x1xf32>
    %e`, `use of value '%max' expects different type than prior uses: '!pto.tile<16x1xf32, blayout=col_major>' vs '!pto.tile<16x1xf32>'`, 1},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32", `%p = pto.trowexpanddiv %e, %sum`, `%p = pto.trowexpanddiv %sum, %e`, `use of value '%sum' expects different type than prior uses: '!pto.tile<16x64xf32>' vs '!pto.tile<16x1xf32, blayout=col_major>'`, 1},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32 --check=all", `scf.for %row = %first to %rows step %stride {`, `scf.for %row = %first to %rows step %c16 {`, `no synchronization orders the two blocks`, 5},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32 --check=all", `scf.for %row = %first to %rows step %stride {`, `scf.for %row = %c0 to %rows step %stride {`, `no synchronization orders the two blocks`, 5},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32 --check=all", `    pto.tstore %p`, `    pto.tstore %e`, `nothing reads the tile that 'pto.trowexpanddiv' computes`, 5},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32", `%i = arith.index_cast %block : i64 to index`, `%i = arith.index_cast %block : i32 to index`, `use of value '%block' expects different type than prior uses: 'i32' vs 'i64'`, 1},
	{"softmax.pto", "--blocks 2 --arg rand=32x64xf32 --arg zeros=32x64xf32", `offsets = [%row, %c0], sizes = [%c16, %cols] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %t`, `offsets = [%row, %c16], sizes = [%c16, %cols] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %t`, `'pto.partition_view' op selects columns 16..79 of a view with 64 columns`, 1},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32 --check=all", `    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
`, ``, `[race] RAW in bytes 0..255 of ub (%ub_a): 'pto.vlds' on PIPE_V reads what 'pto.mte_gm_ub' on PIPE_MTE2 may not have written yet`, 5},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32 --check=all", `    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
`, ``, `[sync] event 0 from PIPE_V to PIPE_MTE3 is still raised when the kernel ends`, 5},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
`, ``, `'pto.wait_flag' op waits for a flag that was never raised: the core would wait forever`, 4},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]`, `pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]`, `'pto.wait_flag' op waits for a flag that was never raised: the core would wait forever`, 4},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32 --check=all", `%at_b = arith.constant 4096`, `%at_b = arith.constant 2048`, `but another allocation overwrote bytes`, 5},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `%at_r = arith.constant 8192`, `%at_r = arith.constant 262144`, `'pto.vsts' op accesses memory out of bounds: it writes bytes 262144..262399 of ub through "destination", but ub has 262144 bytes on a5`, 4},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `%bytes = arith.constant 4000`, `%bytes = arith.constant 4096`, `--gm-slack=BYTES`, 4},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `%at_a = arith.constant 0 : i64`, `%at_a = arith.constant 4 : i64`, `'pto.mte_gm_ub' op accesses a misaligned address: it writes ub address 0x4 through "destination", but the address must be a multiple of 32 bytes`, 4},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `pto.vdiv %x, %y, %mask`, `pto.vdiv %x, %y`, `'pto.vdiv' op expects 3 operands here, found 2`, 1},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `pto.target_arch = "a5"`, `pto.target_arch = "a3"`, `a5 has them`, 0},
	{"ratio.pto", "--arg iota=1000xf32 --arg fill=8.0,1000xf32 --arg zeros=1000xf32", `pto.plt_b32 %left`, `pto.plt_b16 %left`, `'pto.plt_b16' op: result "mask" must be !pto.mask<b16>, but is !pto.mask<b32>`, 1},
	{"gemm.pto", "--kernel gemm_f16 --arg rand=32x128xf16 --arg rand=128x32xf16 --arg zeros=32x32xf32", `%next = pto.tmatmul.acc %acc, %a_left, %b_right`, `%next = pto.tmatmul.acc %acc, %b_right, %a_left`, `use of value '%b_right' expects different type than prior uses: '!pto.tile<32x32xf16, loc=left, blayout=col_major, slayout=row_major>' vs '!pto.tile<32x32xf16, loc=right, slayout=col_major>'`, 1},
	{"gemm.pto", "--kernel gemm_f16 --arg rand=32x128xf16 --arg rand=128x32xf16 --arg zeros=32x32xf32", `%a0_left = pto.tmov %a0_mat : !mat_f16 -> !left_f16`, `%a0_left = pto.tmov %a0_mat : !mat_f16 -> !right_f16`, `use of value '%a0_left' expects different type than prior uses: '!pto.tile<32x32xf16, loc=left, blayout=col_major, slayout=row_major>' vs '!pto.tile<32x32xf16, loc=right, slayout=col_major>'`, 1},
	{"gemm.pto", "--kernel gemm_f16 --arg rand=32x128xf16 --arg rand=128x32xf16 --arg zeros=32x32xf32 --check=all", `scf.yield %next : !acc_f32`, `scf.yield %acc : !acc_f32`, `nothing reads the tile that 'pto.tmatmul.acc' computes`, 5},
	{"gemm.pto", "--kernel gemm_f16 --arg rand=32x128xf16 --arg rand=128x32xf16 --arg zeros=32x32xf32", `%first = pto.tmatmul %a0_left, %b0_right`, `%first = pto.tmatmul %a0_mat, %b0_right`, `use of value '%a0_mat' expects different type than prior uses: '!pto.tile<32x32xf16, loc=left, blayout=col_major, slayout=row_major>' vs '!pto.tile<32x32xf16, loc=mat, blayout=col_major, slayout=row_major>'`, 1},
	{"vector_softmax.pto", "--arg rand=32x64xf32 --arg zeros=32x64xf32 --check=all", `    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
`, ``, `[sync] event 1 from PIPE_MTE2 to PIPE_V is still raised when the kernel ends`, 5},
	{"vector_softmax.pto", "--arg rand=32x64xf32 --arg zeros=32x64xf32", `func.call @rows(%b)`, `func.call @row(%b)`, `did you mean 'rows'?`, 1},
}

// TestMistakes makes one mistake after the other. None is silent.
func TestMistakes(t *testing.T) {
	for _, m := range mistakes {
		text, err := os.ReadFile(filepath.Join(root, "examples", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), m.old) {
			t.Errorf("%s has no %q", m.file, m.old)
			continue
		}
		path := filepath.Join(t.TempDir(), m.file)
		wrong := strings.Replace(string(text), m.old, m.new, 1)
		if m.old == "" {
			wrong = string(text) // the mistake is in the arguments
		}
		if err := os.WriteFile(path, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		if code := cli.Run(append([]string{path}, strings.Fields(m.args)...), nil, io.Discard, &said); code != m.code || !strings.Contains(said.String(), m.want) {
			t.Errorf("%s with %q for %q: exit code %d, want %d and %q:\n%s", m.file, m.new, m.old, code, m.code, m.want, &said)
		}
	}
}
