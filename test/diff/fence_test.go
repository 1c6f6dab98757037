package diff

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// leaving holds a kernel body for each class of memory instructions. The body accesses
// memory %n elements of f32, or %b bytes, from the start of a buffer of 64 bytes. Its
// result goes to %o.
var leaving = map[string]string{
	"scalar load": `
    %v = pto.load_scalar %x[%i] : !pto.ptr<f32> -> f32
    pto.store_scalar %v, %o[%c0] : !pto.ptr<f32>, f32`,
	"scalar store": `
    pto.store_scalar %f, %x[%i] : !pto.ptr<f32>, f32`,
	"load": `
    %v = pto.load %x[%i] : !pto.ptr<f32> -> f32
    pto.store %v, %o[%c0] : !pto.ptr<f32>, f32`,
	"moved pointer": `
    %p = pto.addptr %x, %i : !pto.ptr<f32> -> !pto.ptr<f32>
    pto.store_scalar %f, %p[%c0] : !pto.ptr<f32>, f32`,
	"pointer in a loop": `
    %p = scf.for %k = %c0 to %c1 step %c1 iter_args(%q = %x) -> (!pto.ptr<f32>) {
      %r = pto.addptr %q, %i : !pto.ptr<f32> -> !pto.ptr<f32>
      scf.yield %r : !pto.ptr<f32>
    }
    pto.store_scalar %f, %p[%c0] : !pto.ptr<f32>, f32`,
	"pointer given to a function": `
    %p = pto.addptr %x, %i : !pto.ptr<f32> -> !pto.ptr<f32>
    func.call @put(%p, %f) : (!pto.ptr<f32>, f32) -> ()`,
	"pointer made of a number": `
    %a = pto.castptr %x : !pto.ptr<f32> -> i64
    %s = arith.addi %a, %b : i64
    %p = pto.castptr %s : i64 -> !pto.ptr<f32>
    pto.store_scalar %f, %p[%c0] : !pto.ptr<f32>, f32`,
	"work item": `
    pto.section.simt<<<1, 1, 1>>> {
      pto.store %f, %x[%i] : !pto.ptr<f32>, f32
    }`,
	"copy from gm": `
    %p = pto.addptr %x, %i : !pto.ptr<f32> -> !pto.ptr<f32>
    pto.mte_gm_ub %p, %ub, %z, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
	"copy from gm with strides": `
    pto.mte_gm_ub %x, %ub, %z, %bytes nburst(%two, %b, %bytes) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
	"copy to gm": `
    %p = pto.addptr %x, %i : !pto.ptr<f32> -> !pto.ptr<f32>
    pto.mte_ub_gm %ub, %p, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64`,
	"view": `
    %w = pto.make_tensor_view %x, shape = [%c2, %c8], strides = [%i, %c1] : !pto.tensor_view<2x8xf32>
    %p = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8xf32> -> !pto.partition_tensor_view<2x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    pto.tload ins(%p : !pto.partition_tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)`,
	"part of a view": `
    %w = pto.make_tensor_view %x, shape = [%most], strides = [%c1] : !pto.tensor_view<?xf32>
    %p = pto.partition_view %w, offsets = [%i], sizes = [%c8] : !pto.tensor_view<?xf32> -> !pto.partition_tensor_view<8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tload ins(%p : !pto.partition_tensor_view<8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)`,
	"memref load": `
    %v = memref.load %m[%i] : memref<16xf32, #pto.address_space<gm>>
    pto.store_scalar %v, %o[%c0] : !pto.ptr<f32>, f32`,
	"copy to the cube": `
    %p = pto.addptr %x, %i : !pto.ptr<f32> -> !pto.ptr<f32>
    %l1 = pto.castptr %z : i64 -> !pto.ptr<f32, l1>
    pto.mte_gm_l1 %p, %l1, %bytes nburst(%one, %z, %z) : !pto.ptr<f32>, !pto.ptr<f32, l1>, i64, i64, i64, i64`,
	"large static view": `
    %w = pto.make_tensor_view %x, shape = [%big, %big], strides = [%big, %c1] : !pto.tensor_view<4294967296x4294967296xf32>
    %p = pto.partition_view %w, offsets = [%c0, %i], sizes = [%c1, %c8] : !pto.tensor_view<4294967296x4294967296xf32> -> !pto.partition_tensor_view<1x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)`,
	"address of the llvm dialect": `
    %a = pto.castptr %x : !pto.ptr<f32> -> i64
    %p = llvm.inttoptr %a : i64 to !llvm.ptr<1>
    %q = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %f, %q : f32, !llvm.ptr<1>`,
}

// leavingUB holds kernel bodies that access memory %n elements after the end of the
// unified buffer.
var leavingUB = map[string]string{
	"vector gather": `
    %p = pto.addptr %end, %i : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>
    %zero = arith.constant 0 : i32
    %v = pto.vci %zero : i32 -> !pto.vreg<64xi32>
    %u = pto.vbitcast %v : !pto.vreg<64xi32> -> !pto.vreg<64xui32>
    %g = pto.vgather2 %p, %u, %mask : !pto.ptr<f32, ub>, !pto.vreg<64xui32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    pto.vsts %g, %ub[%c0], %mask : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`,
	"scalar store to ub": `
    pto.store_scalar %f, %end[%i] : !pto.ptr<f32, ub>, f32`,
	"scalar load from ub": `
    %v = pto.load_scalar %end[%i] : !pto.ptr<f32, ub> -> f32
    pto.store_scalar %v, %o[%c0] : !pto.ptr<f32>, f32`,
	"vector load": `
    %p = pto.addptr %end, %i : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>
    %v = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %v, %ub[%c0], %mask : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`,
	"vector store": `
    %v = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    pto.vsts %v, %end[%i], %mask : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`,
	"copy within ub": `
    %p = pto.addptr %end, %i : !pto.ptr<f32, ub> -> !pto.ptr<f32, ub>
    pto.mte_gm_ub %x, %p, %z, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`,
	"ub made of a number": `
    %s = arith.addi %endat, %b : i64
    %p = pto.castptr %s : i64 -> !pto.ptr<f32, ub>
    pto.store_scalar %f, %p[%c0] : !pto.ptr<f32, ub>, f32`,
}

// leavingKernel returns a kernel with the given name and body, one of leaving or
// leavingUB.
func leavingKernel(name, body string) string {
	return fmt.Sprintf(`  func.func @%s(%%x: !pto.ptr<f32>, %%o: !pto.ptr<f32>, %%m: memref<16xf32, #pto.address_space<gm>>, %%n: i64) attributes {pto.kernel} {
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%c2 = arith.constant 2 : index
    %%c8 = arith.constant 8 : index
    %%big = arith.constant 4294967296 : index
    %%most = arith.constant 9223372036854775807 : index
    %%f = arith.constant 1.0 : f32
    %%z = arith.constant 0 : i64
    %%one = arith.constant 1 : i64
    %%two = arith.constant 2 : i64
    %%four = arith.constant 4 : i64
    %%bytes = arith.constant 32 : i64
    %%endat = arith.constant %d : i64
    %%ub = pto.castptr %%z : i64 -> !pto.ptr<f32, ub>
    %%end = pto.castptr %%endat : i64 -> !pto.ptr<f32, ub>
    %%mask = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %%i = arith.index_cast %%n : i64 to index
    %%b = arith.muli %%n, %%four : i64%s
    return
  }
`, name, ubBytes, body)
}

// ubBytes is the size of the unified buffer of A5 in bytes.
var ubBytes = sem.UB.Size(sem.A5)

// distances are the distances from the start of a buffer that kernels access, in
// elements: directly after its end, a page later, 16 MiB, 1 GiB and 2^62 elements, and
// the same distances before its start.
var distances = []int64{16, 16 + 1024, 4 << 20, 256 << 20, 1 << 62, -1, -1024, -4 << 20, -256 << 20, -1 << 62}

// TestLeavesBuffer accesses memory outside a buffer with every class of instructions at
// every distance. Both engines must report a fault, and compiled code must not change
// memory.
func TestLeavesBuffer(t *testing.T) {
	bodies := maps.Clone(leaving)
	maps.Copy(bodies, leavingUB)
	names := slices.Sorted(maps.Keys(bodies))
	text := `module attributes {pto.target_arch = "a5"} {
  func.func private @put(%p: !pto.ptr<f32>, %f: f32) {
    %c0 = arith.constant 0 : index
    pto.store_scalar %f, %p[%c0] : !pto.ptr<f32>, f32
    return
  }
`
	for i, name := range names {
		text += leavingKernel(fmt.Sprintf("k%d", i), bodies[name])
	}
	m := llvmtest.Parse(t, "leaving.pto", text+"}\n")
	for _, level := range []string{"0", "2"} {
		prog := llvmtest.Compile(t, m, llvm.Options{}, level)
		for i, name := range names {
			_, local := leavingUB[name]
			for _, n := range distances {
				if inside := local && n < 0 && -n <= int64(ubBytes)/4; inside {
					continue
				}
				if wraps := strings.Contains(name, "number") || strings.Contains(name, "strides"); wraps && (n == 1<<62 || n == -1<<62) {
					continue // the number of bytes that the kernel computes is 0
				}
				t.Run(fmt.Sprintf("O%s/%s/%d", level, name, n), func(t *testing.T) { leaves(t, m, prog, i, n) })
			}
		}
	}
}

// leaves runs kernel i with the distance n on both engines, and checks that both report a
// fault.
func leaves(t *testing.T, m *ir.Op, prog *llvmtest.Program, i int, n int64) {
	kernel := runtime.Kernels(m)[i]
	buffer := func() runtime.Arg { return runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, 64)}} }
	err := planned(t, m, []*ir.Op{kernel}, runtime.Options{}).Run([]runtime.Arg{buffer(), buffer(), buffer(), {Bits: uint64(n)}})
	if f, ok := errors.AsType[*runtime.Fault](err); !ok || f.Op == "" {
		t.Errorf("the Go engine gives %v, want a fault of an instruction", err)
	}
	x, o, memref := make([]byte, 64), make([]byte, 64), make([]byte, 64)
	err = prog.Run(fmt.Sprintf("k%d", i), 1, x, o, memref, uint64(n))
	if _, ok := errors.AsType[*llvmtest.Fault](err); !ok {
		t.Errorf("compiled code gives %v, want a fault", err)
	}
	if zeros := make([]byte, 64); !bytes.Equal(x, zeros) || !bytes.Equal(o, zeros) {
		t.Error("memory changed")
	}
}
