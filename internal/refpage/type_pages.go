// This file writes the reference pages of types.

package refpage

import (
	"fmt"
	"ptogo/dialect/pto/history"
	"strings"

	"ptogo/dialect/pto/sem"
)

// TypePage is the reference page of a type of the PTO dialect.
type TypePage struct {
	// Name is the name of the type without "!pto.".
	Name string
	Doc  string
	// Keys lists the parameters between < and > with their descriptions.
	Keys     [][2]string
	Examples []string
}

// tileParts describes the optional parameters of tile types, which follow the shape and
// the element type. Each entry consists of the name of the parameter and its description.
var tileParts = [][2]string{
	{"valid=RxC", "rows and columns that hold elements, from the first on; ? is known when the kernel runs only. Default: all"},
	{"blayout", "row_major or col_major: the order of elements, or of boxes where there are some. Default: row_major"},
	{"slayout", "none_box, or the order of the elements inside of boxes. Default: none_box"},
	{"fractal", "bytes of a box: 512, or 32 for tiles of exponents; 1024 for boxes of 16x16 elements, as in acc. Default: 512"},
	{"pad", "what fills storage beyond the valid region where an instruction pads: 0 nothing, 1 zero, 2 the largest number, 3 the smallest. Default: 0"},
	{"compact", "0, 1, or 2 for a gap of one place between lines. Default: 0"},
}

// TypePages holds the reference pages of all types of the dialect, with the types of tile
// kernels first. Handles that only connect two instructions have no page.
var TypePages = []TypePage{
	{"ptr", "A pointer. The parameters of kernels for tensors in global memory have this type.",
		[][2]string{{"f32", "element type"}, {"ub", "memory space by its name for pointers; gm if left out"}},
		[]string{"!pto.ptr<f32>", "!pto.ptr<bf16, ub>"}},
	{"tensor_view", "A tensor in global memory, of any rank, as pto.make_tensor_view describes it: its strides are operands.",
		[][2]string{{"?x64xf32", "extents, ? for those known when the kernel runs, and element type"}},
		[]string{"!pto.tensor_view<32x64xf32>", "!pto.tensor_view<?x?xbf16>"}},
	{"partition_tensor_view", "A part of a tensor in global memory, as pto.partition_view cuts it: what pto.tload and pto.tstore copy.",
		[][2]string{{"?x64xf32", "extents, ? for those known when the kernel runs, and element type"}},
		[]string{"!pto.partition_tensor_view<16x64xf32>", "!pto.partition_tensor_view<?x64xf32>"}},
	{"tile", "A tile as a value (Level 1), in local memory.",
		append([][2]string{{"16x64xf32", "rows, columns and element type"}, {"loc", "memory space by its name for tiles. Default: vec"}}, tileParts...),
		[]string{
			"!pto.tile<16x64xf32>",
			"!pto.tile<16x128xbf16, valid=?x?>",
			"!pto.tile<16x1xf32, blayout=col_major>",
			"!pto.tile<32x64xf16, loc=mat, blayout=col_major, slayout=row_major>",
			"!pto.tile<32x64xf16, loc=left, blayout=col_major, slayout=row_major>",
			"!pto.tile<64x32xf16, loc=right, slayout=col_major>",
			"!pto.tile<32x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>",
			"!pto.tile<1x32xf32, loc=bias>",
			"!pto.tile<32x2x!pto.f8E8M0, loc=scaling, slayout=row_major, fractal=32>",
		}},
	{"tile_buf", "A tile as a buffer (Level 2), which pto.alloc_tile makes and instructions name in outs(...).",
		append([][2]string{{"vec", "memory space by its name for tiles"}, {"16x64xf32", "rows, columns and element type"}}, tileParts...),
		[]string{"!pto.tile_buf<vec, 16x64xf32>", "!pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>"}},
	{"multi_tile_buf", "Several tile buffers of one type that are used alternately; pto.multi_tile_get returns one.",
		[][2]string{{"vec, 16x64xf32", "as for tile_buf"}, {"count", "how many: 2 to 16"}},
		[]string{"!pto.multi_tile_buf<vec, 16x64xf32, count=2>"}},
	{"vreg", "A vector register: its lanes occupy 256 bytes in total.",
		[][2]string{{"64xf32", "lanes and element type"}}, []string{"!pto.vreg<64xf32>", "!pto.vreg<128xbf16>"}},
	{"mask", "A predicate register: one bit for each lane.",
		[][2]string{{"b32", "size of the lanes: b8, b16 or b32"}}, []string{"!pto.mask<b32>"}},
	{"vmi.vreg", "A vector of any length, for instructions that are not bound to the size of registers.",
		[][2]string{{"64xf32", "lanes and element type"}}, []string{"!pto.vmi.vreg<64xf32>"}},
	{"vmi.mask", "One bit for each lane of a pto.vmi.vreg.",
		[][2]string{{"64xpred", "lanes, and pred, b8, b16 or b32"}}, []string{"!pto.vmi.mask<64xpred>"}},
	{"local_array", "An array on the stack of a kernel.",
		[][2]string{{"4x8xf32", "extents and element type"}}, []string{"!pto.local_array<4x8xf32>"}},
	{"struct", "Fields on the stack of a kernel.",
		[][2]string{{"f32, i8", "types of the fields"}}, []string{"!pto.struct<f32, i8>"}},
	{"eventid_array", "Event numbers that are chosen when the kernel runs.",
		[][2]string{{"4", "how many"}}, []string{"!pto.eventid_array<4>"}},
	{"hif8", "A float of 8 bits whose exponent has a variable number of bits.", nil, []string{"!pto.hif8"}},
	{"hif8x2", "Two numbers of hif8.", nil, []string{"!pto.hif8x2"}},
	{"f8E8M0", "An exponent of 8 bits: the scale that 32 numbers share in mx formats.", nil, []string{"!pto.f8E8M0"}},
	{"f4E2M1x2", "Two floats of 4 bits, with 2 bits of exponent, in a byte.", nil, []string{"!pto.f4E2M1x2"}},
	{"f4E1M2x2", "Two floats of 4 bits, with 1 bit of exponent, in a byte.", nil, []string{"!pto.f4E1M2x2"}},
	{"bf16x2", "Two numbers of bf16.", nil, []string{"!pto.bf16x2"}},
}

// TypePageOf returns the reference page of the type with the given name, which may start
// with "!pto.". The second result is false if no page describes this type.
func TypePageOf(name string) (TypePage, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "!"), "pto.")
	for _, p := range TypePages {
		if p.Name == name {
			return p, true
		}
	}
	return TypePage{}, false
}

// Reference returns the page as Markdown text.
func (p TypePage) Reference() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# !pto.%s\n\n%s\n\n```mlir\n%s\n```\n", p.Name, p.Doc, strings.Join(p.Examples, "\n"))
	if len(p.Keys) > 0 {
		b.WriteString("\n| between < and > | |\n|---|---|\n")
		for _, k := range p.Keys {
			fmt.Fprintf(&b, "| %s | %s |\n", k[0], k[1])
		}
	}
	fmt.Fprintf(&b, "\nVersions of ptoas: %s.\n", VersionsOf(history.Type(p.Name)))
	if strings.HasPrefix(p.Name, "tile") {
		b.WriteString("\n" + spacesTable())
	}
	return b.String()
}

// spacesTable returns a table of the local memories, with the layouts that tiles have in
// them.
func spacesTable() string {
	docs := map[sem.Space]string{
		sem.UB:  "the vector unit works here, on tiles without boxes",
		sem.L1:  "tiles on their way to the cube unit, blayout=col_major, slayout=row_major",
		sem.L0A: "left operands of products, blayout=col_major, slayout=row_major",
		sem.L0B: "right operands of products, slayout=col_major",
		sem.L0C: "sums of products, blayout=col_major, slayout=row_major, fractal=1024",
		sem.BT:  "a row that is added to products",
		sem.FB:  "factors of columns, and the exponents of mx operands",
	}
	var b strings.Builder
	b.WriteString("| memory space | pointers call it | bytes on A2/A3 | on A5 | holds |\n|---|---|---|---|---|\n")
	for _, s := range []sem.Space{sem.UB, sem.L1, sem.L0A, sem.L0B, sem.L0C, sem.BT, sem.FB} {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s |\n", s.Loc(), s, s.Size(sem.A3), s.Size(sem.A5), docs[s])
	}
	return b.String()
}
