// Package debug looks into runs of kernels without changing them: what
// instructions computed, where two kernels begin to differ, who wrote an element,
// and how often what was executed. It is what pto-run's --dump, --diff, --stats
// and --step are made of.
//
//	select.go    Selector: which executions of which instructions
//	capture.go   Capture, a listener that copies operands and results
//	array.go     what the runtime shows as a kernel.Array
//	npz.go       archives of arrays
package debug
