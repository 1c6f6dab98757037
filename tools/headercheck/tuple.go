package headercheck

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Tuple is one call of an instruction on a target, with operands of certain types.
type Tuple struct {
	// Op is the name of the instruction, as in "pto.tmov".
	Op     string
	Target ir.Target
	// Route names the memory spaces of the operands, as in "acc to vec", or another
	// property of the operands. The generated page counts tuples by route.
	Route string
	// Case is a text that distinguishes the tuple from others with the same route, such
	// as the element types and layouts.
	Case string

	// params are the parameters of the function that contains the instruction.
	params []string
	// body holds the statements of this function.
	body []string
}

// Text returns the text of a program. The program contains only one instruction, the one
// that t describes, and the operations that define its operands.
func (t Tuple) Text() string {
	return "func.func @f(" + strings.Join(t.params, ", ") + ") {\n  " + strings.Join(t.body, "\n  ") + "\n  return\n}\n"
}

// String returns text that identifies the tuple in reports: instruction, target, memory
// spaces and types.
func (t Tuple) String() string {
	return fmt.Sprintf("%s on %s, %s: %s", t.Op, sem.ProfileName(t.Target), t.Route, t.Case)
}

// layout is a tile layout. The field name is the name that the C++ headers and the
// reports use for it. The fields b and s are the values of the tile properties blayout
// (outer order) and slayout (order inside boxes).
type layout struct{ name, b, s string }

var (
	nd = layout{"ND", "row_major", "none_box"}
	dn = layout{"DN", "col_major", "none_box"}
	nz = layout{"NZ", "col_major", "row_major"}
	zn = layout{"ZN", "row_major", "col_major"}
	zz = layout{"ZZ", "row_major", "row_major"}
	nn = layout{"NN", "col_major", "col_major"}

	layouts = []layout{nd, dn, nz, zn, zz}
)

// tile describes a tile type: memory space, shape, element type and layout.
type tile struct {
	space      string
	rows, cols int
	elem       string
	layout     layout
	fractal    int
}

func (t tile) String() string {
	return fmt.Sprintf("!pto.tile_buf<%s, %dx%dx%s, blayout=%s, slayout=%s, fractal=%d>",
		t.space, t.rows, t.cols, typeName(t.elem), t.layout.b, t.layout.s, t.fractal)
}

// typeName returns the name of an element type as it appears inside a tile type.
func typeName(elem string) string {
	if slices.Contains(ownElems, elem) {
		return "!pto." + elem
	}
	return elem
}

// short returns the element type and the layout of the tile, for reports.
func (t tile) short() string { return t.elem + " " + t.layout.name }

// spaces lists the memory spaces of tiles. The map usually contains, for each memory
// space, the layout that tiles in this space have in most programs.
var (
	spaces  = []string{"vec", "mat", "left", "right", "acc", "bias", "scaling"}
	usually = map[string]layout{"vec": nd, "mat": nz, "left": nz, "right": zn, "acc": nz, "bias": nd, "scaling": nd}
)

// The function in creates a tile for tests. The tile has 64 columns, the given memory
// space, the element type elem and the layout l. Tiles for a bias and for factors have
// one row. All other tiles are square, so that rows of every element size consist of
// complete blocks and boxes.
func in(space, elem string, l layout) tile {
	t := tile{space: space, rows: 64, cols: 64, elem: elem, layout: l, fractal: 512}
	switch space {
	case "bias", "scaling":
		t.rows = 1
	case "acc":
		t.fractal = 1024
	}
	return t
}

// Element types of tiles: standardElems can be used on all targets, lowElems only on A5.
// The list ownElems contains the types that PTO defines; lowElems includes them.
var (
	standardElems = []string{"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f16", "bf16", "f32"}
	ownElems      = []string{"hif8", "f8E8M0", "f4E1M2x2", "f4E2M1x2"}
	lowElems      = append([]string{"f8E4M3FN", "f8E5M2"}, ownElems...)
)

func elemsOn(t ir.Target) []string {
	if t == sem.A5 {
		return append(slices.Clone(standardElems), lowElems...)
	}
	return standardElems
}

// Tuples returns all tuples of a target, grouped by kind of instruction.
func Tuples(t ir.Target) []Tuple {
	return slices.Concat(moves(t), loads(t), stores(t), conversions(t), reshapes(t), products(t))
}

// pairsOf calls the function each with pairs of tiles, for tests of moves. from is the
// memory space of the source, and to is that of the destination. The pairs cover all
// pairs of element types in the usual layouts, and all pairs of layouts for a few pairs
// of element types. All combinations would be a hundred thousand without new information,
// because each check of the headers concerns either layouts or element types.
//
// If no instruction moves tiles between the two spaces, a single pair is sufficient: two
// tiles of f32 in the usual layouts.
func pairsOf(t ir.Target, from, to string, each func(src, dst tile)) {
	if from != "vec" && from != "mat" && from != "acc" || to == "acc" {
		each(in(from, "f32", usually[from]), in(to, "f32", usually[to]))
		return
	}
	for _, a := range elemsOn(t) {
		for _, b := range elemsOn(t) {
			each(in(from, a, usually[from]), in(to, b, usually[to]))
		}
	}
	few := [][2]string{{"f16", "f16"}, {"f32", "f32"}, {"i8", "i8"}}
	if from == "acc" {
		few = [][2]string{{"f32", "f16"}, {"f32", "f32"}, {"i32", "i32"}}
	}
	for _, p := range few {
		for _, a := range layouts {
			for _, b := range layouts {
				if a != usually[from] || b != usually[to] {
					each(in(from, p[0], a), in(to, p[1], b))
				}
			}
		}
	}
}

// moves returns calls of tmov, textract and tinsert with operands of many types on target
// t. There are additional calls for moves out of the accumulator, because these can
// change elements: multiply them by one quantization factor, multiply them by a factor
// per column, or apply ReLU.
func moves(t ir.Target) []Tuple {
	var all []Tuple
	for _, from := range spaces {
		for _, to := range spaces {
			pairsOf(t, from, to, func(src, dst tile) {
				if src.rows != dst.rows {
					src.rows = dst.rows // a bias is one row on its way, too
				}
				for _, way := range []string{"", " scaled", " scaled by columns", " cut"} {
					if way == "" || from == "acc" && (to == "mat" || to == "vec") && src.layout == nz {
						all = append(all, move("tmov", t, src, dst, way), move("textract", t, src, dst, way), move("tinsert", t, src, dst, way))
					}
				}
			})
		}
	}
	return all
}

const factors = "!pto.tile_buf<scaling, 1x64xui64>"

func move(op string, t ir.Target, src, dst tile, way string) Tuple {
	params := []string{"%src: " + src.String(), "%dst: " + dst.String()}
	values, types, attrs := "%src", src.String(), ""
	var window string
	if op != "tmov" {
		params = append(params, "%at: index")
		values, types, window = values+", %at, %at", types+", index, index", " fp"
	}
	switch way {
	case " scaled":
		params = append(params, "%factor: i64")
		switch op {
		case "tmov":
			types += ", %factor : i64"
		case "textract":
			values, types = values+", %factor", types+", i64"
		case "tinsert":
			types += " pre_quant %factor : i64"
		}
	case " scaled by columns":
		params = append(params, "%factors: "+factors)
		if window == "" {
			window = ","
		}
		types += window + " %factors : " + factors
	case " cut":
		attrs = " {reluPreMode = #pto<relu_pre_mode normal_relu>}"
	}
	return Tuple{
		Op: "pto." + op, Target: t, Route: src.space + " to " + dst.space + way, Case: src.short() + " to " + dst.short(), params: params,
		body: []string{"pto." + op + " ins(" + values + " : " + types + ") outs(%dst : " + dst.String() + ")" + attrs},
	}
}

// view is a view of 64x64 elements in global memory, with the statements that create it
// from the pointer %p.
type view struct {
	name       string
	typ        func(elem string) string
	statements func(elem string) []string
}

// views lists a view of each layout: row-major (ND), column-major (DN), and with an inner
// layout of boxes.
var views = []view{plainView("ND", "%c64, %c1"), plainView("DN", "%c1, %c64"), boxedView}

func plainView(name, strides string) view {
	typ := func(elem string) string { return "!pto.partition_tensor_view<64x64x" + typeName(elem) + ">" }
	return view{name, typ, func(elem string) []string {
		whole := "!pto.tensor_view<64x64x" + typeName(elem) + ">"
		return []string{
			"%v = pto.make_tensor_view %p, shape = [%c64, %c64], strides = [" + strides + "] {layout = #pto.layout<" + strings.ToLower(name) + ">} : " + whole,
			"%part = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c64, %c64] : " + whole + " -> " + typ(elem),
		}
	}}
}

var boxedView = view{"NZ",
	func(elem string) string {
		c0 := 32 / bytesOf(elem)
		return fmt.Sprintf("!pto.partition_tensor_view<1x%dx4x16x%dx%s>", 64/c0, c0, typeName(elem))
	},
	func(elem string) []string {
		c0 := 32 / bytesOf(elem)
		dims := fmt.Sprintf("1x%dx4x16x%dx%s", 64/c0, c0, typeName(elem))
		sizes := fmt.Sprintf("[%%c1, %%c%d, %%c4, %%c16, %%c%d]", 64/c0, c0)
		return []string{
			fmt.Sprintf("%%v = pto.make_tensor_view %%p, shape = %s, strides = [%%c4096, %%c%d, %%c%d, %%c%d, %%c1] {layout = #pto.layout<nz>} : !pto.tensor_view<%s>", sizes, 64*c0, 16*c0, c0, dims),
			"%part = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = " + sizes + " : !pto.tensor_view<" + dims + "> -> !pto.partition_tensor_view<" + dims + ">",
		}
	},
}

// bytesOf returns the size of an element in bytes; a pair of 4-bit floats has one byte.
func bytesOf(elem string) int {
	switch {
	case strings.HasSuffix(elem, "64"):
		return 8
	case strings.HasSuffix(elem, "32"):
		return 4
	case strings.HasSuffix(elem, "16"):
		return 2
	}
	return 1
}

// constants returns the text of operations that define index constants, such as %c64. The
// operations that create views use these constants.
func constants() []string {
	var all []string
	for _, n := range []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096} {
		all = append(all, fmt.Sprintf("%%c%d = arith.constant %d : index", n, n))
	}
	return all
}

// copied returns the test of a load or a store between the view v and the tile tl on
// target t. The test is a function that contains this one instruction. op is the name of
// the instruction, and statement is its text. elem is the element type of the view. The
// report counts tests by their route, such as "acc to gm"; for a store, the route ends
// with the parameter way, which names a variant of the store. params are the parameters
// of the function in addition to the pointer and the tile.
func copied(op string, t ir.Target, v view, elem string, tl tile, way, statement string, params ...string) Tuple {
	route, kind := "gm to "+tl.space, elem+" "+v.name+" to "+tl.short()
	if op == "tstore" {
		route, kind = tl.space+" to gm"+way, tl.short()+" to "+elem+" "+v.name
	}
	return Tuple{
		Op: "pto." + op, Target: t, Route: route, Case: kind,
		params: append([]string{"%p: !pto.ptr<" + typeName(elem) + ", gm>", "%t: " + tl.String()}, params...),
		body:   slices.Concat(constants(), v.statements(elem), []string{statement}),
	}
}

// copies calls the function each with combinations of a view v, the element type elem of
// the view, and a tile tl in the given memory space. The first series contains all pairs
// of different element types of view and tile, in the usual layouts. The second series
// contains all layouts of view and tile, with the same element type in both.
func copies(t ir.Target, space string, each func(v view, elem string, tl tile)) {
	v := views[0]
	for _, a := range elemsOn(t) {
		for _, b := range elemsOn(t) {
			if a != b {
				each(v, a, in(space, b, usually[space]))
			}
		}
		for _, v := range views {
			for _, l := range layouts {
				each(v, a, in(space, a, l))
			}
		}
	}
}

func loads(t ir.Target) []Tuple {
	var all []Tuple
	for _, space := range spaces {
		copies(t, space, func(v view, elem string, tl tile) {
			tl.rows = 64
			all = append(all, copied("tload", t, v, elem, tl, "", "pto.tload ins(%part : "+v.typ(elem)+") outs(%t : "+tl.String()+")"))
		})
	}
	return all
}

func stores(t ir.Target) []Tuple {
	var all []Tuple
	for _, space := range spaces {
		copies(t, space, func(v view, elem string, tl tile) {
			tl.rows = 64
			add := func(way, ins, attrs string, params ...string) {
				all = append(all, copied("tstore", t, v, elem, tl, way, "pto.tstore ins(%t"+ins+") outs(%part : "+v.typ(elem)+")"+attrs, params...))
			}
			plain := " : " + tl.String()
			add("", plain, "")
			if space == "acc" {
				add(" scaled", plain+", %factor : i64", "", "%factor: i64")
				add(" scaled by columns", plain+" fp %factors : "+factors, "", "%factors: "+factors)
				add(" cut", plain, " {reluPreMode = #pto<relu_pre_mode normal_relu>}")
			}
			if space == "acc" || space == "vec" {
				add(" added", plain, " {atomicType = #pto<atomic_type atomic_add>}")
			}
		})
	}
	return all
}

func conversions(t ir.Target) []Tuple {
	var all []Tuple
	elems := elemsOn(t)
	if t != sem.A5 {
		elems = append(slices.Clone(elems), "i4")
	}
	for _, a := range elems {
		for _, b := range elems {
			for _, l := range []layout{nd, dn} {
				src, dst := in("vec", a, l), in("vec", b, l)
				for _, tl := range []*tile{&src, &dst} { // as many numbers on both sides
					if strings.HasPrefix(tl.elem, "f4") && l == nd {
						tl.cols /= 2
					} else if strings.HasPrefix(tl.elem, "f4") {
						tl.rows /= 2
					}
				}
				all = append(all, Tuple{
					Op: "pto.tcvt", Target: t, Route: "vec", Case: src.short() + " to " + dst.short(),
					params: []string{"%src: " + src.String(), "%dst: " + dst.String()},
					body:   []string{"pto.tcvt ins(%src : " + src.String() + ") outs(%dst : " + dst.String() + ")"},
				})
			}
		}
	}
	return all
}

func reshapes(t ir.Target) []Tuple {
	var all []Tuple
	for _, from := range spaces {
		for _, to := range spaces {
			if from != to { // which the verifier refuses without looking at more
				continue
			}
			pairsOf(t, from, to, func(src, dst tile) {
				src.rows, dst.rows = 64, 64
				switch a, b := bytesOf(src.elem), bytesOf(dst.elem); {
				case a < b:
					src.rows *= b / a
				case b < a:
					dst.rows *= a / b
				}
				all = append(all, Tuple{
					Op: "pto.treshape", Target: t, Route: src.space + " to " + dst.space, Case: src.short() + " to " + dst.short(),
					params: []string{"%src: " + src.String()},
					body:   []string{"%dst = pto.treshape %src : " + src.String() + " -> " + dst.String()},
				})
			})
		}
	}
	return all
}

// product is a variant of the matrix product: by a matrix or a vector, with or without
// scales, accumulation and bias.
type product struct {
	op                        string
	vector, scaled, acc, bias bool
}

var productForms = []product{
	{op: "tmatmul"}, {op: "tmatmul.acc", acc: true}, {op: "tmatmul.bias", bias: true},
	{op: "tgemv", vector: true}, {op: "tgemv.acc", vector: true, acc: true}, {op: "tgemv.bias", vector: true, bias: true},
	{op: "tmatmul.mx", scaled: true}, {op: "tmatmul.mx.acc", scaled: true, acc: true}, {op: "tmatmul.mx.bias", scaled: true, bias: true},
	{op: "tgemv.mx", vector: true, scaled: true}, {op: "tgemv.mx.acc", vector: true, scaled: true, acc: true}, {op: "tgemv.mx.bias", vector: true, scaled: true, bias: true},
}

// products returns tuples for matrix products: all triples of element types and, for one
// triple, all layouts and spaces of one operand at a time.
func products(t ir.Target) []Tuple {
	var all []Tuple
	for _, p := range productForms {
		usual := func() []tile {
			return []tile{in("left", "f16", nz), in("right", "f16", zn), in("acc", "f32", nz), in("bias", "f32", nd)}
		}
		for _, d := range []string{"f32", "i32", "f16", "bf16"} {
			for _, a := range elemsOn(t) {
				for _, b := range elemsOn(t) {
					o := usual()
					o[0].elem, o[1].elem, o[2].elem, o[3].elem = a, b, d, d
					all = append(all, p.tuple(t, "types", o))
				}
			}
		}
		if p.bias {
			for _, e := range elemsOn(t) {
				o := usual()
				o[3].elem = e
				all = append(all, p.tuple(t, "types of the bias", o))
			}
		}
		for i, name := range []string{"lhs", "rhs", "dst", "bias"} {
			if name == "bias" && !p.bias {
				continue
			}
			for _, space := range spaces {
				o := usual()
				if o[i].space != space {
					o[i].space = space
					all = append(all, p.tuple(t, "spaces", o))
				}
			}
			for _, l := range layouts {
				o := usual()
				if o[i].layout != l {
					o[i].layout = l
					all = append(all, p.tuple(t, "layouts", o))
				}
			}
		}
	}
	return all
}

// tuple returns the test case for one matrix product on target t. The list o contains the
// tiles of the left operand, of the right operand, of the result and, if the product has
// one, of the bias. route names the property of the operands that the test case varies.
func (p product) tuple(t ir.Target, route string, o []tile) Tuple {
	var names []string
	var types []tile
	add := func(name string, tl tile) { names, types = append(names, "%"+name), append(types, tl) }
	if p.acc {
		add("dst", o[2])
	}
	low := []string{"f16"}
	if p.scaled { // of which f16 has none: the layouts are tried with 8-bit floats
		for i := range o[:2] {
			if slices.Contains(low, o[i].elem) && route != "types" {
				o[i].elem = "f8E4M3FN"
			}
		}
	}
	add("lhs", o[0])
	if p.scaled {
		add("lscale", tile{space: "scaling", rows: 64, cols: 2, elem: "f8E8M0", layout: zz, fractal: 32})
	}
	add("rhs", o[1])
	if p.scaled {
		add("rscale", tile{space: "scaling", rows: 2, cols: 64, elem: "f8E8M0", layout: nn, fractal: 32})
	}
	if p.bias {
		add("bias", o[3])
	}
	var params, list []string
	for i, n := range names {
		list = append(list, p.shaped(n, types[i]))
		if n != "%dst" {
			params = append(params, n+": "+list[i])
		}
	}
	dst := p.shaped("%dst", o[2])
	params = append(params, "%dst: "+dst)
	kind := o[0].short() + " times " + o[1].short() + " in " + o[2].short()
	for i, usual := range []string{"left", "right", "acc", "bias"} {
		if route == "spaces" && o[i].space != usual {
			kind = o[i].space + " instead of " + usual
		}
	}
	if p.bias && route != "spaces" {
		kind += " with " + o[3].short()
	}
	return Tuple{
		Op: "pto." + p.op, Target: t, Route: route, Case: kind, params: params,
		body: []string{"pto." + p.op + " ins(" + strings.Join(names, ", ") + " : " + strings.Join(list, ", ") + ") outs(%dst : " + dst + ")"},
	}
}

// shaped returns the text of the type of tile t, for the operand with the given name. In
// a product of a vector and a matrix, the left operand and the result have only one valid
// row. For them, shaped inserts this valid region into the text.
func (p product) shaped(name string, t tile) string {
	if !p.vector || name == "%rhs" || name == "%rscale" || name == "%bias" {
		return t.String()
	}
	return strings.Replace(t.String(), ", blayout", fmt.Sprintf(", valid=1x%d, blayout", t.cols), 1)
}
