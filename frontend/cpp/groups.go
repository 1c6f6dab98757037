// This file converts the quantization of groups of elements.

package cpp

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// groupAlgorithms maps the algorithms of TQUANT for groups to the attributes of tquant.mx.
var groupAlgorithms = map[string]struct{ kind, scale string }{
	"OcpMxFp8E4M3": {"MXFP8", "ocp"}, "NvMxFp8E4M3": {"MXFP8", "nv"}, "OcpMxFp4E2M1": {"MXFP4_E2M1", "ocp"}, "NvMxFp4E2M1": {"MXFP4_E2M1", "nv"},
}

// quantizeGroups converts TQUANT with exponents, maxima and factors. The exponents in boxes
// are a sixth argument.
func (f *function) quantizeGroups(v *llir.Value, c *libraryCall) {
	var attrs []string
	kind, numbers := "", []int64(nil)
	for _, t := range c.types {
		alg, known := groupAlgorithms[t.word]
		switch {
		case t.kind == intArgument:
			numbers = append(numbers, t.v.Int)
		case t.enum == "QuantType":
			kind = t.word
		case t.enum == "QuantScaleAlg":
			attrs = append(attrs, "quantScaleAlg = #pto<quant_scale_alg "+strings.ToLower(t.word)+">")
		case t.enum == "VecStoreMode":
			attrs = append(attrs, "storeMode = #pto<vec_store_mode "+strings.ToLower(t.word)+">")
		case t.enum == "MxQuantAlg" && known:
			kind = alg.kind
			attrs = append(attrs, "quantScaleAlg = #pto<quant_scale_alg "+alg.scale+">")
		case t.kind == enumArgument:
			f.failf(v, "TQUANT with pto::%s::%s has no counterpart in PTO yet", t.enum, t.word)
		}
	}
	named := list("dst src exp max scaling exp_zz")
	notTile := func(a argument) bool { return a.kind != tileArgument }
	if kind == "" || len(c.args) > len(named) || slices.ContainsFunc(c.args, notTile) {
		f.failf(v, "this call of TQUANT, with %d template arguments and %d arguments, has no counterpart in PTO yet", len(c.types), len(c.args))
	}
	attrs = append(attrs, "quant_type = #pto<quant_type "+kind+">")
	if len(numbers) > 0 {
		attrs = append(attrs, groupAxis(numbers[0]))
	}
	if len(numbers) > 1 && numbers[1] != 0 {
		attrs = append(attrs, "interleave = true")
	}
	operands := map[string]argument{}
	for i, a := range c.args {
		operands[named[i]] = a
	}
	if kind == "MXFP4_E2M1" && len(c.args) > 1 {
		operands["dst"] = f.pairsInRows(c.args[0], c.args[1].tile)
	}
	if len(c.args) > 4 {
		operands["scaling"] = f.fitFactors(c.args[1].tile, c.args[2].tile, c.args[4])
	}
	f.named(v, "tquant.mx", operands, attrs...)
}

// pairsInRows returns the tile of pairs of 4-bit floats with the rows of src. Kernels of the
// library describe the pairs as one row of any valid length: the headers use its address alone, and
// write the pairs of a row of src after those of the row before.
func (f *function) pairsInRows(dst argument, src *shapeOfTile) argument {
	const block = 32
	t := *dst.tile
	if !isPair(t.elem) || t.rows != 1 || src.validRows <= 0 || src.validCols <= 0 || src.validCols%block != 0 || src.cols/2%block != 0 {
		return dst
	}
	if t.validRows == src.validRows && t.validCols == src.validCols/2 {
		return dst
	}
	t.rows, t.cols, t.validRows, t.validCols = src.rows, src.cols/2, src.validRows, src.validCols/2
	f.drop(dst)
	return f.allocated(dst.from, t)
}

// groupAxis returns the attribute for the axis of groups, which the library writes as a number.
func groupAxis(axis int64) string {
	return fmt.Sprintf("grpAxis = #pto<mx_group_axis axis%d>", axis)
}

// fitFactors returns the tile of factors of groups with as many bytes as the headers write:
// with the exponents in one row they store whole registers, and each factor of f32 twice if
// they unroll the loop. Kernels of the library have smaller tiles, before free bytes.
func (f *function) fitFactors(src, exp *shapeOfTile, factors argument) argument {
	t, n := *factors.tile, src.validRows*src.validCols/32
	bytes := elements[src.elem].bytes
	if exp.validRows != 1 || n <= 0 || t.rows != 1 || bytes == 0 || elements[t.elem].bytes != bytes {
		return factors
	}
	if all := src.rows * src.cols; bytes == 4 && all > 1024 && all%256 == 0 && src.validRows*src.cols%256 == 0 {
		n *= 2
	}
	register := 256 / bytes
	if n = (n + register - 1) / register * register; t.cols >= n {
		return factors
	}
	t.cols = n
	f.drop(factors)
	return f.allocated(factors.from, t)
}
