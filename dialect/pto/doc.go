// Package pto defines the PTO dialect without its instructions: the types and
// attributes, the constraints on operands, and [Op], the description from which an
// instruction is defined. Packages below isa list the instructions. A definition is the
// only place of an instruction: its syntax at all levels, the types that each target
// accepts, its effects, its C++ call and its reference page derive from it.
//
// Descriptions:
//
//	op.go          Op; start reading here
//	define.go      the forms of an Op: Level 1, Level 2 and PTO-AS
//	constraint.go  constraints on tile operands
//	elems.go       sets of element types
//	attrs.go       constraints on attributes
//	effects.go     pipe and memory effects
//	cpp.go         C++ calls
//	latency.go     published cycle counts
//	example.go     generated examples
//	pages.go       the public pages that definitions cite
//
// Types:
//
//	types.go         tiles, views, pointers and the other types
//	parse_types.go   their syntax
//	micro_types.go   vector registers, masks and alignment state
//	struct_types.go  arrays and structs
//	vmi_types.go     vectors and masks of VMI; vmi_parse.go has their syntax
//	enums.go         the enum attributes
//
// Rules that the verifier enforces:
//
//	dialect.go         registration, and the attributes of the dialect
//	function_rules.go  functions and modules
//	scope_rules.go     vector functions and SIMT functions
//	rules.go           operands with each other, mainly their valid regions
//	scratch_rules.go   scratch tiles, whose type scratch.go determines
//	tile_storage.go    storage of tiles, whose boxes tile_box.go computes
//	view_bounds.go     partitions, whose dimensions view_axes.go maps to tiles
package pto
