package headercheck

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli"
	"ptogo/ir"
)

// TestSplitKernels compiles the C++ of split kernels with the NPU headers, for each kind
// of core by itself: queues in both directions, of whole tiles and of tiles whose number of
// rows is known at run time only.
func TestSplitKernels(t *testing.T) {
	h, err := NewHeaders(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		for _, rows := range []string{"32", "?"} {
			text := splitKernels(t, target, rows)
			for _, other := range []string{"VEC", "CUBE"} {
				file := filepath.Join(h.dir, "split.cpp")
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				messages, err := h.run(target, "-DWITHOUT_"+other, "-include", filepath.Join(h.dir, "queues.hpp"), "-fsyntax-only", file)
				found := errorsIn(messages)
				if len(found) > 0 || err != nil && messages == "" {
					t.Errorf("%s, %s rows, without %s: %v\n%s", sem.ProfileName(target), rows, other, err, strings.Join(found, "\n"))
				}
			}
		}
	}
}

// errorsIn returns the errors in the compiler's messages, without those that device.hpp
// causes: its qualifier of global memory is one that std::remove_cv removes, so the type
// of a view's address differs from that of its elements.
func errorsIn(messages string) []string {
	var found []string
	for line := range strings.Lines(messages) {
		if strings.Contains(line, "error: ") && !strings.Contains(line, "'std::is_same_v<float, volatile float>'") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// splitKernels returns the C++ of a split and pipelined function.
func splitKernels(t *testing.T, target ir.Target, rows string) string {
	t.Helper()
	var valid string
	if rows == "?" {
		valid = ", valid=?x16"
	}
	program := strings.NewReplacer("VALID", valid, "ROWS", rows).Replace(splitProgram)
	in := filepath.Join(t.TempDir(), "split.pto")
	if err := os.WriteFile(in, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{in, "--pto-arch=" + sem.ProfileName(target), "--pto-split-cores=slots=3", "--pto-pipeline-cores=stages=3", "--enable-insert-sync", "--emit=cpp"}
	if code := cli.Opt(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	var b strings.Builder
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "#include") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// splitProgram is a function with two products. The vector cores do nothing but pass the
// tile on.
const splitProgram = `
!mat = !pto.tile<32x16xf32, loc=matVALID, blayout=col_major, slayout=row_major>
!left = !pto.tile<32x16xf32, loc=leftVALID, blayout=col_major, slayout=row_major>
!acc = !pto.tile<32x16xf32, loc=accVALID, blayout=col_major, slayout=row_major, fractal=1024>
!tile = !pto.tile<32x16xf32VALID>
!square = !pto.tile<16x16xf32, loc=mat, blayout=col_major, slayout=row_major>
!right = !pto.tile<16x16xf32, loc=right, slayout=col_major>
!view = !pto.tensor_view<?x16xf32>
!part = !pto.partition_tensor_view<ROWSx16xf32>
func.func @layers(%x: !pto.ptr<f32>, %w: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%n, %c16], strides = [%c16, %c1] : !view
  %wv = pto.make_tensor_view %w, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%n, %c16], strides = [%c16, %c1] : !view
  %wp = pto.partition_view %wv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !view -> !pto.partition_tensor_view<16x16xf32>
  %wm = pto.tload %wp : !pto.partition_tensor_view<16x16xf32> -> !square
  %r = pto.tmov %wm : !square -> !right
  scf.for %i = %c0 to %n step %c32 {
    %ahead = arith.subi %n, %i : index
    %rows = arith.minsi %ahead, %c32 : index
    %xp = pto.partition_view %xv, offsets = [%i, %c0], sizes = [%rows, %c16] : !view -> !part
    %yp = pto.partition_view %yv, offsets = [%i, %c0], sizes = [%rows, %c16] : !view -> !part
    %m = pto.tload %xp : !part -> !mat
    %l = pto.tmov %m : !mat -> !left
    %acc = pto.tmatmul %l, %r : (!left, !right) -> !acc
    %t = pto.tmov %acc : !acc -> !tile
    %sm = pto.tmov %t : !tile -> !mat
    %sl = pto.tmov %sm : !mat -> !left
    %acc2 = pto.tmatmul %sl, %r : (!left, !right) -> !acc
    %t2 = pto.tmov %acc2 : !acc -> !tile
    pto.tstore %t2, %yp : (!tile, !part) -> ()
  }
  return
}
`
