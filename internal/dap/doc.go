// Package dap is a debug adapter: it lets editors step through kernels over the Debug
// Adapter Protocol. It translates requests of one client into calls of a debug.Stepper,
// which stops a run before operations.
//
//	session.go    the connection, and the requests that begin and end a run
//	stops.go      requests while the run is stopped, on the goroutine of the run
//	variables.go  values, loops, signals and memory at a stop
//
// The types of the messages come from github.com/google/go-dap, which is generated from
// the specification and which Go's own debugger uses.
package dap
