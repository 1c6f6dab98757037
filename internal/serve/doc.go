// Package serve is the protocol of pto-run --serve: one long-lived process that
// answers requests on standard input and output, with the contents of arrays in
// files that both sides map.
//
// # Frames
//
// Messages are JSON-RPC 2.0, framed as language servers do: a header
//
//	Content-Length: 123\r\n
//	\r\n
//
// and so many bytes of JSON in UTF-8. Requests run side by side; answers come
// in the order in which requests end. Standard error is for people.
//
// # Methods, of version 1
//
// initialize {version} returns {version, tool, pid}. version is the highest one
// that the client speaks, the result the one that both use; a client that needs
// a later one leaves.
//
// load {name, text, arch, kernel, soft_lib, arguments} reads, checks and lowers a
// kernel and returns {exit, diagnostics, program, kernel, arch, params, declared}.
// program names it in run; the same text and options give the same name. params
// are {name, type, elem} in order; elem is set for pointers. declared is how many
// parameters the text has. That is more than there are params if the kernel takes
// its place in the launch in some; who means to supply those, too, loads it with
// so many arguments. Only so many programs are kept: error -32001 of run asks to
// load again.
//
// run {program, args, flags} launches a kernel and returns {exit, stdout,
// diagnostics}. An argument is a text as after --arg of pto-run, or an array,
// {file, offset, bytes, elem, shape, name, per_block}: the memory of a file, which
// the kernel reads and writes in place. shape may be left out. per_block, if true,
// gives each block an equal part of the array. flags are options of
// pto-run by name, without dashes; values are texts, numbers, booleans or lists
// of those.
//
// tool {name, argv, stdin, source} runs pto-opt or pto-run with a command line
// and returns {exit, stdout, diagnostics}. source is what diagnostics call
// standard input.
//
// forget {file} unmaps a file, once nothing uses it. Files must not be cut short
// while they are mapped; they may grow.
//
// $/cancelRequest {id} ends a request, which answers as one that was
// interrupted, within about a second: a run, on either engine, says where the
// kernel was.
//
// exit is the exit code of the command line, diagnostics are what
// --diagnostics=json writes. A kernel that is wrong, faults, takes too long, or
// makes the tool fail is a result with an exit code; errors are for requests
// that make no sense.
//
// # Life
//
// The process ends when its standard input does, or when its parent has ended,
// whatever still runs. Ctrl-C (SIGINT) ends the requests that run, and not the
// process.
package serve

// Version is the version of the protocol.
const Version = 1

// Codes of errors, beyond those of JSON-RPC.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeNoMethod       = -32601
	CodeInvalidParams  = -32602
	CodeUnknownProgram = -32001
)

// Error is an error that the client gets.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }
