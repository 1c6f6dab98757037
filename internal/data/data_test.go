package data

import (
	"errors"
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
)

const scale = `
func.func @scale(%x: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %xs = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %d = pto.tmuls %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tstore %d, %xp : !pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>
  return
}
`

func load(t *testing.T) *kernel.Program {
	t.Helper()
	prog, err := kernel.Load(&ir.Source{Name: "scale.pto", Text: scale}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestMadeUp checks that generated arguments are large enough and have the syntax of
// --arg.
func TestMadeUp(t *testing.T) {
	prog := load(t)
	specs := MadeUp(prog)
	if len(specs) != 2 || specs[1] != "1.5" {
		t.Fatalf("specs %q", specs)
	}
	for i, p := range prog.Params() {
		a, err := Parse(specs[i], p, Place{Ranks: 1})
		if err != nil {
			t.Fatalf("%s: %v", specs[i], err)
		}
		if a.Array != nil && len(a.Array.Data) < 16*64*4 {
			t.Errorf("%s has %d bytes, but the kernel needs %d", specs[i], len(a.Array.Data), 16*64*4)
		}
	}
}

// TestParseReads checks that Parse reads files through the function of the caller, and
// returns the caller's errors unchanged.
func TestParseReads(t *testing.T) {
	prog := load(t)
	files := map[string][]byte{"x.npy": kernel.ArrayOf([]float32{1, 2, 3, 4}, 2, 2).Npy()}
	missing := errors.New("this file is missing")
	at := Place{Ranks: 1, Read: func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, missing
	}}
	a, err := Parse("in=x.npy", prog.Params()[0], at)
	if err != nil || a.Array.Float(3) != 4 || a.Target != "" {
		t.Errorf("argument %+v, error %v", a, err)
	}
	if a, err := Parse("inout=x.npy", prog.Params()[0], at); err != nil || a.Target != "x.npy" {
		t.Errorf("argument %+v, error %v", a, err)
	}
	if _, err := Parse("in=y.npy", prog.Params()[0], at); !errors.Is(err, missing) {
		t.Errorf("error %v", err)
	}
}
