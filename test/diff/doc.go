// Package diff holds differential tests: random programs made from the
// definitions give the same bits at Level 1, at Level 2, with planned
// addresses, after the passes that keep results, and through LLVM.
//
//	covered.go       which instructions random programs are made of
//	data.go          numbers that they start from, and how results are compared
//
//	tile_use.go      uses of tile instructions, from their examples
//	tile_more.go     uses that the examples do not show
//	tile_vary.go     other types, extents, valid regions and attributes
//	tile_rules.go    what of that is legal and runs
//	tile_control.go  values of operands that say where something is
//	tile_reach.go    what instructions read and write of their tiles
//	tile_program.go  programs: instructions with sources and sinks
//	tile_text.go     their text
//	tile_other.go    the same with instructions that only Level 2 has
//	tile_run.go      the ways from a program to numbers
//	tile_reduce.go   a small program of a large one that differs
//	tile_*_test.go   compares the ways, counts what was compared, and plants
//	                 faults that must be found
//	overlaps_test.go one instruction each, whose result lies over what it reads
//
//	vector_template.go    uses of vector, mask and vmi instructions, from their examples
//	vector_program.go     programs of them
//	vector_memory.go      loads and stores in them
//	vectors_test.go       compares the engines on them
//	reference*_test.go    executes them lane by lane, as the definitions say
//	lowered_program.go    programs of vmi instructions for lower/vmi
//	lowered*_test.go      compares them, and public kernels, with what they are lowered to
//	layouts_test.go       changes of layout
//	cube_program.go       programs of the cube unit
//	cube_test.go          compares the engines on them
//
//	kernels_test.go       kernels that are written out, on both engines:
//	tiles_test.go products_test.go    of tiles, and products of them
//	patches_test.go       of feature maps, also against a reference
//	rows_test.go loop_mask_test.go    of vmi values, and masks of loops
//	machine_test.go simt_test.go      of the machine, and of work items
//	queues_test.go        of cores that are connected by a queue
//	queue_programs_test.go    random ones, beside the same without a queue
//	comm_test.go print_test.go        that communicate, and that print
//
// A program may read only what was written: a level gives other storage to
// other tiles. tile_reach.go says what instructions read, and a net below it
// finds what slips through: each way starts on local memory full of another
// byte, and where results differ, the first way runs again on several. A
// program whose results change with that byte is not counted; the test fails if
// there are more than 1 in 1000. Where an instruction leaves elements of its
// result as they were, those elements are not compared, if they change with
// that byte. All else must be equal bit for bit, but for the bits of NaNs of
// f32.
//
// A test runs a few programs; with -n it runs as many as asked, and logs how
// often each instruction was used:
//
//	go test ./test/diff -run Tiles -timeout 0 -v -args -n 100000
//	go test ./test/diff -run Vectors -timeout 0 -v -args -n 20000
//	go test ./test/diff -run Overlaps -timeout 0 -v -args -n 2000
//	go test ./test/diff -run Cube -timeout 0 -args -n 1000
package diff
