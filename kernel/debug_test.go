package kernel_test

import (
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

func TestNpz(t *testing.T) {
	x := kernel.ArrayOf([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	n := kernel.ArrayOf([]int32{-7}, 1)
	data, err := debug.Npz([]debug.NamedArray{{Name: "x@i=1,block=0", Array: x}, {Name: "n", Array: n}, {Name: "n", Array: n}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := debug.ReadNpz(data, 1<<30)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d arrays, %v", len(got), err)
	}
	if got[0].Name != "x@i=1,block=0" || got[1].Name != "n" || got[2].Name != "n#1" {
		t.Errorf("names are %s, %s, %s", got[0].Name, got[1].Name, got[2].Name)
	}
	if s := kernel.Slice[float32](got[0].Array); len(s) != 6 || s[5] != 6 || got[0].Shape[1] != 3 {
		t.Errorf("x is %v of shape %v", s, got[0].Shape)
	}
	if _, err := debug.ReadNpz([]byte("PK\x03\x04 no archive"), 1<<30); err == nil {
		t.Error("no error for what is no archive")
	}
}

func TestParseSelector(t *testing.T) {
	for _, text := range []string{"12", "%sum", "tadd", "pto.tadd", "all", "12@i=3,block=1,core=cube", "%x@round=0x10,item=3"} {
		if _, err := debug.ParseSelector(text, nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "%", "0", "-3", "a b", "12@", "12@i", "12@i=", "12@=3", "12@i=x", "12@core=7x", "12@block=1,,"} {
		if _, err := debug.ParseSelector(text, nil); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestCapture looks at a tile that is added to itself in place: the operand is what
// it was before.
func TestCapture(t *testing.T) {
	const text = `
func.func @twice(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  return
}`
	prog, err := kernel.Load(&ir.Source{Name: "twice.pto", Text: text}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := debug.ParseSelector("tadd", nil)
	d := debug.NewDump(s)
	plan, err := prog.Plan(runtime.Options{Listeners: []runtime.Listener{d}})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Run(kernel.ArrayOf([]float32{1, 2, 3, 4, 5, 6, 7, 8})); err != nil {
		t.Fatal(err)
	}
	if n := len(d.Kept()); n != 1 {
		t.Fatalf("%d executions", n)
	}
	x := d.Kept()[0]
	if len(x.Operands) != 2 || len(x.Results) != 1 {
		t.Fatalf("%d operands, %d results", len(x.Operands), len(x.Results))
	}
	if a, b := x.Operands[0].Float(7), x.Results[0].Float(7); a != 8 || b != 16 {
		t.Errorf("the operand is %g, the result %g", a, b)
	}
}
