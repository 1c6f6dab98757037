// This file proposes what loops and branches with results lack.

package repair

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

var (
	// noTypes matches the text of the error about a loop that carries values without types.
	noTypes = pattern.Of(`carries (\d+) values?, but has 0 types`)
	// noOperand matches that about a yield without operands.
	noOperand = pattern.Of(`^'scf\.yield' op has 0 operands, but the body requires \d+$`)
	// noName matches that about a value without definition.
	noName = pattern.Of(`^use of undeclared SSA value name '(%[^']+)'`)
	// carried matches the end of the values that a loop carries.
	carried = pattern.Of(`iter_args\([^)]*\)`)
	// initial matches the first value of one that a loop carries.
	initial = pattern.Of(`=\s*(%[\w$.\-]+)`)
	// unnamed matches an operation with regions and result types whose results have no name.
	unnamed = pattern.Of(`(?m)^([ \t]*)((?:scf\.(?:for|if|while))\b.*->.*\{)[ \t]*$`)
)

// loops returns the attempts that complete the results of a loop or branch that the error e
// is about.
func loops(a *attempt, e *ir.Diag, off int) []*attempt {
	switch {
	case noOperand().MatchString(e.Text):
		return yields(a, e, off)
	case noTypes().MatchString(e.Text):
		return resultTypes(a, off)
	}
	if m := noName().FindStringSubmatch(e.Text); m != nil {
		return resultNames(a, m[1], off)
	}
	return nil
}

// resultTypes returns the attempts that add the types of the values that the loop at off
// carries. The types are among those that the text of the program has.
func resultTypes(a *attempt, off int) []*attempt {
	s := extent(a.text, off)
	m := carried().FindStringIndex(a.text[s.off:s.end])
	if m == nil {
		return nil
	}
	at := s.off + m[1]
	n := strings.Count(a.text[s.off+m[0]:at], "=")
	var all []*attempt
	var own []string
	for _, m := range initial().FindAllStringSubmatch(a.text[s.off+m[0]:at], -1) {
		own = append(own, ofValue(a.text, m[1], s.off))
	}
	if list := strings.Join(own, ", "); !slices.Contains(own, "") {
		all = append(all, a.edit(span{at, at}, " -> ("+list+")", costType).called("with the result types ("+list+")"))
	}
	for _, t := range distinct(a.text, types(a.text, span{0, len(a.text)})) {
		list := strings.TrimSuffix(strings.Repeat(t+", ", n), ", ")
		all = append(all, a.edit(span{at, at}, " -> ("+list+")", costType).called("with the result types ("+list+")"))
	}
	return all
}

// distinct returns the different texts at places, in order.
func distinct(text string, places []span) []string {
	var all []string
	for _, s := range places {
		if t := text[s.off:s.end]; !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// resultNames returns the attempts that give the undeclared name, which is used at off, to
// the results of an operation before that has none.
func resultNames(a *attempt, name string, off int) []*attempt {
	var all []*attempt
	found := unnamed().FindAllStringSubmatchIndex(a.text[:off], -1)
	slices.Reverse(found)
	for _, m := range found {
		all = append(all, a.edit(span{m[4], m[4]}, name+" = ", costType).called("with "+name+" as the result of this operation"))
	}
	return all
}

// yields returns the attempts that give operands to the yield that e reports: the values of
// the body that nothing uses, if their types are those of the results.
func yields(a *attempt, e *ir.Diag, off int) []*attempt {
	if e.Op == nil || e.Op.Parent() == nil {
		return nil
	}
	var names, typed []string
	wanted := e.Op.Parent().Results()
	for op := range e.Op.Block().Ops() {
		for _, v := range op.Results() {
			if v.HasUses() {
				continue
			}
			if len(names) == len(wanted) || v.Type() != wanted[len(names)].Type() || v.Name() == "" {
				return nil
			}
			names = append(names, "%"+v.Name())
			typed = append(typed, v.Type().String())
		}
	}
	if len(names) != len(wanted) {
		return nil
	}
	list := strings.Join(names, ", ")
	text := fmt.Sprintf("scf.yield %s : %s", list, strings.Join(typed, ", "))
	what := "with a yield of " + list + ", which nothing uses"
	if strings.HasPrefix(a.text[off:], "scf.yield") {
		return []*attempt{a.edit(span{off, off + len("scf.yield")}, text, costType).called(what)}
	}
	s := extent(a.text, off)
	return []*attempt{a.edit(span{s.off, s.off}, indentation(a.text[s.off:])+"  "+text+"\n", costType).called(what)}
}
