package refpage_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// TestEveryMeaning checks that refpage.Meaning returns a text for every instruction,
// which starts as a sentence or is a formula.
func TestEveryMeaning(t *testing.T) {
	for _, d := range pto.Dialect.All() {
		if text := refpage.Meaning(d); text == "" && d.Sem != nil {
			t.Errorf("%s says nothing of its meaning", d.Name)
		}
	}
}

// TestPlainText checks that reference pages describe the instruction itself, without
// names of Go values and without unresolved types.
func TestPlainText(t *testing.T) {
	names := map[string]bool{"NaN": true, "ReLU": true, "row_major": true, "col_major": true}
	for _, d := range pto.Dialect.All() {
		addWords(names, d.Name)
	}
	goName := regexp.MustCompile(`[a-z]([A-Z]|_[a-z])`) // which operands have, too
	for _, d := range pto.Dialect.All() {
		page := refpage.Reference(d, nil)
		for _, word := range []string{"Here:", "<no type", " Sem ", ": yes", "<nil>"} {
			if strings.Contains(page, word) {
				t.Errorf("%s: %q is on the page", d.Name, word)
			}
		}
		own := ownWords(d)
		for _, word := range wordsOf(refpage.Meaning(d)) {
			if goName.MatchString(word) && !names[word] && !own[word] {
				t.Errorf("%s: the meaning speaks of %q, which is neither an operand nor an attribute", d.Name, word)
			}
		}
	}
}

// ownWords returns the names of the operands, results, attributes and attribute values of
// the instruction d.
func ownWords(d *ir.Def) map[string]bool {
	own := map[string]bool{}
	for _, f := range d.Forms {
		for _, a := range append(slices.Clone(f.Operands), f.Results...) {
			own[a.Name] = true
		}
	}
	for _, a := range d.Attrs {
		addWords(own, a.Name+" "+a.Type.WantAttr())
	}
	return own
}

func addWords(to map[string]bool, text string) {
	for _, word := range wordsOf(text) {
		to[word] = true
	}
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

func TestMeaning(t *testing.T) {
	for name, wants := range map[string][]string{
		"pto.tdivs":         {"For every element of the valid region of the destination: src / scalar"},
		"pto.taddc":         {"(src0 + src1) + src2."},
		"pto.vadd":          {"For every lane that the mask selects: lhs + rhs. Other lanes become zero."},
		"pto.trowmax":       {"dst[i,0] is the greatest src[i,j] over the valid columns j, or NaN if one of them is."},
		"pto.trowargmin":    {"dst[i,0] is the column of the least element of row i"},
		"pto.tcolsum":       {"sum of src[i,j] over the valid rows i", "With isBinary"},
		"pto.trowexpandsub": {"dst[i,j] = src0[i,j] - src1[i,0]."},
		"pto.tmatmul.acc":   {"dst[m,n] = acc_in[m,n] + sum over k of lhs[m,k] * rhs[k,n]."},
		"pto.tgemv.mx.bias": {"sum over k of a[m,k] * b[k,n] + bias[0,n]", "the element of a_scale or b_scale"},
		"pto.mad_bias":      {"+ bias[j]", "\n\nEach fractal of L0C has a unit flag."},
		"pto.atomic_min":    {"The function is smaller of *ptr and value", "; without a sign, smaller of unsigned *ptr and value."},
		"pto.vaxpy":         {"alpha * src0 + src1, rounded once"},
		"pto.vmi.addf":      {"For every lane: lhs + rhs."},
		"pto.vsubcs":        {"result = lhs - rhs, less 1 where carry_in is not set"},
		"pto.vcmax":         {"count as the smallest value", "The number of the lane has the bits of an integer"},
		"pto.shuffle_up":    {"Lane i of a group reads lane i - offset of its group."},
		"pto.absf":          {"The result is |value|."},
		"pto.vmi.select":    {"that of true_value where mask is set, else that of false_value"},
	} {
		text := refpage.Meaning(ir.Lookup(name))
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: want %q in\n%s", name, want, text)
			}
		}
	}
}
