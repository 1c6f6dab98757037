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
		attrs = append(attrs, fmt.Sprintf("grpAxis = #pto<mx_group_axis axis%d>", numbers[0]))
	}
	if len(numbers) > 1 && numbers[1] != 0 {
		attrs = append(attrs, "interleave = true")
	}
	operands := map[string]argument{}
	for i, a := range c.args {
		operands[named[i]] = a
	}
	f.named(v, "tquant.mx", operands, attrs...)
}
