package headercheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
)

// decision describes an accepted difference between the verifier and the C++ headers of
// the public library: the verifier accepts an instruction, but a static assertion rejects
// the corresponding library call. The field reason states why we accept the difference.
type decision struct {
	// op is a prefix of the instruction name, and at a suffix of the assertion's
	// location.
	op, at string
	reason string
}

// decisions lists all accepted differences between the rules of the verifier and the
// static assertions in the C++ headers of the public library. Page marks any other
// difference as open, and TestDecided then fails.
var decisions = []decision{
	{"pto.textract", "memory/textract_common.hpp:453", "The IR manual has boxes in rows (ZZ) for A2/A3."},
	{"pto.textract", "memory/textract_common.hpp:482", "The IR manual has boxes in rows (ZZ) for A2/A3."},
	{"pto.textract", "a5/TExtract.hpp:1131", "The ISA page has all types of 1, 2 and 4 bytes inside vec."},
	{"pto.textract", "a5/TExtract.hpp:565", "The ISA page has i32 out of acc."},
	{"pto.tgemv", "a5/TMatmul.hpp:163", "A warning: public compiler tests have these layouts."},
	{"pto.tgemv", "a5/TMatmul.hpp:164", "A warning: public compiler tests have these layouts."},
	{"pto.tgemv", "a5/TMatmul.hpp:165", "A warning: public compiler tests have these layouts."},
	{"pto.tgemv", "a5/TMatmul.hpp:166", "A warning: public compiler tests have these layouts."},
	{"pto.tinsert", "a5/common.hpp:153", "A warning: a public compiler test has f8E5M2 out of acc."},
	{"pto.tload", "memory/tload_common.hpp:21", "Both manuals ask for types of one size alone. The verifier cannot see the overload that is missing."},
	{"pto.tload", "register/tload_common.hpp:212", "Both manuals ask for types of one size alone."},
	{"pto.tload", "register/tload_common.hpp:132", "Shared exponents: A5 has layouts of views for them, and the IR manual has no rule."},
	{"pto.tload", "register/tload_common.hpp:355", "A pair of 4-bit floats loaded as a byte: both manuals ask for types of one size alone."},
	{"pto.tmov", "a5/TMov.hpp:75", "The size of a row, not its type: the verifier has no rule for it."},
	{"pto.tmov", "a5/TMov.hpp:81", "A warning: public golden kernels have f32 to scaling."},
	{"pto.tstore", "a2a3/TStore.hpp:211", "A warning: a public compiler test has f32 out of acc scaled into f16."},
	{"", "common/pto_tile.hpp:1523", "Lines that are not whole blocks: the C++ writer warns."},
}

// reasonFor returns the reason why our verifier accepts the call in r although the
// headers reject it, or "" if the reason is unknown.
func reasonFor(r Result) string {
	i := slices.IndexFunc(decisions, func(d decision) bool { return strings.HasPrefix(r.Op, d.op) && strings.HasSuffix(r.Header.At, d.at) })
	if i < 0 {
		return ""
	}
	return decisions[i].reason
}

const pageHead = `# What the NPU headers refuse

Static assertions of the NPU headers decide which calls the vendor's compiler builds. This page compares their verdict
with that of the verifier, for tuples of operands: element types, memory spaces and layouts, of 64x64 elements or one
row. The headers are those of pto-isa 3186c38, compiled by clang 19. To write the page anew, run

` + "```sh" + `
PTO_ISA=path/to/pto-isa go run ./tools/headercheck/gen
` + "```" + `

The verifier refuses what the headers refuse, unless a manual documents it or a public program has it. The headers of A5
pass moves between spaces for which they have no code, and do nothing there; those of A2/A3 pass conversions that they
do not compute. The verifier refuses both. A verdict can also be a missing overload, not a static assertion.

| instruction | target | tuples | refused by the headers | refused by the verifier | by the headers alone | by the verifier alone |
|---|---|---|---|---|---|---|
`

const pageAccepted = `
## Refused by the headers alone

| instruction | target | static assertion under include/pto | tuples | why the verifier accepts them |
|---|---|---|---|---|
`

const pageRefused = `
## Refused by the verifier alone

| instruction | target | error of the verifier | tuples | why the headers do not decide |
|---|---|---|---|---|
`

// open is the mark in the results table for a difference between the headers and our
// verifier that has no known reason.
const open = "**open**"

// Page returns the text of docs/isa/header-legality.md, from the results for all targets.
func Page(results []Result) string {
	type key struct{ op, target string }
	type counts struct{ tuples, headers, ours, headersAlone, oursAlone int }
	sums := map[key]*counts{}
	accepted, refused := map[[4]string][]string{}, map[[3]string]int{}
	for _, r := range results {
		k := key{r.Op, profile(r)}
		c := sums[k]
		if c == nil {
			c = &counts{}
			sums[k] = c
		}
		if r.NoCpp != "" {
			continue // there is nothing to ask the headers about
		}
		c.tuples++
		if r.Header != nil {
			c.headers++
		}
		if r.Ours != "" {
			c.ours++
		}
		switch {
		case r.Header != nil && r.Ours == "":
			c.headersAlone++
			why := reasonFor(r)
			if why == "" {
				why = open
			}
			id := [4]string{k.op, k.target, strings.TrimPrefix(r.Header.At, "pto/"), why}
			accepted[id] = append(accepted[id], r.Route)
		case r.Header == nil && r.Ours != "":
			c.oursAlone++
			refused[[3]string{k.op, k.target, shape(r.Ours)}]++
		}
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, k := range sorted(sums, func(k key) string { return k.op + k.target }) {
		c := sums[k]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", k.op, k.target,
			grouped(c.tuples), grouped(c.headers), grouped(c.ours), grouped(c.headersAlone), grouped(c.oursAlone))
	}
	b.WriteString(pageAccepted)
	for _, k := range sorted(accepted, func(k [4]string) string { return strings.Join(k[:], " ") }) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", k[0], k[1], k[2], routes(accepted[k]), k[3])
	}
	b.WriteString(pageRefused)
	for _, k := range sorted(refused, func(k [3]string) string { return strings.Join(k[:], " ") }) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", k[0], k[1], k[2], grouped(refused[k]), refusalFor(k[2]))
	}
	return b.String()
}

// profile returns the name of the profile (chip family) to which a result belongs, as the
// tables contain it: "A5" or "A2/A3".
func profile(r Result) string {
	if r.Target == sem.A5 {
		return "A5"
	}
	return "A2/A3"
}

var (
	opPrefix  = regexp.MustCompile(`^'[^']*' op (on (target )?\w+: )?`)
	tileTypes = regexp.MustCompile(`!pto\.tile_buf<(\w+), [^>]*>`)
	elemNames = regexp.MustCompile(`(!pto\.)?\b(u?i(8|16|32|64)|b?f16|f32|hif8|f[48]E\w+|i4)\b((, | or )(!pto\.)?\b(u?i(8|16|32|64)|b?f16|f32|hif8|f[48]E\w+|i4)\b)*`)
	allRoutes = regexp.MustCompile(`, only .*`)
)

// shape returns an error message of the verifier in which operands, element types and
// memory spaces are replaced by general words. Messages about the same rule then have the
// same text and can be counted together.
func shape(text string) string {
	text = opPrefix.ReplaceAllString(text, "")
	text = tileTypes.ReplaceAllString(text, "a tile in $1")
	text = allRoutes.ReplaceAllString(text, "")
	return elemNames.ReplaceAllString(text, "T")
}

// routes returns a text that lists the different names with the number of their
// occurrences, as in "mat to left: 2, mat to right: 1".
func routes(names []string) string {
	count := map[string]int{}
	for _, n := range names {
		count[n]++
	}
	var list []string
	for _, n := range sorted(count, func(s string) string { return s }) {
		list = append(list, fmt.Sprintf("%s: %d", n, count[n]))
	}
	return strings.Join(list, ", ")
}

func sorted[K comparable, V any](m map[K]V, name func(K) string) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return strings.Compare(name(a), name(b)) })
	return keys
}

// grouped formats n with commas between thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
