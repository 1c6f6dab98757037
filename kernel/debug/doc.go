// Package debug observes runs of kernels without changing them. It shows what
// instructions computed, where two kernels start to differ, which instruction wrote
// an element, and what was executed how often. pto-run's --dump, --diff, --stats
// and --step consist of it. Most types are listeners of the runtime; start with
// capture.go.
//
//	select.go      Selector: which executions of which instructions
//	capture.go     Capture, a listener that copies operands and results
//	array.go       elements of the runtime as a kernel.Array
//	npz.go         archives of arrays
//	dump.go        Dump, which writes captured arrays to files
//	difference.go  the difference of two arrays
//	origin.go      Origin, a listener that records which instruction wrote an element
//	match.go       pairs the instructions of two programs
//	diff.go        Diff, which compares the results of two programs
//	reference.go   References, which compares results with given arrays
//	stats.go       Stats, a listener that counts
//	step.go        Stepper, which stops before operations
//	plot.go        heat maps of errors
package debug
