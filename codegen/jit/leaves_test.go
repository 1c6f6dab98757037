package jit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// gmBytes is the size in bytes of the buffers of the test kernels, and stackBytes that of
// their stack variable.
const gmBytes, stackBytes = 4096, 16

// leavesProgram returns a module with a kernel for each access, named k0, k1 and so on.
func leavesProgram() string {
	var text strings.Builder
	text.WriteString("module attributes {pto.target_arch = \"a5\"} {\n")
	for i, a := range slices.Concat(accesses, indexed) {
		fmt.Fprintf(&text, "func.func @k%d(%%x: !pto.ptr<i8>, %%d: i64, %%n: index, %%m: memref<4096xi8>, %%y: !pto.ptr<i8>) attributes {pto.kernel} {\n", i)
		for _, c := range []int{0, 1, 2, 8, 16, 1024} {
			fmt.Fprintf(&text, "%%c%d = arith.constant %d : index\n", c, c)
		}
		for _, c := range []int{8, 16, 32, 64, 128, 256, 1024} {
			fmt.Fprintf(&text, "%%n%d = arith.constant %d : i64\n", c, c)
		}
		text.WriteString(`%z = arith.constant 0 : i64
%one = arith.constant 1 : i64
%all64 = arith.constant -1 : i64
%two = arith.constant 2 : i64
%sorts = arith.constant 0x0100000000000000 : i64
%i0 = arith.constant 0 : i32
%i4 = arith.constant 4 : i32
%b = arith.constant 0 : i8
%h1 = arith.constant 1 : i16
%f0 = arith.constant 0.0 : f32
%f1 = arith.constant 1.0 : f32
%no = arith.constant false
`)
		typ := "!pto.ptr<" + a.elem + ", " + a.space + ">"
		switch a.space {
		case "stack", "memref":
		case "gm":
			fmt.Fprintf(&text, "%%di = arith.index_cast %%d : i64 to index\n%%moved = pto.addptr %%x, %%di : !pto.ptr<i8> -> !pto.ptr<i8>\n%%p = pto.castptr %%moved : !pto.ptr<i8> -> %s\n", typ)
		default:
			fmt.Fprintf(&text, "%%p = pto.castptr %%d : i64 -> %s\n", typ)
		}
		text.WriteString(others + strings.ReplaceAll(a.body, "$P", typ) + "\nreturn\n}\n")
	}
	return text.String() + "}\n"
}

// extent returns the number of bytes of the memory that is accessed.
func (a access) extent() int64 {
	switch a.space {
	case "gm", "memref":
		return gmBytes
	case "stack":
		return stackBytes
	}
	space, _ := sem.ParseSpace(a.space)
	size := int64(space.Size(sem.A5))
	if space == sem.FB { // it has four segments, 64 KiB of addresses apart
		size += 3 << 16
	}
	return size
}

// place is the start of an access: a number of bytes and a number of elements after the
// start of its memory.
type place struct {
	name            string
	bytes, elements int64
}

// byIndex reports whether only the element index, not the byte offset, can be chosen.
func (a access) byIndex() bool {
	return slices.ContainsFunc(indexed, func(i access) bool { return i.name == a.name })
}

// inside returns the first and the last legal position of the access.
func (a access) inside() []place {
	last := a.extent() - a.bytes
	if a.byIndex() {
		return []place{{"start", 0, 0}, {"end", 0, last / a.bytes}}
	}
	return []place{{"start", 0, 0}, {"end", last, 0}}
}

// outside returns illegal positions: directly before and after the memory, and at larger
// distances. The byte offset of a distant element index may wrap around 64 bits.
func (a access) outside() []place {
	last := a.extent() - a.bytes
	var all []place
	for _, d := range []struct {
		name  string
		bytes int64
	}{{"1 byte", 1}, {"1 page", 4096}, {"16 MiB", 16 << 20}, {"1 GiB", 1 << 30}} {
		all = append(all, place{d.name + " after", last + d.bytes, 0}, place{d.name + " before", -d.bytes, 0})
	}
	if a.byIndex() {
		for i, p := range all {
			all[i].bytes, all[i].elements = 0, awayFromZero(p.bytes, a.bytes)
		}
		return all
	}
	const far = 1 << 62
	return append(all, place{"2^62 elements after", 0, far}, place{"2^62 elements before", 0, -far},
		place{"2^62 elements after the end", last, far}, place{"the least index", 0, math.MinInt64})
}

// awayFromZero returns a / b rounded away from zero.
func awayFromZero(a, b int64) int64 {
	if a < 0 {
		return -awayFromZero(-a, b)
	}
	return (a + b - 1) / b
}

// TestLeavesBuffer makes each kind of access exceed its memory at each distance. Compiled
// code must fault and change no data, and the runtime must report the fault at the
// instruction. The same access at the start and at the end of its memory must succeed on
// both.
func TestLeavesBuffer(t *testing.T) {
	text := leavesProgram()
	compiled := compile(t, text, "1")
	for i, a := range slices.Concat(accesses, indexed) {
		e := leaving{compiled, planned(t, text, i), fmt.Sprintf("k%d", i)}
		t.Run(a.name, func(t *testing.T) {
			for _, p := range a.inside() {
				t.Run("inside/"+p.name, func(t *testing.T) { e.stays(t, p) })
			}
			for _, p := range a.outside() {
				t.Run("llvm/"+p.name, func(t *testing.T) { e.faults(t, p) })
				t.Run("go/"+p.name, func(t *testing.T) { e.faultsAt(t, p, a.op) })
			}
		})
	}
}

// planned returns kernel number i of the program, prepared for the runtime.
func planned(t *testing.T, text string, i int) *runtime.Program {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "test", Text: text}, ir.ParseOptions{}, &diags)
	p := runtime.Plan(m, fn.Functions(m)[i:i+1], runtime.Options{}, &diags)
	if p == nil {
		t.Fatal(diags.All()[0].Format())
	}
	return p
}

// leaving is a test kernel, compiled and prepared for the runtime.
type leaving struct {
	compiled *jit.Program
	planned  *runtime.Program
	name     string
}

// onLLVM runs the compiled code with the access at p, and reports whether it changed a
// buffer.
func (e leaving) onLLVM(p place) (changed bool, err error) {
	before := bytes.Repeat([]byte{0x55}, gmBytes)
	x, m, y := bytes.Clone(before), bytes.Clone(before), bytes.Clone(before)
	_, err = e.compiled.Run(jit.Launch{Kernel: e.name, Args: []any{x, uint64(p.bytes), uint64(p.elements), m, y}})
	return !bytes.Equal(x, before) || !bytes.Equal(m, before) || !bytes.Equal(y, before), err
}

// onGo runs the kernel in the runtime with the access at p.
func (e leaving) onGo(p place) error {
	buf := func() runtime.Arg { return runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, gmBytes)}} }
	return e.planned.Run([]runtime.Arg{buf(), {Bits: uint64(p.bytes)}, {Bits: uint64(p.elements)}, buf(), buf()})
}

// stays checks that compiled code and runtime both allow the access at p.
func (e leaving) stays(t *testing.T, p place) {
	if _, err := e.onLLVM(p); err != nil {
		t.Errorf("compiled: %v", err)
	}
	if err := e.onGo(p); err != nil {
		t.Errorf("Go engine: %v", err)
	}
}

// faults checks that compiled code faults for the access at p.
func (e leaving) faults(t *testing.T, p place) {
	changed, err := e.onLLVM(p)
	if _, ok := errors.AsType[*jit.Fault](err); !ok || changed {
		t.Errorf("got %v, changed = %v; want a fault that changes nothing", err, changed)
	}
}

// faultsAt checks that the runtime reports a fault at the operation op for the access at
// p.
func (e leaving) faultsAt(t *testing.T, p place, op string) {
	err := e.onGo(p)
	if f, ok := errors.AsType[*runtime.Fault](err); !ok || f.Op != op {
		t.Errorf("got %v; want a fault of %s", err, op)
	}
}
