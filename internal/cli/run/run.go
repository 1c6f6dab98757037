// Package run is pto-run, which executes kernels.
//
// A *mode* is what pto-run does on a command line. Each mode is a value with the options that
// only it has, and is in a file of its own. File modes.go lists the modes, the options that
// select them, and the options that exclude each other. There are two kinds of modes:
//
//   - A command, such as batchMode, starts from the command line (its method start). It
//     receives a host, which has the console and all options.
//   - A way to execute one launch, such as checkMode, starts when the program is loaded and the
//     arguments exist. It receives a launch. Ways such as traceMode wrap others.
//
// Start reading in modes.go, host.go and launch.go.
package run

import (
	"io"

	"ptogo/internal/cli/files"
)

// Server answers the requests of --serve on the streams of a console until its input ends,
// and returns the exit code. Package serve implements it. It is a parameter, because the
// requests themselves run pto-run.
type Server func(c *files.Console) int

// Main runs pto-run with the given arguments and streams, and returns its exit code. The
// function serve implements --serve.
func Main(serve Server, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Command(files.NewConsole(stdin, stdout, stderr, "pto-run"), serve, args)
}

// Command runs pto-run on a console and returns its exit code.
func Command(c files.Console, serve Server, args []string) int {
	return (&host{Console: c, serve: serve}).command(args)
}

const runHelp = `pto-run executes a PTO kernel on your data.

Usage: pto-run FILE [--kernel NAME] [--pto-arch=a5] [--blocks N] --arg SPEC ...

Give one --arg for each kernel parameter, in the order of the signature.
SPEC of a pointer:
  in=PATH              elements of a raw or .npy file
  inout=PATH           elements of the file PATH, which is overwritten with the results after the run
  out=PATH:BYTES       zeros, written to PATH after the run
  out=PATH:32x64xf32   like out=PATH:BYTES, with a shape and an element type instead of a size
  rand=32x64xf32       random floats between -1 and 1, or random bytes for other types; rand=SHAPE,seed=N
  zeros=SHAPE, ones=SHAPE, iota=SHAPE (0, 1, 2, ...), fill=VALUE,SHAPE
  per-block:SPEC       divide the array of another SPEC into equal chunks, one for each block
  window=SHAPE         zeros in memory that all ranks share (--ranks)
  comm                 the communication context of the rank, which has the addresses of the windows
SPEC of a scalar: 3.0, -1, true, raw bits such as 0x4200, rank (the index of the
rank that executes the kernel) or ranks (the number of ranks).
With --ranks, {rank} in a SPEC is replaced by the index of the rank: in=x{rank}.npy

Examples:

  pto-run examples/divide.pto --arg iota=32x64xf32 --arg zeros=32x64xf32 --arg 2.0 --print
  pto-run examples/divide.pto --arg in=x.npy --arg out=y.npy:32x64xf32 --arg 2.0 --expect y=want.npy,rtol=1e-5

%s
Exit code: 0 done, 1 the program is wrong, 2 the command line is wrong,
3 a comparison failed, 4 the kernel faulted, 5 a checker (--check) reported an error or a warning.
`
