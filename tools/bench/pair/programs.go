// This file contains the fixed programs of -against.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ptogo/tools/bench"
)

// program is a command of the tools whose processor time is compared between two versions.
type program struct {
	name string
	// tool is pto-opt or pto-run.
	tool string
	// file is the name of an input file, which inputs writes.
	file string
	args []string
}

// programs are ten commands that use different parts of the tools. Each needs some tenths
// of a second, so that the start of a process does not matter.
var programs = []program{
	{"read and print", "pto-opt", "generic.mlir", []string{"--allow-unregistered-dialect"}},
	{"read what repeats little", "pto-opt", "varied.mlir", []string{"--allow-unregistered-dialect"}},
	{"verify", "pto-opt", "many.pto", nil},
	{"passes on values", "pto-opt", "many.pto", []string{"--pass-pipeline", "builtin.module(func.func(canonicalize,cse))"}},
	{"synchronization", "pto-opt", "few.pto", []string{"--enable-insert-sync"}},
	{"C++", "pto-opt", "level3.pto", []string{"--emit=cpp"}},
	{"vector instructions", "pto-run", "loop.pto", []string{"--kernel", "rows", "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "120000"}},
	{"small instructions", "pto-run", "loop.pto", []string{"--kernel", "small", "--arg", "iota=8x8xf32", "--arg", "zeros=8x8xf32", "--arg", "2000000"}},
	{"checkers", "pto-run", "loop.pto", []string{"--kernel", "small", "--arg", "iota=8x8xf32", "--arg", "zeros=8x8xf32", "--arg", "150000", "--check=all"}},
	{"timing", "pto-run", "loop.pto", []string{"--kernel", "small", "--arg", "iota=8x8xf32", "--arg", "zeros=8x8xf32", "--arg", "60000", "--timing"}},
}

// inputs writes the input files of programs to the folder dir.
func inputs(dir string) error {
	for name, text := range map[string]string{
		"generic.mlir": bench.Program(20_000_000), "varied.mlir": bench.Varied(20_000_000),
		"many.pto": kernels(4000), "few.pto": kernels(100), "loop.pto": rowsKernel + repeated("small", "8x8xf32", smallBody),
		"level3.pto": smallKernels(2000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// kernels returns a module with n functions at Level 1. Each adds a scaled matrix to
// another one, 16 rows at a time.
func kernels(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `func.func @axpy%d(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%a: f32) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c16 = arith.constant 16 : index
  %%c64 = arith.constant 64 : index
  %%xs = pto.make_tensor_view %%x, shape = [%%c64, %%c64], strides = [%%c64, %%c1] : !pto.tensor_view<64x64xf32>
  %%ys = pto.make_tensor_view %%y, shape = [%%c64, %%c64], strides = [%%c64, %%c1] : !pto.tensor_view<64x64xf32>
  scf.for %%row = %%c0 to %%c64 step %%c16 {
    %%xr = pto.partition_view %%xs, offsets = [%%row, %%c0], sizes = [%%c16, %%c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %%yr = pto.partition_view %%ys, offsets = [%%row, %%c0], sizes = [%%c16, %%c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %%t = pto.tload %%xr : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
    %%u = pto.tload %%yr : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
    %%s = pto.tmuls %%t, %%a : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
    %%d = pto.tadd %%s, %%u : !pto.tile<16x64xf32>, !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>
    %%m = pto.trowmax %%d : !pto.tile<16x64xf32> -> !pto.tile<16x1xf32, blayout=col_major>
    %%e = pto.trowexpandsub %%d, %%m : !pto.tile<16x64xf32>, !pto.tile<16x1xf32, blayout=col_major> -> !pto.tile<16x64xf32>
    pto.tstore %%e, %%yr : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  }
  return
}

`, i)
	}
	return b.String()
}

// repeated returns a kernel at Level 3 that loads a tile, executes the text body n times,
// where n is an argument, and stores the tile.
func repeated(name, tile, body string) string {
	buf := "!pto.tile_buf<vec, " + tile + ">"
	rows, _, _ := strings.Cut(tile, "x")
	return strings.NewReplacer("{name}", name, "{tile}", tile, "{buf}", buf, "{rows}", rows, "{body}", strings.ReplaceAll(body, "{buf}", buf)).Replace(`
func.func @{name}(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant {rows} : index
  %xs = pto.make_tensor_view %x, shape = [%rows, %rows], strides = [%rows, %c1] : !pto.tensor_view<{tile}>
  %ys = pto.make_tensor_view %y, shape = [%rows, %rows], strides = [%rows, %c1] : !pto.tensor_view<{tile}>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%rows, %rows] : !pto.tensor_view<{tile}> -> !pto.partition_tensor_view<{tile}>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%rows, %rows] : !pto.tensor_view<{tile}> -> !pto.partition_tensor_view<{tile}>
  %at0 = arith.constant 0 : i64
  %at1 = arith.constant 32768 : i64
  %a = pto.alloc_tile addr = %at0 : {buf}
  %b = pto.alloc_tile addr = %at1 : {buf}
  pto.tload ins(%xp : !pto.partition_tensor_view<{tile}>) outs(%a : {buf})
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  scf.for %i = %c0 to %n step %c1 {
{body}  }
  pto.barrier <PIPE_V>
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%b : {buf}) outs(%yp : !pto.partition_tensor_view<{tile}>)
  return
}
`)
}

// smallKernels returns n kernels at Level 3.
func smallKernels(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(repeated(fmt.Sprintf("small%d", i), "8x8xf32", smallBody))
	}
	return b.String()
}

var rowsKernel = repeated("rows", "64x64xf32", `    pto.texp ins(%a : {buf}) outs(%b : {buf})
    pto.barrier <PIPE_V>
    pto.tadd ins(%a, %b : {buf}, {buf}) outs(%b : {buf})
    pto.barrier <PIPE_V>
    pto.tmul ins(%a, %b : {buf}, {buf}) outs(%b : {buf})
    pto.barrier <PIPE_V>
`)

// smallBody is the body of kernels whose instructions need less time than their start.
const smallBody = `    pto.tadd ins(%a, %a : {buf}, {buf}) outs(%b : {buf})
    pto.barrier <PIPE_V>
    pto.tmul ins(%a, %b : {buf}, {buf}) outs(%b : {buf})
    pto.barrier <PIPE_V>
`
