package advise

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// sumOfRows returns a kernel that adds the elements of 16 rows of 128 columns in pieces of
// the given number of columns, and multiplies each piece by a factor.
func sumOfRows(piece int, factor string) string {
	return fmt.Sprintf(`func.func @k(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c16 = arith.constant 16 : index
  %%step = arith.constant %[1]d : index
  %%c128 = arith.constant 128 : index
  %%zero = arith.constant 0.0 : f32
  %%factor = arith.constant %[2]s : f32
  %%xs = pto.make_tensor_view %%x, shape = [%%c16, %%c128], strides = [%%c128, %%c1] : !pto.tensor_view<16x128xf32>
  %%ys = pto.make_tensor_view %%y, shape = [%%c1, %%c16], strides = [%%c16, %%c1] : !pto.tensor_view<1x16xf32>
  %%yp = pto.partition_view %%ys, offsets = [%%c0, %%c0], sizes = [%%c1, %%c16] : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %%none = pto.texpands %%zero : f32 -> !pto.tile<1x16xf32>
  %%sum = scf.for %%col = %%c0 to %%c128 step %%step iter_args(%%l = %%none) -> (!pto.tile<1x16xf32>) {
    %%xp = pto.partition_view %%xs, offsets = [%%c0, %%col], sizes = [%%c16, %%step] : !pto.tensor_view<16x128xf32> -> !pto.partition_tensor_view<16x%[1]dxf32>
    %%t = pto.tload %%xp : !pto.partition_tensor_view<16x%[1]dxf32> -> !pto.tile<16x%[1]dxf32>
    %%u = pto.tmuls %%t, %%factor : (!pto.tile<16x%[1]dxf32>, f32) -> !pto.tile<16x%[1]dxf32>
    %%here = pto.trowsum %%u : !pto.tile<16x%[1]dxf32> -> !pto.tile<16x1xf32, blayout=col_major>
    %%row = pto.treshape %%here : !pto.tile<16x1xf32, blayout=col_major> -> !pto.tile<1x16xf32>
    %%next = pto.tadd %%l, %%row : (!pto.tile<1x16xf32>, !pto.tile<1x16xf32>) -> !pto.tile<1x16xf32>
    scf.yield %%next : !pto.tile<1x16xf32>
  }
  pto.tstore %%sum, %%yp : (!pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>) -> ()
  return
}
`, piece, factor)
}

// TestRoundingErrors checks that a program with other rounding errors is accepted, and that
// one which computes another function is not, even if the difference is small.
func TestRoundingErrors(t *testing.T) {
	args := func(_, set int) ([]runtime.Arg, error) {
		r := rand.New(rand.NewPCG(1, uint64(set)))
		x := make([]byte, 16*128*4)
		for at := 0; at < len(x); at += 4 {
			binary.LittleEndian.PutUint32(x[at:], math.Float32bits(r.Float32()))
		}
		return []runtime.Arg{{Buf: &runtime.Buffer{Data: x}}, {Buf: &runtime.Buffer{Data: make([]byte, 16*4)}}}, nil
	}
	lab, err := NewLab(Launch{
		Source: &ir.Source{Name: "k.pto", Text: sumOfRows(32, "1.0")}, Args: args, Sets: 3, Names: []string{"%x", "%y"}, Elems: []ir.Type{ir.F32, ir.F32},
		Memory: 1 << 30, MostExpressions: 1 << 20, Reassociate: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, wrong string }{
		{sumOfRows(128, "1.0"), ""},
		{sumOfRows(64, "1.0"), ""},
		{sumOfRows(128, "1.0000001"), "element 0 of %y is"},
		{sumOfRows(128, "0.0"), "element 0 of %y is"},
	} {
		p, err := kernel.Load(&ir.Source{Name: "variant.pto", Text: c.text}, kernel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var proof Proof
		if err := lab.compareErrors(&proof, &program{Program: p}, 1); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(proof.Wrong, c.wrong) || (c.wrong == "") != (proof.Wrong == "") {
			t.Errorf("wrong: %q, expected %q; rounding: %s", proof.Wrong, c.wrong, proof.Rounding)
		}
		if c.wrong == "" && !strings.Contains(proof.Rounding, "for %y; in float64, the largest difference is") {
			t.Errorf("rounding: %q", proof.Rounding)
		}
	}
}
