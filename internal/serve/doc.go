// Package serve implements the protocol of pto-run --serve. One long-lived process
// answers requests on standard input and output. Both sides map the files that
// contain the arrays, so the data of arrays is not copied through the pipe.
//
// # Frames
//
// Messages are JSON-RPC 2.0, framed as language servers do: a header
//
//	Content-Length: 123\r\n
//	\r\n
//
// and then that number of bytes of JSON in UTF-8. Requests run concurrently;
// answers are in the order in which the requests end. Standard error is for
// messages to people.
//
// # Methods, of version 1
//
// initialize {version} returns {version, tool, pid}. The parameter is the highest
// version that the client supports. The result is the version that both sides use;
// a client that needs a later one must disconnect.
//
// load {name, text, arch, kernel, soft_lib, arguments, max_memory, original} reads, checks
// and lowers a kernel and returns {exit, diagnostics, program, kernel, arch, params, declared}.
// program is the identifier for run; the same text and options have the same
// identifier. params is a list of {name, type, elem} in order; elem is set for
// pointers. declared is the number of parameters in the text. It is greater than
// the length of params if some parameters receive the position of the kernel in the
// launch. A client that wants to supply those, too, passes arguments = declared to
// load. The server keeps a limited number of programs: after error -32001 of run,
// the client must load the program again. max_memory is a size such as "2GiB" and bounds
// what the request may need, 1 GiB by default. A text may have 1/64 of it, 16 MiB.
// original {name, text} is the program of which passes have made the text, if they have:
// diagnostics name its lines where the text has locations in it.
//
// run {program, args, flags} launches a kernel and returns {exit, stdout,
// diagnostics}. An argument is a text as after --arg of pto-run, or an array {file,
// offset, bytes, elem, shape, name, per_block, window}. The kernel reads and writes the
// memory of the file in place. shape is optional. If per_block is true, each block
// gets an equal part of the array. If window is true, all ranks can access the array.
// On several ranks (flag ranks), an argument can be a list with a text or an array for
// each rank; a text alone is the argument of every rank. flags are options of pto-run by
// name, without dashes; values are texts, numbers, booleans or lists of those.
//
// tool {name, argv, stdin, source} runs pto-opt or pto-run with a command line and
// returns {exit, stdout, diagnostics}. Diagnostics use source as the name of
// standard input.
//
// forget {file} unmaps a file as soon as no run uses it. A client must not truncate
// a file while it is mapped; a file may grow.
//
// $/cancelRequest {id} ends a request within about a second. The request is
// answered like an interrupted command. If it is a run, the diagnostics say where
// the kernel was.
//
// exit is the exit code of the command line, and diagnostics are the objects that
// --diagnostics=json writes. If a kernel is wrong, faults, exceeds its time or
// makes the tool fail, the answer is a result with that exit code. Errors are only
// for invalid requests.
//
// # Life
//
// The process ends when its standard input ends, or when its parent process has
// ended, even if requests still run. Ctrl-C (SIGINT) cancels the running requests
// and leaves the process alive.
package serve

// Version is the version of the protocol.
const Version = 1

// The error codes. CodeUnknownProgram is specific to this protocol; JSON-RPC defines all
// the remaining codes.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeNoMethod       = -32601
	CodeInvalidParams  = -32602
	CodeUnknownProgram = -32001
)

// Error is an error response as the client receives it.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }
