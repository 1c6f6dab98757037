package run

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/data"
	"ptogo/kernel"
)

// ptoRun runs pto-run without a server for --serve.
func ptoRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Main(nil, args, stdin, stdout, stderr)
}

// runKernel runs pto-run without standard input.
func runKernel(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = ptoRun(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// TestRunFiles runs a kernel on files, raw and .npy, and compares the result.
func TestRunFiles(t *testing.T) {
	dir := t.TempDir()
	in, raw, npy := filepath.Join(dir, "in.bin"), filepath.Join(dir, "out.bin"), filepath.Join(dir, "out.npy")
	x := make([]float32, 32*64)
	want := make([]float32, len(x))
	for i := range x {
		x[i], want[i] = float32(i), float32(i)/4
	}
	os.WriteFile(in, clitest.Floats(x...), 0o644)
	if code, _, err := runKernel(clitest.Divide, "--arg", "in="+in, "--arg", "out="+raw+":8192", "--arg", "4.0"); code != exit.OK {
		t.Fatalf("code %d: %s", code, err)
	}
	if got, _ := os.ReadFile(raw); !bytes.Equal(got, clitest.Floats(want...)) {
		t.Error("raw output differs")
	}
	if code, _, err := runKernel(clitest.Divide, "--arg", "in="+in, "--arg", "out="+npy+":32x64xf32", "--arg", "4.0"); code != exit.OK {
		t.Fatalf("code %d: %s", code, err)
	}
	// What was written as .npy is read back, and equals the raw file.
	code, out, err := runKernel(clitest.Divide, "--arg", "inout="+npy, "--arg", "zeros=32x64xf32", "--arg", "1.0", "--expect", "1="+raw)
	if code != exit.OK || !strings.Contains(out, "argument 1 equals") {
		t.Errorf("code %d: %s%s", code, out, err)
	}
}

// TestRunCompare checks what a failed comparison says.
func TestRunCompare(t *testing.T) {
	want := filepath.Join(t.TempDir(), "want.bin")
	x := make([]float32, 32*64)
	x[65] = 7
	os.WriteFile(want, clitest.Floats(x...), 0o644)
	args := []string{clitest.Divide, "--arg", "zeros=32x64xf32", "--arg", "zeros=32x64xf32", "--arg", "2.0"}
	code, out, _ := runKernel(append(args, "--expect", "1="+want)...)
	if code != exit.Compare || !strings.Contains(out, "1 of 2048 elements") || !strings.Contains(out, "[1, 1]  got 0, expected 7, off by 7") {
		t.Errorf("code %d: %s", code, out)
	}
	if code, out, _ = runKernel(append(args, "--expect", "1="+want+",atol=7")...); code != exit.OK {
		t.Errorf("code %d: %s", code, out)
	}
}

// TestRunBadInput gives pto-run arguments that do not fit.
func TestRunBadInput(t *testing.T) {
	dir := t.TempDir()
	short := filepath.Join(dir, "short.bin")
	os.WriteFile(short, make([]byte, 100), 0o644)
	odd := filepath.Join(dir, "odd.bin")
	os.WriteFile(odd, make([]byte, 8191), 0o644)
	loop := filepath.Join(dir, "loop.pto")
	os.WriteFile(loop, []byte(`func.func @loop() attributes {pto.kernel} {
  scf.while : () -> () {
    %true = arith.constant true
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}
`), 0o644)
	zeros := "zeros=32x64xf32"
	for _, tc := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no file", nil, exit.Usage, "expected one file"},
		{"two files", []string{clitest.Divide, "b.pto"}, exit.Usage, "divide.pto and b.pto"},
		{"argument without flag", []string{clitest.Divide, zeros}, exit.Usage, "for an argument of the kernel write --arg " + zeros},
		{"no arguments", []string{clitest.Divide}, exit.Usage, "such as --arg rand=32x64xf32 --arg rand=32x64xf32 --arg 1.0"},
		{"no number", []string{clitest.Divide, "--arg", zeros, "--arg", zeros, "--arg", "abc"}, exit.Usage, "write a number such as 3.0"},
		{"blocks", []string{clitest.Divide, "--blocks", "x"}, exit.Usage, "'x' is not a value for --blocks: expected a whole number"},
		{"workers", []string{clitest.Divide, "--workers", "-3"}, exit.Usage, "must not be negative"},
		{"no kernel", []string{os.DevNull}, exit.Diag, "a kernel is a function with a body"},
		{"missing file", []string{filepath.Join(dir, "none.pto")}, exit.Diag, "no such file"},
		{"unknown kernel", []string{clitest.Divide, "--kernel", "divid"}, exit.Diag, "did you mean 'divide'?"},
		{"argument count", []string{clitest.Divide, "--arg", zeros}, exit.Usage, "has 3 parameters, but 1 --arg options were given"},
		{"pointer for scalar", []string{clitest.Divide, "--arg", zeros, "--arg", zeros, "--arg", zeros}, exit.Usage, "--arg 2 (%s): the parameter is a scalar of type f32"},
		{"scalar for pointer", []string{clitest.Divide, "--arg", "3.0", "--arg", zeros, "--arg", "3.0"}, exit.Usage, "--arg 0 (%x): the parameter is a pointer"},
		{"unknown kind", []string{clitest.Divide, "--arg", "zeroes=32x64xf32", "--arg", zeros, "--arg", "3.0"}, exit.Usage, "did you mean 'zeros'?"},
		{"scalar range", []string{"../../../examples/clamp.pto", "--arg", zeros, "--arg", zeros, "--arg", "1.0", "--arg", "2.0", "--arg", "3000000000000"}, exit.Usage, "out of range for type i32"},
		{"float range", []string{clitest.Divide, "--arg", zeros, "--arg", zeros, "--arg", "1e99"}, exit.Usage, "1e99 is out of range for type f32: write inf"},
		{"infinity", []string{clitest.Divide, "--arg", zeros, "--arg", zeros, "--arg", "-inf", "--max-steps", "1"}, exit.Fault, "did not finish within the limit of 1 step"},
		{"missing data", []string{clitest.Divide, "--arg", "in=" + filepath.Join(dir, "none"), "--arg", zeros, "--arg", "3.0"}, exit.Usage, "no such file"},
		{"size of file", []string{clitest.Divide, "--arg", "in=" + odd, "--arg", zeros, "--arg", "3.0"}, exit.Usage, "is not a multiple of the 4 bytes of type f32"},
		{"load outside", []string{clitest.Divide, "--arg", "in=" + short, "--arg", zeros, "--arg", "3.0"}, exit.Fault, "pto.tload"},
		{"store outside", []string{clitest.Divide, "--arg", zeros, "--arg", "zeros=31x64xf32", "--arg", "3.0"}, exit.Fault, "pto.tstore"},
		{"endless loop", []string{loop, "--max-steps", "1000"}, exit.Fault, "1000 steps"},
		{"expectation", []string{clitest.Divide, "--arg", zeros, "--arg", zeros, "--arg", "3.0", "--expect", "7=x"}, exit.Usage, "must name a pointer argument"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, _, err := runKernel(tc.args...)
			if code != tc.code || !strings.Contains(err, tc.want) {
				t.Errorf("code %d, want %d with %q in\n%s", code, tc.code, tc.want, err)
			}
		})
	}
}

// TestRunFault checks that a fault names the instruction and its line, and
// that output files stay as they were.
func TestRunFault(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.bin")
	os.WriteFile(out, []byte("precious"), 0o644)
	code, _, err := runKernel(clitest.Divide, "--arg", "zeros=4x64xf32", "--arg", "out="+out+":8192", "--arg", "3.0")
	if code != exit.Fault || !strings.Contains(err, "divide.pto:23:8: error: 'pto.tload' op") {
		t.Errorf("code %d: %s", code, err)
	}
	if !strings.Contains(err, "this view needs an array of 8192 bytes, such as zeros=32x64xf32, but the array has 1024") {
		t.Errorf("no note names the way out:\n%s", err)
	}
	if b, _ := os.ReadFile(out); string(b) != "precious" {
		t.Errorf("file holds %q", b)
	}
}

// TestRunMistakes makes the mistakes that authors of kernels make; the answer
// names the way out.
func TestRunMistakes(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, a *kernel.Array) string {
		path := filepath.Join(dir, name)
		os.WriteFile(path, a.Npy(), 0o644)
		return path
	}
	doubles, _ := kernel.NewArray("32x64xf64")
	ints, _ := kernel.NewArray("32x64xi32")
	archive := filepath.Join(dir, "a.npz")
	os.WriteFile(archive, []byte("PK\x03\x04"), 0o644)
	zeros := "zeros=32x64xf32"
	for _, tc := range []struct{ arg, want string }{
		{"in=" + put("d.npy", doubles), "has elements of type f64, but the parameter points to elements of type f32; convert it with .astype(numpy.float32)"},
		{"in=" + put("i.npy", ints), "has elements of type i32, but the parameter points to elements of type f32"},
		{"in=" + archive, "is an archive of arrays"},
		{"rand=32x64xf16", "the parameter points to elements of type f32, but 'rand=32x64xf16' creates elements of type f16"},
		{"rand=32x64xf32, sed=3", "unknown option 'sed=3': expected seed=N"},
	} {
		if code, _, err := runKernel(clitest.Divide, "--arg", tc.arg, "--arg", zeros, "--arg", "3.0"); code != exit.Usage || !strings.Contains(err, tc.want) {
			t.Errorf("%s: code %d: %s", tc.arg, code, err)
		}
	}
	if code, _, err := runKernel(clitest.Divide, "--args", "x"); code != exit.Usage || !strings.Contains(err, "unknown flag: --args: did you mean --arg?") {
		t.Errorf("code %d: %s", code, err)
	}
	for _, at := range []string{filepath.Join(dir, "none", "y.npy"), dir} {
		_, _, err := runKernel(clitest.Divide, "--arg", "zeros=1xf32", "--arg", "out="+at+":32x64xf32", "--arg", "3.0")
		if !strings.Contains(err, "open "+at+": ") || strings.Contains(err, "pto.tload") {
			t.Errorf("a file that cannot be written is no surprise at the end of a run: %s", err)
		}
	}
	lost := filepath.Join(dir, "none", "y.npy")
	if _, _, err := runKernel(clitest.Divide, "--arg", zeros, "--arg", "out="+lost+":32x64xf32", "--arg", "3.0"); !strings.Contains(err, "open "+lost+": no such file") {
		t.Error(err)
	}
}

// TestRunBF16 takes elements as package ml_dtypes has them in .npy files, and
// compares with floats of other types.
func TestRunBF16(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	os.WriteFile(path("copy.pto"), []byte(`func.func @copy(%x: !pto.ptr<bf16>, %y: !pto.ptr<bf16>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %xs = pto.make_tensor_view %x, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xbf16>
  %ys = pto.make_tensor_view %y, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xbf16>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<1x16xbf16> -> !pto.partition_tensor_view<1x16xbf16>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<1x16xbf16> -> !pto.partition_tensor_view<1x16xbf16>
  %t = pto.tload %xp : !pto.partition_tensor_view<1x16xbf16> -> !pto.tile<1x16xbf16>
  pto.tstore %t, %yp : (!pto.tile<1x16xbf16>, !pto.partition_tensor_view<1x16xbf16>) -> ()
  return
}
`), 0o644)
	bits, _ := data.Generated("fill", "16256,1x16xui16") // the bits of 1
	os.WriteFile(path("x.npy"), bytes.Replace(bits.Npy(), []byte("'<u2'"), []byte("'|V2'"), 1), 0o644)
	for _, elem := range []string{"f16", "f32", "f64"} {
		want, _ := data.Generated("fill", "1.01,1x16x"+elem)
		os.WriteFile(path("want.npy"), want.Npy(), 0o644)
		args := []string{path("copy.pto"), "--arg", "in=" + path("x.npy"), "--arg", "zeros=1x16xbf16", "--expect", "y=" + path("want.npy")}
		if code, out, err := runKernel(args...); code != exit.Compare || !strings.Contains(out, "got 1, expected 1.0") {
			t.Errorf("%s: code %d: %s%s", elem, code, out, err)
		}
		args[len(args)-1] += ",rtol=0.011"
		if code, out, err := runKernel(args...); code != exit.OK {
			t.Errorf("%s: code %d: %s%s", elem, code, out, err)
		}
		args[2] = "in=" + path("want.npy")
		if code, _, err := runKernel(args...); code != exit.Usage || !strings.Contains(err, "bf16, which numpy does not have; save an array of package ml_dtypes") {
			t.Errorf("%s: code %d: %s", elem, code, err)
		}
	}
}

// TestRunExpectInt64 compares integers that are one and the same float64.
func TestRunExpectInt64(t *testing.T) {
	dir := t.TempDir()
	kernel, have, want := filepath.Join(dir, "k.pto"), filepath.Join(dir, "have.bin"), filepath.Join(dir, "want.bin")
	for _, elem := range []string{"i64", "ui64"} {
		os.WriteFile(kernel, []byte("func.func @k(%x: !pto.ptr<"+elem+">) attributes {pto.kernel} {\n  return\n}\n"), 0o644)
		os.WriteFile(have, binary.LittleEndian.AppendUint64(nil, 1<<53+1), 0o644)
		os.WriteFile(want, binary.LittleEndian.AppendUint64(nil, 1<<53), 0o644)
		args := []string{kernel, "--arg", "in=" + have, "--expect", "0=" + want}
		if code, out, err := runKernel(args...); code != exit.Compare || !strings.Contains(out, "got 9007199254740993, expected 9007199254740992, off by 1\n") {
			t.Errorf("%s: code %d: %s%s", elem, code, out, err)
		}
		args[len(args)-1] += ",atol=1"
		if code, out, err := runKernel(args...); code != exit.OK {
			t.Errorf("%s: code %d: %s%s", elem, code, out, err)
		}
	}
}

// TestRunExpectByName names the argument to compare.
func TestRunExpectByName(t *testing.T) {
	want := filepath.Join(t.TempDir(), "want.bin")
	os.WriteFile(want, clitest.Floats(make([]float32, 32*64)...), 0o644)
	args := []string{clitest.Divide, "--arg", "ones=32x64xf32", "--arg", "zeros=32x64xf32", "--arg", "inf"}
	for _, name := range []string{"y", "%y", "1"} {
		if code, out, err := runKernel(append(args, "--expect", name+"="+want)...); code != exit.OK || !strings.Contains(out, "argument 1 equals") {
			t.Errorf("%s: code %d: %s%s", name, code, out, err)
		}
	}
	if code, _, err := runKernel(append(args, "--expect", "z="+want)...); code != exit.Usage || !strings.Contains(err, "--expect z must name a pointer argument") {
		t.Errorf("code %d: %s", code, err)
	}
}
