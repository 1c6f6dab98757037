package data_test

import (
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/runtime"
)

// TestSnapshot verifies that a snapshot shares the array that a kernel only reads, copies
// the others, and restores both arrays of equal bytes and others.
func TestSnapshot(t *testing.T) {
	const text = `
func.func @k(%read: !pto.ptr<i8>, %blank: !pto.ptr<i8>, %full: !pto.ptr<i8>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %x = pto.load_scalar %read[%c0] : !pto.ptr<i8> -> i8
  pto.store_scalar %x, %blank[%c0] : !pto.ptr<i8>, i8
  pto.store_scalar %x, %full[%c0] : !pto.ptr<i8>, i8
  return
}
`
	module, err := ir.Parse(&ir.Source{Name: "test.pto", Text: text}, ir.ParseOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	start := []string{"abc", "zzz", "xyz"}
	var args []*data.Arg
	for _, s := range start {
		args = append(args, &data.Arg{Value: runtime.Arg{Buf: &runtime.Buffer{Data: []byte(s)}}})
	}
	saved := data.Take(args, fn.Functions(module), 1)
	for _, a := range args[1:] {
		copy(a.Value.Buf.Data, "???")
	}
	for i, a := range saved.Fresh() {
		if string(a.Buf.Data) != start[i] {
			t.Errorf("argument %d: Fresh gives %q, want %q", i, a.Buf.Data, start[i])
		}
		if shared := a.Buf == args[i].Value.Buf; shared != (i == 0) {
			t.Errorf("argument %d: shared is %t", i, shared)
		}
	}
	saved.Restore()
	for i, a := range args {
		if got := string(a.Value.Buf.Data); got != start[i] {
			t.Errorf("argument %d: Restore gives %q, want %q", i, got, start[i])
		}
	}
	for i, a := range data.Take(args, fn.Functions(module), 2).Fresh() {
		if a.Buf == args[i].Value.Buf {
			t.Errorf("argument %d is shared between launches of several ranks", i)
		}
	}
}
