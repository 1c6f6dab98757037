package cube

import (
	"fmt"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Matrix products on tiles: with and without an accumulator, with a bias, and with a
// scale for each group of elements (mx). What they share is the table of legal element
// types; the other forms add operands to the plain product.

const matrixFamily = "matrix-and-matrix-vector"

// product is a legal triple of element types.
type product struct {
	on            sem.Profiles
	dst, lhs, rhs Elems
}

// products are the element types of tmatmul and tgemv.
var products = []product{
	{sem.OnAll, Ints32, Ints8, Ints8},
	{sem.OnAll, F32, F16, F16},
	{sem.OnAll, F32, F32, F32},
	{sem.OnAll, F32, BF16, BF16},
	{sem.OnA5, F32, FP8, FP8},
	{sem.OnA5, F32, HiF8, HiF8},
}

// mxProducts are those with scales.
var mxProducts = []product{
	{sem.OnA5, F32, FP8, FP8},
	{sem.OnA5, F32, FP4, FP4},
}

// elemsOf returns the types that one side of some products takes.
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

// fromMat accepts an operand that is still in mat, whose data the cube unit
// loads on the way.
var fromMat = TileIn(On{A5: elemsOf(products, func(p product) Elems { return p.lhs }).A5}, sem.L1).Boxed(ColMajor, RowMajor, sem.OnA5)

// orFromMat accepts what first accepts, or an operand in mat, where that exists.
type orFromMat struct{ first ir.Constraint }

// Check implements ir.Constraint.
func (c orFromMat) Check(t ir.Type, e *ir.Env) bool {
	return c.first.Check(t, e) || fromMat.Check(t, e)
}

// Want implements ir.Constraint.
func (c orFromMat) Want(e *ir.Env) string {
	if fromMat.Elems(e.Target) == 0 {
		return c.first.Want(e)
	}
	return c.first.Want(e) + " or " + fromMat.Want(e)
}

// matmul describes one of the matrix products.
type matmul struct {
	name, page, doc string
	acc, bias       string // names of the optional operands, "" without
	lhs, rhs        string
	mx, vector      bool
	noPhase         bool
	aliases         []string
}

// def makes the definition.
func (m matmul) def() *ir.Def {
	return Define(m.name, func(name string) *ir.Def {
		ps := products
		if m.mx {
			ps = mxProducts
		}
		left := TileIn(elemsOf(ps, func(p product) Elems { return p.lhs }), sem.L0A)
		right := TileIn(elemsOf(ps, func(p product) Elems { return p.rhs }), sem.L0B)
		dst := TileIn(elemsOf(ps, func(p product) Elems { return p.dst }), sem.L0C)
		if m.mx || !m.vector {
			// The order of boxes in left follows from the profile, whatever the type
			// says.
			left = left.InnerOrder(RowMajor, sem.OnA5)
			right, dst = right.Boxed(RowMajor, ColMajor, sem.OnA5), dst.Boxed(ColMajor, RowMajor, sem.OnA5)
		}
		var leftIn, rightIn ir.Constraint = left, right
		if !m.mx && !m.vector {
			leftIn, rightIn = orFromMat{left}, orFromMat{right}
		}
		o := Op{
			Name: m.name, Page: IsaPage(m.page), Family: matrixFamily, Pipe: sem.PipeM, Doc: m.doc, Aliases: m.aliases,
			Outs: Args{Out("dst", dst)}, Tensor: true,
			Sem: sem.TileMatmul{
				Acc: m.acc != "", Bias: m.bias != "", Scaled: m.mx, Vector: m.vector, Lhs: m.lhs, Rhs: m.rhs,
				LhsScale: m.lhs + "_scale", RhsScale: m.rhs + "_scale", In: OrElse(m.acc, m.bias),
			},
			Rules: m.rules(ps),
		}
		if m.acc != "" {
			o.Ins = append(o.Ins, In(m.acc, TileIn(AnyElem, sem.L0C)))
		}
		o.Ins = append(o.Ins, In(m.lhs, leftIn))
		if m.mx {
			o.Ins = append(o.Ins, In(m.lhs+"_scale", TileIn(AnyElem, sem.FB)))
		}
		o.Ins = append(o.Ins, In(m.rhs, rightIn))
		if m.mx {
			o.Ins = append(o.Ins, In(m.rhs+"_scale", TileIn(AnyElem, sem.FB)))
			o.On = sem.OnA5
		}
		if m.bias != "" {
			o.Ins = append(o.Ins, In(m.bias, TileIn(Both(Ints32|F32), sem.BT)))
		}
		if !m.noPhase {
			o.Attrs = []ir.AttrDef{{Name: "accPhase", Type: AccPhaseEnum, Default: AccPhaseEnum.Attr("unspecified"), Doc: "place in a sequence of accumulations"}}
		}
		o.Cpp = m.cpp()
		o.Examples = []string{m.example()}
		o.Notes = []string{"m, k, n: the ISA page starts at 1, the IR manual at 0 except for mx; 0 is accepted there."}
		if !m.mx && !m.vector {
			o.Notes = append(o.Notes, "The pages want left and right; public golden cases on A5 multiply out of mat, which is accepted there.")
		}
		return TileOp(o)
	})
}

// cpp is the call of the library, which has one name for all products with
// scales, and one C++ type for the accumulator before and after.
func (m matmul) cpp() Cpp {
	name, scale := "TMATMUL", func(string) string { return "" }
	if m.vector {
		name = "TGEMV"
	}
	switch {
	case m.mx:
		name, scale = name+"_MX", func(arg string) string { return ", {" + arg + "_scale}" }
	case m.acc != "":
		name += "_ACC"
	case m.bias != "":
		name += "_BIAS"
	}
	if !m.noPhase {
		name += "<[pto::AccPhase::{accPhase~}]>"
	}
	args := "{dst}"
	if m.acc != "" {
		args += ", {" + m.acc + "=dst}"
	}
	args += ", {" + m.lhs + "}" + scale(m.lhs) + ", {" + m.rhs + "}" + scale(m.rhs)
	if m.bias != "" {
		args += ", {" + m.bias + "}"
	}
	return Calls(name + "(" + args + ")")
}

// example multiplies 16x64 (or one row of it) and 64x32.
func (m matmul) example() string {
	elem, row, accRow := "f16", "", ""
	if m.mx {
		elem = "f8E4M3FN"
	}
	if m.vector {
		row, accRow = ", valid=1x64", ", valid=1x32"
	}
	acc := "!pto.tile<16x32xf32, loc=acc" + accRow + ", blayout=col_major, slayout=row_major, fractal=1024>"
	var values, types []string
	add := func(v, t string) { values, types = append(values, "%"+v), append(types, "!pto.tile<"+t+">") }
	if m.acc != "" {
		values, types = append(values, "%"+m.acc), append(types, acc)
	}
	add(m.lhs, "16x64x"+elem+", loc=left"+row+", blayout=col_major, slayout=row_major")
	if m.mx {
		add(m.lhs+"_scale", "16x2x!pto.f8E8M0, loc=scaling"+strings.ReplaceAll(row, "64", "2")+", slayout=row_major, fractal=32")
	}
	add(m.rhs, "64x32x"+elem+", loc=right, slayout=col_major")
	if m.mx {
		add(m.rhs+"_scale", "2x32x!pto.f8E8M0, loc=scaling, blayout=col_major, slayout=col_major, fractal=32")
	}
	if m.bias != "" {
		add(m.bias, "1x32xf32, loc=bias")
	}
	return "%dst = pto." + m.name + " " + strings.Join(values, ", ") + " : " + InParens(types) + " -> " + acc
}

func (m matmul) rules(ps []product) []Rule {
	rs := []Rule{
		Check(func(op *ir.Op, t ir.Target) string { return m.types(op, t, ps) }),
		TileCheck{On: sem.OnAll, Args: []string{m.lhs, m.rhs, "dst"}, Check: m.shapes},
		cubeLayout{m.lhs, m.rhs, m.acc},
	}
	if m.bias != "" {
		rs = append(rs, TileCheck{On: sem.OnAll, Args: []string{m.bias, "dst"}, Check: m.biasTile}, TileCheck{On: sem.OnA5, Args: []string{m.bias}, Check: m.biasLayout})
	}
	if m.acc != "" {
		rs = append(rs, TileCheck{On: sem.OnAll, Args: []string{m.acc, "dst"}, Check: m.accTile})
	}
	if m.mx {
		rs = append(rs, TileCheck{On: sem.OnA5, Args: []string{m.lhs, m.rhs, m.lhs + "_scale", m.rhs + "_scale"}, Check: m.scales}, scaleElems{m.lhs + "_scale", m.rhs + "_scale"})
	}
	return rs
}

// types asks for one of the triples of element types.
func (m matmul) types(op *ir.Op, t ir.Target, ps []product) string {
	a, _ := TileArg(op, m.lhs)
	b, _ := TileArg(op, m.rhs)
	d, _ := TileArg(op, "dst")
	for _, p := range ps {
		if p.on.Has(t) && p.dst.Has(d.Elem) && p.lhs.Has(a.Elem) && p.rhs.Has(b.Elem) {
			return ""
		}
	}
	return fmt.Sprintf("there is no product of %s and %s in %s", a.Elem, b.Elem, d.Elem)
}

// known returns valid, or the storage where that is open.
func known(valid, all int64) int64 {
	if valid == ir.Dynamic {
		return all
	}
	return valid
}

// shapes asks for M x K, K x N and M x N.
func (m matmul) shapes(_ *ir.Op, t []TileInfo) string {
	a, b, d := t[0], t[1], t[2]
	lo := int64(0)
	if m.mx {
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
	ar, ac, br, bc := known(a.VRows, a.Rows), known(a.VCols, a.Cols), known(b.VRows, b.Rows), known(b.VCols, b.Cols)
	dr, dc := known(d.VRows, d.Rows), known(d.VCols, d.Cols)
	switch {
	case m.vector && (!MaybeEqual(a.VRows, 1) || !MaybeEqual(d.VRows, 1)):
		return fmt.Sprintf("\"%s\" and \"dst\" must have one valid row", m.lhs)
	case m.vector && (!MaybeEqual(a.VCols, b.VRows) || !MaybeEqual(b.VCols, d.VCols)):
		return fmt.Sprintf("shapes %dx%d, %dx%d and %dx%d do not make a product", ar, ac, br, bc, dr, dc)
	case !m.vector && (ar != dr || ac != br || bc != dc):
		return fmt.Sprintf("shapes %dx%d, %dx%d and %dx%d do not make a product", ar, ac, br, bc, dr, dc)
	case m.mx && !m.vector && (a.Cols%64 != 0 || b.Rows%64 != 0):
		return fmt.Sprintf("\"%s\" must have a multiple of 64 columns and \"%s\" as many rows, but they have %d and %d", m.lhs, m.rhs, a.Cols, b.Rows)
	}
	return ""
}

// biasTile asks for one row in the type of dst.
func (m matmul) biasTile(_ *ir.Op, t []TileInfo) string {
	switch {
	case t[0].Rows != 1:
		return fmt.Sprintf("\"%s\" must have one row, but has %d", m.bias, t[0].Rows)
	case t[0].Elem != t[1].Elem:
		return fmt.Sprintf("\"%s\" must have the element type of \"dst\", %s, but has %s", m.bias, t[1].Elem, t[0].Elem)
	}
	return ""
}

// accTile asks for sums in the type of dst.
func (m matmul) accTile(_ *ir.Op, t []TileInfo) string {
	if t[0].Elem != t[1].Elem {
		return fmt.Sprintf("\"%s\" must have the element type of \"dst\", %s, but has %s", m.acc, t[1].Elem, t[0].Elem)
	}
	return ""
}

func (m matmul) biasLayout(_ *ir.Op, t []TileInfo) string {
	if t[0].BLayout != RowMajor {
		return fmt.Sprintf("\"%s\" must be row_major", m.bias)
	}
	return ""
}

// scales asks for one scale per 32 elements along k.
func (m matmul) scales(_ *ir.Op, t []TileInfo) string {
	a, b := t[0], t[1]
	if m.vector {
		k, n := known(a.VCols, a.Cols), known(b.VCols, b.Cols)
		return FirstOf(
			scaleShape(m.lhs+"_scale", t[2], a.Rows, CeilDiv(k, 32), a.VRows, groupsAlong(a.VCols)),
			scaleShape(m.rhs+"_scale", t[3], CeilDiv(k, 32), b.Cols, groupsAlong(a.VCols), n),
		)
	}
	return FirstOf(
		scaleTile(m.lhs+"_scale", t[2], tile.FormZZ, a.Rows, CeilDiv(a.Cols, 32), a.VRows, groupsAlong(a.VCols)),
		scaleTile(m.rhs+"_scale", t[3], tile.Forms(0), CeilDiv(a.Cols, 32), b.Cols, groupsAlong(a.VCols), b.VCols),
	)
}

func groupsAlong(k int64) int64 {
	if k == ir.Dynamic {
		return k
	}
	return CeilDiv(k, 32)
}

// scaleShape checks the shape of a tile of scales.
func scaleShape(name string, t TileInfo, rows, cols, vrows, vcols int64) string {
	switch {
	case t.Rows != rows || t.Cols != cols:
		return fmt.Sprintf("\"%s\" must be %dx%d, but is %dx%d", name, rows, cols, t.Rows, t.Cols)
	case !MaybeEqual(t.VRows, vrows) || !MaybeEqual(t.VCols, vcols):
		return fmt.Sprintf("\"%s\" must have a valid region of %dx%d, but has %dx%d", name, vrows, vcols, t.VRows, t.VCols)
	}
	return ""
}

// scaleTile checks layout and shape of a tile of scales; a form of 0 stands
// for boxes in columns, both ways. It has seven parameters: the two shapes are
// compared number by number.
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

// The matrix products.
var (
	TMatmul     = matmul{name: "tmatmul", page: "TMATMUL", doc: "Multiplies two matrices.", lhs: "lhs", rhs: "rhs"}.def()
	TMatmulAcc  = matmul{name: "tmatmul.acc", page: "TMATMUL_ACC", doc: "Multiplies two matrices and adds acc_in.", acc: "acc_in", lhs: "lhs", rhs: "rhs", aliases: []string{"tmatmul_acc"}}.def()
	TMatmulBias = matmul{name: "tmatmul.bias", page: "TMATMUL_BIAS", doc: "Multiplies two matrices and adds a row to every row.", bias: "bias", lhs: "a", rhs: "b", aliases: []string{"tmatmul_bias"}}.def()

	TMatmulMX     = matmul{name: "tmatmul.mx", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements.", lhs: "a", rhs: "b", mx: true, aliases: []string{"tmatmul_mx"}}.def()
	TMatmulMXAcc  = matmul{name: "tmatmul.mx.acc", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements and adds c_in.", acc: "c_in", lhs: "a", rhs: "b", mx: true}.def()
	TMatmulMXBias = matmul{name: "tmatmul.mx.bias", page: "TMATMUL_MX", doc: "Multiplies two matrices with a scale for every 32 elements and adds a row to every row.", bias: "bias", lhs: "a", rhs: "b", mx: true, noPhase: true}.def()

	TGemv     = matmul{name: "tgemv", page: "TGEMV", doc: "Multiplies a row with a matrix.", lhs: "lhs", rhs: "rhs", vector: true}.def()
	TGemvAcc  = matmul{name: "tgemv.acc", page: "TGEMV_ACC", doc: "Multiplies a row with a matrix and adds acc_in.", acc: "acc_in", lhs: "lhs", rhs: "rhs", vector: true, aliases: []string{"tgemv_acc"}}.def()
	TGemvBias = matmul{name: "tgemv.bias", page: "TGEMV_BIAS", doc: "Multiplies a row with a matrix and adds another row.", bias: "bias", lhs: "a", rhs: "b", vector: true, aliases: []string{"tgemv_bias"}}.def()

	TGemvMX     = matmul{name: "tgemv.mx", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements.", lhs: "a", rhs: "b", mx: true, vector: true, aliases: []string{"tgemv_mx"}}.def()
	TGemvMXAcc  = matmul{name: "tgemv.mx.acc", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements and adds c_in.", acc: "c_in", lhs: "a", rhs: "b", mx: true, vector: true}.def()
	TGemvMXBias = matmul{name: "tgemv.mx.bias", page: "TGEMV_MX", doc: "Multiplies a row with a matrix with a scale for every 32 elements and adds another row.", bias: "bias", lhs: "a", rhs: "b", mx: true, vector: true, noPhase: true}.def()
)
