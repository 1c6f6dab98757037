// This file proposes other types for constants, and other sizes for views.

package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

var (
	// decimals matches the text of the error about a fraction as an integer.
	decimals = pattern.Of(`^type \S+ has no numbers with a decimal point$`)
	// extentDiffers matches that about a size of a view that its type does not have.
	extentDiffers = pattern.Of(`has size (\d+) in dimension (\d+), but its result type has extent (\d+) in this dimension$`)
	// sizeList matches the sizes of a view.
	sizeList = pattern.Of(`sizes = \[([^\]]*)\]`)
)

// numbers returns the attempts that change the type of a constant, or a size of a view.
func numbers(a *attempt, e *ir.Diag, off int) []*attempt {
	switch {
	case decimals().MatchString(e.Text):
		return floats(a, off)
	case extentDiffers().MatchString(e.Text):
		return sizes(a, e, off)
	}
	return nil
}

// floats returns the attempts that give a constant with a decimal point a type for it.
func floats(a *attempt, off int) []*attempt {
	var all []*attempt
	for _, s := range types(a.text, extent(a.text, off)) {
		for _, t := range []string{"f32", "f16", "bf16", "f64"} {
			all = append(all, a.edit(s, t, costType).called("with the type "+t))
		}
	}
	return all
}

// sizes returns the attempts that give the view at off the sizes of its type: two sizes in
// the other order, or a constant of the text.
func sizes(a *attempt, e *ir.Diag, off int) []*attempt {
	s := extent(a.text, off)
	m := sizeList().FindStringSubmatchIndex(a.text[s.off:s.end])
	if m == nil {
		return nil
	}
	list := span{s.off + m[2], s.off + m[3]}
	names := strings.Split(a.text[list.off:list.end], ", ")
	found := extentDiffers().FindStringSubmatch(e.Text)
	dim, err := strconv.Atoi(found[2])
	if err != nil || dim >= len(names) {
		return nil
	}
	var all []*attempt
	for i := range names {
		if i != dim {
			swapped := slices.Clone(names)
			swapped[i], swapped[dim] = swapped[dim], swapped[i]
			all = append(all, a.edit(list, strings.Join(swapped, ", "), costType).called(fmt.Sprintf("with the sizes %d and %d exchanged", min(i, dim), max(i, dim))))
		}
	}
	if c := indexConstant(a.text[:off], found[3]); c != "" {
		changed := slices.Clone(names)
		changed[dim] = c
		all = append(all, a.edit(list, strings.Join(changed, ", "), costType+1).called("with the size "+c))
	}
	return all
}

// indexConstant returns the name of the last constant in text that is an index with the
// given number, or "".
func indexConstant(text, number string) string {
	line := regexp.MustCompile(`(?m)^[ \t]*(%[\w$.\-]+) = arith\.constant ` + number + ` : index\b`)
	all := line.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}
