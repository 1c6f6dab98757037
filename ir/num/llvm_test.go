//go:build llvm

package num

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestFormatFloatMLIR compares FormatFloat with the output of mlir-opt.
func TestFormatFloatMLIR(t *testing.T) {
	tool, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		t.Skip("mlir-opt-19 is not installed")
	}
	type constant struct {
		f    Format
		bits uint64
	}
	var all []constant
	for i, b := range wideBits() {
		all = append(all, constant{F64, b}, constant{F32, b >> 32})
		if i%4 == 0 {
			all = append(all, constant{F16, b >> 48}, constant{BF16, b >> 48}, constant{TF32, b >> 45},
				constant{F8E4M3FN, b >> 56}, constant{F8E5M2, b >> 56})
		}
	}
	var src strings.Builder
	src.WriteString("func.func @f() {\n")
	for i, c := range all {
		fmt.Fprintf(&src, "%%%d = arith.constant %s : %v\n", i, hexFloat(c.f, c.bits&c.f.Mask()), c.f)
	}
	src.WriteString("return\n}\n")

	cmd := exec.Command(tool)
	cmd.Stdin = strings.NewReader(src.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("mlir-opt-19: %v", err)
	}
	i := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		_, rest, ok := strings.Cut(lines.Text(), "arith.constant ")
		if !ok {
			continue
		}
		want, _, _ := strings.Cut(rest, " : ")
		c := all[i]
		i++
		if got := FormatFloat(c.f, c.bits); got != want {
			t.Errorf("%v %#x: got %s, mlir-opt prints %s", c.f, c.bits&c.f.Mask(), got, want)
		}
		if got, err := ParseFloat(c.f, want); err != nil || got != c.bits&c.f.Mask() {
			t.Errorf("%v %s: read as %#x, %v", c.f, want, got, err)
		}
	}
	if i != len(all) {
		t.Errorf("mlir-opt printed %d of %d constants", i, len(all))
	}
}
