package pto_test

import (
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Every instruction says what it computes, in words that begin a sentence or
// as a formula.
func TestEveryMeaning(t *testing.T) {
	for _, d := range pto.Dialect.All() {
		if text := pto.Meaning(d); text == "" && d.Sem != nil {
			t.Errorf("%s says nothing of its meaning", d.Name)
		}
	}
}

func TestMeaning(t *testing.T) {
	for name, wants := range map[string][]string{
		"pto.tdivs":       {"For every element of the valid region of the destination: src / scalar"},
		"pto.taddc":       {"(src0 + src1) + src2."},
		"pto.vadd":        {"For every lane that the mask selects: lhs + rhs. Other lanes become zero."},
		"pto.trowmax":     {"Reduces every row", "\n- Axis: AlongRow\n", "\n- Fn: larger of a and b; NaN if either is"},
		"pto.tmatmul.acc": {"dst[m,n] = sum over k of lhs[m,k] * rhs[k,n]", "\n- Acc: yes\n", "\n- In: acc_in"},
		"pto.mscatter":    {"the reverse of MemGather", "\n\nMemGather: Reads elements of the global table mem"},
		"pto.mad_bias":    {"\n\nEach fractal of L0C has a unit flag.", "\n- Start: MadBias (the vector bias along the rows)"},
		"pto.atomic_min":  {"The function is smaller of a and b", "; without a sign, smaller of unsigned a and b."},
		"pto.vcmax":       {"\n- Into: IntoIndexed (puts the result into lane 0 and"},
		"pto.absf":        {"The result is |value|."},
		"pto.vmi.select":  {"that of true_value where mask is set, else that of false_value"},
	} {
		text := pto.Meaning(ir.Lookup(name))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: want %q in\n%s", name, want, text)
			}
		}
	}
}
