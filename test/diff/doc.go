// Package diff contains differential tests: random programs, generated from the
// instruction definitions, must produce the same bits at Level 1, at Level 2, with
// planned addresses, after optimization passes, and as code compiled by LLVM. Each of
// these pass pipelines is called a way.
//
//	covered.go       the instructions that random programs contain
//	data.go          input numbers, and the comparison of results
//
//	tile_use.go      uses of tile instructions, from their examples
//	tile_more.go     further uses, which the examples lack
//	tile_vary.go     other types, extents, valid regions and attributes
//	tile_rules.go    determines which of these are legal
//	tile_control.go  values of operands that are offsets or sizes
//	tile_reach.go    the elements of tiles that instructions read and write
//	tile_program.go  programs: instructions with sources and sinks
//	tile_text.go     the text of programs
//	tile_other.go    programs with tile declarations that only Level 2 has
//	tile_run.go      the execution of a program in several ways
//	tile_reduce.go   reduces a program with different results
//	tile_*_test.go   compare the ways, count what was compared, and insert
//	                 errors that must be found
//	overlaps_test.go single instructions whose result overlaps an operand
//
//	vector_template.go    uses of vector, mask and vmi instructions, from their examples
//	vector_program.go     random programs with these instructions
//	vector_memory.go      their loads and stores
//	vectors_test.go       compares the engines on these programs
//	reference*_test.go    a reference interpreter that executes them lane by lane
//	lowered_program.go    programs of vmi instructions for lower/vmi
//	lowered*_test.go      compare them, and public kernels, with their lowering
//	layouts_test.go       changes of VMI layouts
//	cube_program.go       programs of the cube unit
//	cube_test.go          compares the engines on these programs
//
//	kernels_test.go       kernels written by hand, on both engines:
//	tiles_test.go products_test.go    tile instructions and matrix products
//	patches_test.go       patches of feature maps, also against a reference
//	rows_test.go loop_mask_test.go    VMI values and loop masks
//	machine_test.go simt_test.go      machine instructions and work items
//	queues_test.go        cores that are connected by a queue
//	queue_programs_test.go    random queue programs, compared with programs without a queue
//	comm_test.go print_test.go        communication and printing
//
// A program must not read uninitialized storage, because the ways assign different
// storage to tiles. tile_reach.go determines the elements that instructions read. As a
// second check, each way starts with local memory filled with a different byte. If
// results differ, the first way runs again with several such bytes. A program whose
// results depend on the byte is not counted; the test fails if there are more than 1 in
// 1000. If an instruction leaves elements of its result unwritten, elements that depend
// on the byte are not compared. All other results must be equal bit by bit, except the
// bits of f32 NaNs.
//
// By default a test runs a few programs. With -n it runs the given number, and logs how
// often each instruction was used:
//
//	go test ./test/diff -run Tiles -timeout 0 -v -args -n 100000
//	go test ./test/diff -run Vectors -timeout 0 -v -args -n 20000
//	go test ./test/diff -run Overlaps -timeout 0 -v -args -n 2000
//	go test ./test/diff -run Cube -timeout 0 -args -n 1000
package diff
