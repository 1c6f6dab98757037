// This file defines matrix products of tiles (pto.tmatmul and its variants).

package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Matrix products on tiles: with and without an accumulator, with a bias, and with a
// scale for each group of elements (mx). What they share is the table of legal element
// types; the other forms add operands to the plain product.

// matrixFamily is the chapter of the ISA manual on matrix products.
const matrixFamily = "matrix-and-matrix-vector"

// product is a legal combination of element types of a matrix product on some targets.
type product struct {
	on            sem.Profiles
	dst, lhs, rhs Elems
}

// products are the legal element types of tmatmul and tgemv.
var products = []product{
	{sem.OnAll, I32, I8, I8}, // the headers of both targets refuse unsigned ones
	{sem.OnAll, F32, F16, F16},
	{sem.OnAll, F32, F32, F32},
	{sem.OnAll, F32, BF16, BF16},
	{sem.OnA5, F32, FP8, FP8},
	{sem.OnA5, F32, HiF8, HiF8},
}

// madProducts are the legal element types of mad. The headers do not restrict them, so
// they also include unsigned bytes, as in the public compiler.
var madProducts = append([]product{{sem.OnAll, Ints32, Ints8, Ints8}}, products...)

// mxProducts are the legal element types of products whose operands have scales.
var mxProducts = []product{
	{sem.OnA5, F32, FP8, FP8},
	{sem.OnA5, F32, FP4, FP4},
}

// elemsOf returns, for each target, the element types that an operand may have in one of
// the products ps. The function side returns the element types of that operand in a
// product, for example those of the left matrix.
func elemsOf(ps []product, side func(product) Elems) On {
	var on On
	for _, p := range ps {
		if p.on.Has(sem.A3) {
			on.A2A3 |= side(p)
		}
		if p.on.Has(sem.A5) {
			on.A5 |= side(p)
		}
	}
	return on
}

// left returns a constraint on the left operand of matrix products, a tile in L0A. It
// accepts the element types that the products in ps have for this operand.
func left(ps []product) TileRule {
	return TileIn(elemsOf(ps, func(p product) Elems { return p.lhs }), sem.L0A)
}

// right returns a constraint that accepts the right operand of the products ps, a tile in
// L0B.
func right(ps []product) TileRule {
	return TileIn(elemsOf(ps, func(p product) Elems { return p.rhs }), sem.L0B)
}

// sums returns a constraint on the accumulator of matrix products, a tile in L0C. Each
// element of ps is a legal combination of element types: those of the left operand, of
// the right operand and of the destination. The constraint accepts the destination types
// of these combinations.
func sums(ps []product) TileRule {
	return TileIn(elemsOf(ps, func(p product) Elems { return p.dst }), sem.L0C)
}

// boxedLeft, boxedRight and boxedSums return the constraints of left, right and sums with
// one more condition. On A5, the tiles must have the boxes (inner blocks) that the cube
// unit of A5 reads. For the right operand and the sums, the condition includes the order
// of the boxes and the order of elements inside a box. For the left operand, it includes
// only the order of elements inside a box, because the target determines the order of the
// boxes, whatever the tile type specifies.
func boxedLeft(ps []product) TileRule  { return left(ps).InnerOrder(RowMajor, sem.OnA5) }
func boxedRight(ps []product) TileRule { return right(ps).Boxed(RowMajor, ColMajor, sem.OnA5) }
func boxedSums(ps []product) TileRule  { return sums(ps).Boxed(ColMajor, RowMajor, sem.OnA5) }

// fromMat accepts an operand in mat (L1), which the cube unit of A5 loads implicitly.
var fromMat = TileIn(On{A5: elemsOf(products, func(p product) Elems { return p.lhs }).A5}, sem.L1).Boxed(ColMajor, RowMajor, sem.OnA5)

// orFromMat is a constraint that accepts an operand in two cases: if the constraint in
// the field first accepts it, or if it is in mat (L1) and the target supports that.
type orFromMat struct{ first ir.Constraint }

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c orFromMat) Check(t ir.Type, e *ir.Env) bool {
	return c.first.Check(t, e) || fromMat.Check(t, e)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c orFromMat) Want(e *ir.Env) string {
	if fromMat.Elems(e.Target) == 0 {
		return c.first.Want(e)
	}
	return c.first.Want(e) + " or " + fromMat.Want(e)
}

// operand is the declaration of an operand of a matrix product. The field example is the
// type of this operand in the example on the reference page.
type operand struct {
	ir.Arg
	example string
}

// factors describes a group of matrix products that have the same kinds of matrices. The
// fields lhs and rhs are the names of the operands with the two matrices. The field
// products lists the legal combinations of element types, and on lists the targets. The
// fields ins and dst are the definitions of the operands and of the destination. The
// field notes contains the notes for the reference pages.
type factors struct {
	lhs, rhs string
	products []product
	// vector reports whether lhs is a single row. scaled reports whether both matrices
	// have scales.
	vector, scaled bool
	on             sem.Profiles
	ins            []operand
	dst            operand
	notes          []string
}

// zeroNote and matNote are texts for reference pages of matrix products. They describe
// differences between public sources: whether a size of 0 is legal, and which memories
// the operands can be in.
const (
	zeroNote = "m, k, n: the ISA page starts at 1, the IR manual at 0 except for mx; 0 is accepted there."
	matNote  = "The pages want left and right; public golden cases on A5 multiply out of mat, which is accepted there."
)

// Types in examples, which multiply a 16x64 matrix, or one row of it, by a 64x32
// matrix.
const (
	leftExample    = "!pto.tile<16x64xf16, loc=left, blayout=col_major, slayout=row_major>"
	rightExample   = "!pto.tile<64x32xf16, loc=right, slayout=col_major>"
	sumsExample    = "!pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>"
	rowExample     = "!pto.tile<16x64xf16, loc=left, valid=1x64, blayout=col_major, slayout=row_major>"
	rowSumsExample = "!pto.tile<16x32xf32, loc=acc, valid=1x32, blayout=col_major, slayout=row_major, fractal=1024>"

	mxLeftExample     = "!pto.tile<16x64xf8E4M3FN, loc=left, blayout=col_major, slayout=row_major>"
	mxRowExample      = "!pto.tile<16x64xf8E4M3FN, loc=left, valid=1x64, blayout=col_major, slayout=row_major>"
	mxRightExample    = "!pto.tile<64x32xf8E4M3FN, loc=right, slayout=col_major>"
	leftScaleExample  = "!pto.tile<16x2x!pto.f8E8M0, loc=scaling, slayout=row_major, fractal=32>"
	rowScaleExample   = "!pto.tile<16x2x!pto.f8E8M0, loc=scaling, valid=1x2, slayout=row_major, fractal=32>"
	rightScaleExample = "!pto.tile<2x32x!pto.f8E8M0, loc=scaling, blayout=col_major, slayout=col_major, fractal=32>"
)

// matrices returns the description of the operands of tmatmul, the product of two
// matrices. lhs and rhs are the names of the left and the right operand.
func matrices(lhs, rhs string) factors {
	return factors{
		lhs: lhs, rhs: rhs, products: products,
		ins: []operand{
			{In(lhs, orFromMat{boxedLeft(products)}), leftExample},
			{In(rhs, orFromMat{boxedRight(products)}), rightExample},
		},
		dst:   operand{Out("dst", boxedSums(products)), sumsExample},
		notes: []string{zeroNote, matNote},
	}
}

// rowAndMatrix returns the description of the operands of tgemv, the product of a row and
// a matrix. lhs and rhs are the names of the two operands.
func rowAndMatrix(lhs, rhs string) factors {
	return factors{
		lhs: lhs, rhs: rhs, products: products, vector: true,
		ins: []operand{
			{In(lhs, left(products)), rowExample},
			{In(rhs, right(products)), rightExample},
		},
		dst:   operand{Out("dst", sums(products)), rowSumsExample},
		notes: []string{zeroNote},
	}
}

// mxMatrices returns the description of the operands of tmatmul.mx, the product of two
// matrices with scales. lhs and rhs are the names of the two operands.
func mxMatrices(lhs, rhs string) factors {
	return factors{
		lhs: lhs, rhs: rhs, products: mxProducts, scaled: true, on: sem.OnA5,
		ins: []operand{
			{In(lhs, boxedLeft(mxProducts)), mxLeftExample},
			{In(lhs+"_scale", TileIn(AnyElem, sem.FB)), leftScaleExample},
			{In(rhs, boxedRight(mxProducts)), mxRightExample},
			{In(rhs+"_scale", TileIn(AnyElem, sem.FB)), rightScaleExample},
		},
		dst:   operand{Out("dst", boxedSums(mxProducts)), sumsExample},
		notes: []string{zeroNote},
	}
}

// mxRowAndMatrix returns the description of the operands of tgemv.mx, the product of a
// row and a matrix with scales. lhs and rhs are the names of the left and the right
// operand.
func mxRowAndMatrix(lhs, rhs string) factors {
	f := mxMatrices(lhs, rhs)
	f.vector = true
	f.ins[0].example, f.ins[1].example, f.dst.example = mxRowExample, rowScaleExample, rowSumsExample
	return f
}

// matmul describes an instruction that multiplies matrices: the two matrices, and the
// accumulator or bias that it adds to their product.
type matmul struct {
	// name is the name of the instruction, and page is the name of its manual page, which
	// is also the name of its function in the C++ library. doc is the description for the
	// reference page.
	name, page, doc string
	factors         func(lhs, rhs string) factors
	lhs, rhs        string
	// acc and bias are the names of the optional operands, or "".
	acc, bias string
	noPhase   bool
	aliases   []string
}

// def declares the instruction pto.NAME that m describes, a product of tiles, and returns
// its definition.
func (m matmul) def() *ir.Def {
	return Define(m.name, func(name string) *ir.Def {
		f := m.factors(m.lhs, m.rhs)
		ins := slices.Concat(f.accIn(m.acc), f.ins, biasIn(m.bias))
		return TileOp(Op{
			Name: m.name, Page: IsaPage(m.page), Family: matrixFamily, Pipe: sem.PipeM, On: f.on, Doc: m.doc, Aliases: m.aliases,
			Ins: argsOf(ins), Outs: Args{f.dst.Arg}, Tensor: true, Attrs: m.phase(),
			Sem: sem.TileMatmul{
				Acc: m.acc != "", Bias: m.bias != "", Scaled: f.scaled, Vector: f.vector, Lhs: m.lhs, Rhs: m.rhs,
				LhsScale: m.lhs + "_scale", RhsScale: m.rhs + "_scale", In: cmp.Or(m.acc, m.bias),
			},
			Rules: slices.Concat(f.rules(m.acc), accRules(m.acc), biasRules(m.bias), f.scaleRules(), m.deviceRules(f.vector)),
			Cpp:   m.cpp(ins), Examples: []string{m.example(ins, f.dst)}, Notes: f.notes,
		})
	})
}

// accIn returns a list with one operand of the given name, the accumulator to which
// products are added. It returns nil if name is "", for instructions without this
// operand.
func (f factors) accIn(name string) []operand {
	if name == "" {
		return nil
	}
	return []operand{{In(name, TileIn(AnyElem, sem.L0C)), f.dst.example}}
}

// biasIn returns a list with one operand, the bias of a matrix product. If it is "", the
// list is empty.
func biasIn(name string) []operand {
	if name == "" {
		return nil
	}
	return []operand{{In(name, TileIn(Both(Ints32|F32), sem.BT)), "!pto.tile<1x32xf32, loc=bias>"}}
}

// argsOf returns the declarations of the given operands. Each operand also has an example
// of its type, which argsOf omits.
func argsOf(operands []operand) Args {
	var args Args
	for _, o := range operands {
		args = append(args, o.Arg)
	}
	return args
}

// phase returns the declaration of the attribute accPhase. The attribute marks the last
// product of a sequence of products that accumulate into the same tile. The result is
// empty for instructions without this attribute.
func (m matmul) phase() []ir.AttrDef {
	if m.noPhase {
		return nil
	}
	return []ir.AttrDef{{Name: "accPhase", Type: AccPhaseEnum, Default: AccPhaseEnum.Attr("unspecified"), Doc: "place in a sequence of accumulations"}}
}

// cpp returns the call template of the C++ library for a matrix product with the operands
// ins. The library requires that the accumulator before the product has the C++ type of
// dst, so the template passes it with that type. A product with a row has a second
// template, the call of the product of matrices with the same operands.
func (m matmul) cpp(ins []operand) Cpp {
	args := "({dst}"
	if !m.noPhase {
		args = "<[pto::AccPhase::{accPhase~}]>" + args
	}
	for _, in := range ins {
		if in.Name == m.acc {
			args += ", {" + m.acc + "=dst}"
		} else {
			args += ", {" + in.Name + "}"
		}
	}
	if matrix, row := strings.CutPrefix(m.page, "TGEMV"); row {
		return Calls(m.page+args+")", "TMATMUL"+matrix+args+")")
	}
	return Calls(m.page + args + ")")
}

// example returns the text of an example of the instruction for the reference page. The
// parameter ins contains the source operands of the example, and dst is its destination.
func (m matmul) example(ins []operand, dst operand) string {
	var values, types []string
	for _, in := range ins {
		values, types = append(values, "%"+in.Name), append(types, in.example)
	}
	return "%dst = pto." + m.name + " " + strings.Join(values, ", ") + " : " + InParens(types) + " -> " + dst.example
}

// rules returns the rules of a matrix product on the types, shapes and layouts of the two
// matrices and dst. acc is the name of the operand with the accumulator, or "" for
// products without it.
func (f factors) rules(acc string) []Rule {
	return []Rule{
		Check(f.types),
		TileCheck{On: sem.OnAll, Args: []string{f.lhs, f.rhs, "dst"}, Check: f.shapes},
		cubeLayout{f.lhs, f.rhs, acc},
	}
}

// accRules returns the rule that the accumulator tile, the operand with the name acc,
// must have the element type of dst. It returns no rule if acc is "".
func accRules(acc string) []Rule {
	if acc == "" {
		return nil
	}
	sameElem := func(_ *ir.Op, t []TileInfo) string {
		if t[0].Elem != t[1].Elem {
			return fmt.Sprintf("\"%s\" must have the element type of \"dst\", %s, but has %s", acc, t[1].Elem, t[0].Elem)
		}
		return ""
	}
	return []Rule{TileCheck{On: sem.OnAll, Args: []string{acc, "dst"}, Check: sameElem}}
}

// biasRules returns rules that require the named bias to have a single row and the
// element type of dst.
func biasRules(bias string) []Rule {
	if bias == "" {
		return nil
	}
	oneRow := func(_ *ir.Op, t []TileInfo) string {
		switch {
		case t[0].Rows != 1:
			return fmt.Sprintf("\"%s\" must have one row, but has %d", bias, t[0].Rows)
		case t[0].Elem != t[1].Elem:
			return fmt.Sprintf("\"%s\" must have the element type of \"dst\", %s, but has %s", bias, t[1].Elem, t[0].Elem)
		}
		return ""
	}
	rowMajor := func(_ *ir.Op, t []TileInfo) string {
		if t[0].BLayout != RowMajor {
			return fmt.Sprintf("\"%s\" must be row_major", bias)
		}
		return ""
	}
	return []Rule{
		TileCheck{On: sem.OnAll, Args: []string{bias, "dst"}, Check: oneRow},
		TileCheck{On: sem.OnA5, Args: []string{bias}, Check: rowMajor},
	}
}

// scaleRules returns the rules of a scaled matrix product, which needs a tile of scales
// for each of the two matrices. It returns nil for a product without scales.
func (f factors) scaleRules() []Rule {
	if !f.scaled {
		return nil
	}
	return []Rule{
		TileCheck{On: sem.OnA5, Args: []string{f.lhs, f.rhs, f.lhs + "_scale", f.rhs + "_scale"}, Check: f.scales},
		scaleElems{f.lhs + "_scale", f.rhs + "_scale"},
	}
}

// types returns a message unless the element types of op are a legal combination on
// target t.
func (f factors) types(op *ir.Op, t ir.Target) string {
	a, _ := TileArg(op, f.lhs)
	b, _ := TileArg(op, f.rhs)
	d, _ := TileArg(op, "dst")
	for _, p := range f.products {
		if p.on.Has(t) && p.dst.Has(d.Elem) && p.lhs.Has(a.Elem) && p.rhs.Has(b.Elem) {
			return ""
		}
	}
	return fmt.Sprintf("cannot multiply %s by %s into %s", a.Elem, b.Elem, d.Elem)
}

// known returns a number of rows or columns that is known before the run. valid is the
// number of valid rows or columns of a tile. If it is ir.Dynamic, known returns the
// parameter all, the number of rows or columns of the storage.
func known(valid, all int64) int64 {
	if valid == ir.Dynamic {
		return all
	}
	return valid
}

// fits reports whether two tiles can have equal numbers of valid rows (or columns). valid
// and otherValid are these numbers, and the parameters all and otherAll are the numbers
// of rows (or columns) in the storage of the tiles. A valid number that is known only at
// run time can have any value up to the number in the storage.
func fits(valid, all, otherValid, otherAll int64) bool {
	return MaybeEqual(valid, otherValid) && (valid == ir.Dynamic || valid <= otherAll) && (otherValid == ir.Dynamic || otherValid <= all)
}

// shapes returns a message unless the three tiles have the shapes M x K, K x N and M x
// N.
func (f factors) shapes(_ *ir.Op, t []TileInfo) string {
	a, b, d := t[0], t[1], t[2]
	lo := int64(0)
	if f.scaled {
		lo = 1
	}
	for _, x := range []struct {
		name string
		v    int64
	}{{"m", a.VRows}, {"k", a.VCols}, {"n", b.VCols}} {
		if x.v != ir.Dynamic && (x.v < lo || x.v > 4095) {
			return fmt.Sprintf("%s must be between %d and 4095, but is %d", x.name, lo, x.v)
		}
	}
	rows, inner, cols := fits(a.VRows, a.Rows, d.VRows, d.Rows), fits(a.VCols, a.Cols, b.VRows, b.Rows), fits(b.VCols, b.Cols, d.VCols, d.Cols)
	switch {
	case f.vector && (!MaybeEqual(a.VRows, 1) || !MaybeEqual(d.VRows, 1)):
		return fmt.Sprintf("\"%s\" and \"dst\" must have one valid row", f.lhs)
	case !rows && !f.vector || !inner || !cols:
		return fmt.Sprintf("valid shapes %s, %s and %s do not fit a matrix product", a.ValidShape(), b.ValidShape(), d.ValidShape())
	case f.scaled && !f.vector && (a.Cols%64 != 0 || b.Rows%64 != 0):
		return fmt.Sprintf("\"%s\" must have a multiple of 64 columns and \"%s\" the same number of rows, but they have %d and %d", f.lhs, f.rhs, a.Cols, b.Rows)
	}
	return ""
}

// scales returns a message unless the tiles of scales have one scale for every 32
// elements along K.
func (f factors) scales(_ *ir.Op, t []TileInfo) string {
	a, b := t[0], t[1]
	if f.vector {
		k, n := known(a.VCols, a.Cols), known(b.VCols, b.Cols)
		return cmp.Or(
			scaleShape(f.lhs+"_scale", t[2], a.Rows, CeilDiv(k, 32), a.VRows, groupsAlong(a.VCols)),
			scaleShape(f.rhs+"_scale", t[3], CeilDiv(k, 32), b.Cols, groupsAlong(a.VCols), n),
		)
	}
	return cmp.Or(
		scaleTile(f.lhs+"_scale", t[2], tile.FormZZ, a.Rows, CeilDiv(a.Cols, 32), a.VRows, groupsAlong(a.VCols)),
		scaleTile(f.rhs+"_scale", t[3], tile.Forms(0), CeilDiv(a.Cols, 32), b.Cols, groupsAlong(a.VCols), b.VCols),
	)
}

// groupsAlong returns the number of scales for k elements: one for every 32.
func groupsAlong(k int64) int64 {
	if k == ir.Dynamic {
		return k
	}
	return CeilDiv(k, 32)
}

// scaleShape returns a message unless the tile t of scales has the given rows and
// columns, and the given valid rows and columns. name is its operand name, for the
// message.
func scaleShape(name string, t TileInfo, rows, cols, vrows, vcols int64) string {
	switch {
	case t.Rows != rows || t.Cols != cols:
		return fmt.Sprintf("\"%s\" must be %dx%d, but is %dx%d", name, rows, cols, t.Rows, t.Cols)
	case !MaybeEqual(t.VRows, vrows) || !MaybeEqual(t.VCols, vcols):
		return fmt.Sprintf("\"%s\" must have a valid region of %dx%d, but has %dx%d", name, vrows, vcols, t.VRows, t.VCols)
	}
	return ""
}

// scaleTile checks the tile t, which contains the scales of a matrix. It returns a
// message if the layout of the tile is not in the set f, or if the tile does not have the
// given numbers of rows and columns. Otherwise it returns "". If f is 0, the boxes must
// be stored column by column, and so must the elements inside each box. vrows and vcols
// are the numbers of valid rows and columns. name is the operand name in the message.
func scaleTile(name string, t TileInfo, f tile.Forms, rows, cols, vrows, vcols int64) string {
	layout := f.String()
	ok := f.Has(t)
	if f == 0 {
		layout, ok = "col_major/col_major", t.BLayout == ColMajor && t.SLayout == ColMajor
	}
	if !ok || t.Fractal != 32 {
		return fmt.Sprintf("\"%s\" must be %s with fractal=32", name, layout)
	}
	return scaleShape(name, t, rows, cols, vrows, vcols)
}

// Definitions of the matrix products of tiles.
var (
	TMatmul     = matmul{name: "tmatmul", page: "TMATMUL", doc: "Multiplies two matrices.", factors: matrices, lhs: "lhs", rhs: "rhs"}.def()
	TMatmulAcc  = matmul{name: "tmatmul.acc", page: "TMATMUL_ACC", doc: "Multiplies two matrices and adds acc_in.", factors: matrices, lhs: "lhs", rhs: "rhs", acc: "acc_in", aliases: []string{"tmatmul_acc"}}.def()
	TMatmulBias = matmul{name: "tmatmul.bias", page: "TMATMUL_BIAS", doc: "Multiplies two matrices and adds a row to every row.", factors: matrices, lhs: "a", rhs: "b", bias: "bias", aliases: []string{"tmatmul_bias"}}.def()

	TMatmulMX     = matmul{name: "tmatmul.mx", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements.", factors: mxMatrices, lhs: "a", rhs: "b", aliases: []string{"tmatmul_mx"}}.def()
	TMatmulMXAcc  = matmul{name: "tmatmul.mx.acc", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements and adds c_in.", factors: mxMatrices, lhs: "a", rhs: "b", acc: "c_in"}.def()
	TMatmulMXBias = matmul{name: "tmatmul.mx.bias", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements and adds a row to every row.", factors: mxMatrices, lhs: "a", rhs: "b", bias: "bias", noPhase: true}.def()

	TGemv     = matmul{name: "tgemv", page: "TGEMV", doc: "Multiplies a row with a matrix.", factors: rowAndMatrix, lhs: "lhs", rhs: "rhs"}.def()
	TGemvAcc  = matmul{name: "tgemv.acc", page: "TGEMV_ACC", doc: "Multiplies a row with a matrix and adds acc_in.", factors: rowAndMatrix, lhs: "lhs", rhs: "rhs", acc: "acc_in", aliases: []string{"tgemv_acc"}}.def()
	TGemvBias = matmul{name: "tgemv.bias", page: "TGEMV_BIAS", doc: "Multiplies a row with a matrix and adds another row.", factors: rowAndMatrix, lhs: "a", rhs: "b", bias: "bias", aliases: []string{"tgemv_bias"}}.def()

	TGemvMX     = matmul{name: "tgemv.mx", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements.", factors: mxRowAndMatrix, lhs: "a", rhs: "b", aliases: []string{"tgemv_mx"}}.def()
	TGemvMXAcc  = matmul{name: "tgemv.mx.acc", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements and adds c_in.", factors: mxRowAndMatrix, lhs: "a", rhs: "b", acc: "c_in"}.def()
	TGemvMXBias = matmul{name: "tgemv.mx.bias", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements and adds another row.", factors: mxRowAndMatrix, lhs: "a", rhs: "b", bias: "bias", noPhase: true}.def()
)
