// Package playground answers the requests of the page in the browser (directory web): what
// is wrong with a program, what passes and emitters make of it, and what happens when it
// runs. Everything works on texts and on files in memory, so the same code runs natively,
// where tests compare it with the tools, and as WebAssembly (cmd/pto-wasm).
//
// Call dispatches a request by its name. Requests and answers are JSON; arrays are files.
//
//	call.go      Call; the limits
//	place.go     ranges of a text in the units of JavaScript
//	analyse.go   "analyse": diagnostics with fixes, kernels, the launch that comments name
//	command.go   the pto-run command in the comments of a program
//	passes.go    "passes": the program after each pass
//	emit.go      "emit": LLVM IR, C++ and PTO-AS
//	run.go       "run": one launch under all listeners
//	launch.go    programs and arguments of a run
//	arrays.go    arrays for the page
//	compare.go   a run against an expression, files, or a second kernel
//	report.go    Report, the data of a run that the page and pto-run --report show
package playground
