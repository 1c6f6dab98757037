// This file finds the instructions for a search word.

package opt

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/cli/report"
	"ptogo/ir"
)

// searchWord is a common search term that does not occur in names or descriptions of
// instructions. The field names lists the matching instructions, without "pto.". If no
// instruction matches, the field compose describes how other instructions compute the
// same function.
type searchWord struct {
	word    string
	names   []string
	compose string
}

// words are the additional search terms of --explain.
var words = []searchWord{
	{"cast", []string{"tcvt", "vcvt", "vtrc"}, ""},
	{"convert", []string{"tcvt", "vcvt", "vtrc"}, ""},
	{"round", []string{"tcvt", "vtrc", "vcvt"}, ""},
	{"transpose", []string{"ttrans", "vtranspose"}, ""},
	{"permute", []string{"ttrans", "vtranspose"}, ""},
	{"compare", []string{"tcmp", "tcmps", "vcmp", "vcmps"}, ""},
	{"equal", []string{"tcmp", "tcmps", "vcmp", "vcmps"}, ""},
	{"where", []string{"tsel", "tsels", "vsel"}, ""},
	{"select", []string{"tsel", "tsels", "vsel"}, ""},
	{"matmul", []string{"tmatmul", "tmatmul.acc", "tmatmul.bias", "mad", "mad_acc"}, ""},
	{"gemm", []string{"tmatmul", "tmatmul.acc", "tmatmul.bias", "mad", "mad_acc"}, ""},
	{"dot", []string{"tmatmul", "tmatmul.acc", "mad"}, ""},
	{"sum", []string{"trowsum", "tcolsum", "vcadd"}, ""},
	{"reduce", []string{"trowsum", "trowmax", "trowmin", "tcolsum", "tcolmax", "tcolmin", "vcadd", "vcmax", "vcmin"}, ""},
	{"argmax", []string{"trowargmax", "tcolargmax", "vcmax"}, ""},
	{"broadcast", []string{"trowexpand", "tcolexpand", "texpands", "vdup"}, ""},
	{"fill", []string{"texpands", "tfillpad", "vdup"}, ""},
	{"zeros", []string{"texpands", "vdup"}, ""},
	{"arange", []string{"tci", "vci"}, ""},
	{"iota", []string{"tci", "vci"}, ""},
	{"reciprocal", []string{"trecip", "tdivs", "vdiv"}, ""},
	{"negate", []string{"tneg", "vneg"}, ""},
	{"power", []string{"tpow"}, ""},
	{"topk", []string{"tsort32", "tmrgsort", "vbitsort"}, "sort with pto.tsort32, merge with pto.tmrgsort: examples/topk.pto"},
	{"reshape", []string{"treshape"}, ""},
	{"slice", []string{"partition_view", "subview", "textract"}, ""},
	{"concat", []string{"tconcat"}, ""},
	{"quantize", []string{"tquant"}, ""},
	{"dma", []string{"tload", "tstore", "mte_gm_ub", "mte_ub_gm"}, ""},
	{"print", []string{"tprint", "print"}, ""},
	{"sigmoid", []string{"tmuls", "texp", "tadds", "trecip"},
		"1 / (1 + exp(-x)): pto.tmuls by -1.0, pto.texp, pto.tadds 1.0, pto.trecip"},
	{"silu", []string{"tmuls", "texp", "tadds", "tdiv"},
		"x / (1 + exp(-x)): pto.tmuls by -1.0, pto.texp, pto.tadds 1.0, pto.tdiv of x by it"},
	{"swish", []string{"tmuls", "texp", "tadds", "tdiv"},
		"x / (1 + exp(-x)): pto.tmuls by -1.0, pto.texp, pto.tadds 1.0, pto.tdiv of x by it"},
	{"tanh", []string{"tmuls", "texp", "tadds", "trecip"},
		"1 - 2 / (exp(2x) + 1): pto.tmuls by 2.0, pto.texp, pto.tadds 1.0, pto.trecip, pto.tmuls by -2.0, pto.tadds 1.0"},
	{"gelu", []string{"tmul", "tmuls", "texp", "tadds", "tdiv"},
		"x / (1 + exp(-1.702 x)) comes near: pto.tmuls by -1.702, pto.texp, pto.tadds 1.0, pto.tdiv of x by it"},
	{"softmax", []string{"trowmax", "trowexpandexpdif", "trowsum", "trowexpanddiv"},
		"pto.trowmax, pto.trowexpandexpdif, pto.trowsum, pto.trowexpanddiv: examples/softmax.pto"},
	{"layernorm", []string{"trowsum", "trowexpandsub", "tmul", "trsqrt", "trowexpandmul"},
		"mean by pto.trowsum and pto.tmuls, pto.trowexpandsub, variance likewise, pto.trsqrt, pto.trowexpandmul: examples/layernorm.pto"},
	{"norm", []string{"tmul", "trowsum", "trsqrt", "trowexpandmul"},
		"squares by pto.tmul, pto.trowsum, pto.trsqrt, pto.trowexpandmul: examples/layernorm.pto"},
	{"mean", []string{"trowsum", "tcolsum", "tmuls"}, "a sum, then pto.tmuls by the reciprocal of the count"},
	{"clamp", []string{"tmaxs", "tmins"}, "pto.tmaxs by the lower bound, pto.tmins by the upper: examples/clamp.pto"},
	{"attention", nil, "examples/flash_attention.pto, and for micro-kernels examples/mixed_attention.pto"},
	{"convolution", []string{"timg2col", "tmatmul"}, "patches by pto.timg2col, then a product: examples/conv2d.pto"},
}

// isWord reports whether the argument is an additional search term of the option
// --explain. The variable words lists these terms, which do not occur in names or
// descriptions of instructions.
func isWord(word string) bool {
	return slices.ContainsFunc(words, func(w searchWord) bool { return w.word == word })
}

// mostFound is the maximum number of instructions that a search lists.
const mostFound = 40

// search lists the instructions whose names or descriptions contain a word, or that
// match an additional search term. It reports whether it found any.
func search(s *report.Streams, word string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) < 2 {
		return false
	}
	rank := map[*ir.Def]int{}
	found := false
	for _, w := range words {
		if w.word != word {
			continue
		}
		found = true
		if w.compose != "" {
			fmt.Fprintf(s.Out, "%s: %s\n", word, w.compose)
		}
		for i, name := range w.names {
			rank[ir.Lookup("pto."+name)] = 1000 - i
		}
	}
	for _, d := range pto.Dialect.All() {
		if r := relevance(d, word); r > rank[d] && (r > weak || !found) {
			rank[d] = r
		}
	}
	var defs []*ir.Def
	for _, d := range pto.Dialect.All() {
		if rank[d] > 0 {
			defs = append(defs, d)
		}
	}
	slices.SortStableFunc(defs, func(a, b *ir.Def) int { return cmp.Compare(rank[b], rank[a]) })
	left := len(defs) - mostFound
	defs = defs[:min(len(defs), mostFound)]
	oneLine(s.Out, defs)
	if left > 0 {
		fmt.Fprintf(s.Out, "... and %d more; --explain=list has all\n", left)
	}
	return found || len(defs) > 0
}

// weak is the relevance of an instruction whose summary, but not its name, contains the
// word.
const weak = 20

// relevance returns a measure of how well the instruction d matches a word, for sorting.
// If the name of the instruction contains the word, the result is between 50 and 100: 100
// if the name equals the word, and 1 less for each additional letter. If only the summary
// contains the word, the result is the constant weak. Otherwise it is 0.
func relevance(d *ir.Def, word string) int {
	name := strings.TrimPrefix(d.Name, "pto.")
	switch {
	case strings.Contains(name, word):
		return 100 - min(len(name)-len(word), 50)
	case hasWord(d.Summary, word):
		return weak
	}
	return 0
}

// hasWord reports whether a text has a word that starts with the given one.
func hasWord(text, word string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if strings.HasPrefix(w, word) {
			return true
		}
	}
	return false
}

// oneLine lists instructions with their one-line descriptions, in aligned columns.
func oneLine(w io.Writer, defs []*ir.Def) {
	width := 0
	for _, d := range defs {
		width = max(width, len(d.Name))
	}
	for _, d := range defs {
		fmt.Fprintf(w, "%-*s  %s\n", width, d.Name, d.Summary)
	}
}

// listGroups lists the instructions of a group, or of all groups for the name "list". It
// reports whether the group exists.
func listGroups(s *report.Streams, name string) bool {
	groups := map[string][]*ir.Def{}
	var names []string
	for _, d := range pto.Dialect.All() {
		info := pto.InfoOf(d)
		if name != "list" && info.Group != name && info.Family != name {
			continue
		}
		title := strings.TrimSuffix(info.Group+", "+info.Family, ", ")
		if groups[title] == nil {
			names = append(names, title)
		}
		groups[title] = append(groups[title], d)
	}
	slices.Sort(names)
	for i, n := range names {
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		fmt.Fprintf(s.Out, "%s:\n", n)
		oneLine(s.Out, groups[n])
	}
	return len(names) > 0
}
