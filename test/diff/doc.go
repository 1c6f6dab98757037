// Package diff holds differential tests: random programs made from the
// definitions give the same bits at Level 1, at Level 2, with planned
// addresses, after the passes that keep results, and through LLVM.
//
//	kernels_test.go      kernels of a few instructions, on both engines: tiles_test.go simt_test.go rows_test.go
//	generate.go          chains of elementwise tile instructions
//	vector_template.go   uses of vector, mask and vmi instructions, from their examples
//	vector_program_test.go  programs of them
//	cube_program_test.go    programs of the cube unit
//
// A test runs a few programs; with -n it runs as many as asked:
//
//	go test ./test/diff -run Tiles -timeout 0 -args -n 100000
//	go test ./test/diff -run Vectors -timeout 0 -args -n 20000
//	go test ./test/diff -run Cube -timeout 0 -args -n 1000
package diff
