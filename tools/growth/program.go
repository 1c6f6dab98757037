// This file has the parts from which programs are put together.

package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ptogo/internal/cli"
)

// The types of the tiles and views that programs use.
const (
	tile = "!pto.tile<8x8xf32>"
	buf  = "!pto.tile_buf<vec, 8x8xf32>"
	part = "!pto.partition_tensor_view<8x8xf32>"
)

// constants are the definitions that every function begins with.
const constants = `  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
`

// wholeView is the view of an 8x8 array at %x, and its only part.
const wholeView = `  %view = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %part = pto.partition_view %view, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> ` + part + "\n"

// each returns n lines, in which {i} is the number of the line, from 0, and {j} is {i} + 1.
func each(n int, line string) string { return strings.Join(numbered(n, line), "\n") + "\n" }

// list returns n entries with commas between them, numbered like the lines of each.
func list(n int, entry string) string { return strings.Join(numbered(n, entry), ", ") }

// eachOf is like each with a line for each number.
func eachOf(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line(i), "{i}", number(i)) + "\n")
	}
	return b.String()
}

// number returns the decimal digits of n.
func number(n int) string { return strconv.Itoa(n) }

func numbered(n int, text string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.NewReplacer("{i}", number(i), "{j}", number(i+1)).Replace(text)
	}
	return all
}

// kernel returns a kernel with an array, a condition and two scalars as arguments.
func kernel(body string) string { return kernelOf("%x: !pto.ptr<f32>, %c: i1, %n: i32, %s: f32", body) }

// kernelOf returns a kernel with the given parameters.
func kernelOf(params, body string) string {
	return "func.func @k(" + params + ") attributes {pto.kernel} {\n" + constants + body + "  return\n}\n"
}

// tool is a tool of the command line.
type tool = func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// with returns the work of a tool with the given options on standard input. The exit code
// must be the parameter want.
func with(run tool, want int, args ...string) func(text string) error {
	return func(text string) error {
		var errs strings.Builder
		if got := run(append(args, "-"), strings.NewReader(text), io.Discard, &errs); got != want {
			return fmt.Errorf("exit code %d: %.300s", got, errs.String())
		}
		return nil
	}
}

// opt returns the work of pto-opt with the given options.
func opt(args ...string) func(text string) error {
	return with(cli.Opt, 0, append([]string{"--mlir-disable-threading"}, args...)...)
}

// run returns the work of pto-run with the given options, on the arguments of kernel.
func run(args ...string) func(text string) error {
	return with(cli.Run, 0, append([]string{"--arg=zeros=8x8xf32", "--arg=true", "--arg=1", "--arg=2.0"}, args...)...)
}

// reports is like run for kernels that the checks find fault with.
func reports(args ...string) func(text string) error {
	return with(cli.Run, 5, append([]string{"--arg=zeros=8x8xf32", "--arg=true", "--arg=1", "--arg=2.0"}, args...)...)
}
