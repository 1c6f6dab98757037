// Package debug looks into runs of kernels without changing them: what
// instructions computed, where two kernels begin to differ, who wrote an element,
// and how often what was executed. It is what pto-run's --dump, --diff, --stats
// and --step are made of.
//
//	select.go    Selector: which executions of which instructions
//	capture.go   Capture, a listener that copies operands and results
//	array.go     what the runtime shows as a kernel.Array
//	npz.go       archives of arrays
//	dump.go      Dump, what was captured as files
//	difference.go  how an array differs from what it should be
//	origin.go    Origin, a listener that notes who wrote each element
//	match.go         pairs the instructions of two programs
//	diff.go          Diff, which compares what two programs compute
//	reference.go     References, which compare it with arrays
//	stats.go         Stats, a listener that counts
//	step.go          Stepper, which stops before operations
//	plot.go      heat maps of errors
package debug
