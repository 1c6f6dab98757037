// Package debug observes runs of kernels without changing them. It shows the results of
// instructions, the first difference between two kernels, the instruction that wrote an
// element, and how often instructions were executed. It implements the options --dump,
// --diff, --stats and --step of pto-run. Most types are listeners of the runtime; start
// reading in capture.go.
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
//	reference.go   References, which compares results with expected arrays
//	stats.go       Stats, a listener that counts instructions and bytes
//	step.go        Stepper, which stops before operations
//	plot.go        heat maps of errors
package debug
