// This file reports the constructs of a program that a version does not have.

package version

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/isa/simt"
	"ptogo/ir"
)

// CheckText reports each construct of a module that version v of ptoas does not have, with
// the versions that have it, and returns false if there is one. It reports a construct
// once, at its first use. It makes no statement about constructs whose versions are
// unknown. The instructions have the names that the text of the program gives them.
func CheckText(module *ir.Op, v history.Version, diags *ir.Diags) bool {
	return check(module, &checker{v: v, diags: diags, name: writtenName})
}

// Check is CheckText for a module that will be printed: instructions have the names of
// their definitions.
func Check(module *ir.Op, v history.Version, diags *ir.Diags) bool {
	return check(module, &checker{v: v, diags: diags, name: (*ir.Op).Name})
}

// Attribute is the optional attribute of a module that states the version of ptoas for
// which the program is written.
const Attribute = "pto.version"

// CheckStated is CheckText for the version that the module itself states. It returns true
// if the module states none.
func CheckStated(module *ir.Op, diags *ir.Diags) bool {
	a := module.Attr(Attribute)
	if a.IsZero() {
		return true
	}
	text, _ := a.AsString()
	v, err := history.Parse(text)
	if err != nil {
		diags.Error(module.Loc(), Attribute+" must be the version of ptoas for which the program is written, such as \"0.57\"")
		return false
	}
	return CheckText(module, v, diags)
}

func check(module *ir.Op, c *checker) bool {
	c.done, c.ok = map[history.Construct]bool{}, true
	for op := range module.Walk() {
		c.op(op)
	}
	return c.ok
}

// checker is the state of a check. The function name returns the name of an instruction,
// and the map done has the constructs that have been reported.
type checker struct {
	v     history.Version
	diags *ir.Diags
	name  func(op *ir.Op) string
	done  map[history.Construct]bool
	ok    bool
}

// op checks an operation, its arguments, and the types of its results and blocks.
func (c *checker) op(op *ir.Op) {
	if name := c.name(op); strings.HasPrefix(name, "pto.") {
		c.instruction(op, name)
	}
	for a := range op.AllAttrs() {
		c.attr(op, a.Attr)
	}
	for _, r := range op.Results() {
		c.types(op, r.Type())
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for _, a := range b.Args() {
				c.types(op, a.Type())
			}
		}
	}
}

// instruction checks the name of an instruction, and which operands and attributes it has.
func (c *checker) instruction(op *ir.Op, name string) {
	if !c.has(op, history.Op(name), "'"+name+"' is not in", Today(op)) || name != op.Name() {
		return // an older name has arguments of its own
	}
	if isScalar(op, simt.SimtLoad, simt.SimtStore) {
		c.has(op, history.GMOutsideSimt(name), "'"+name+"' of global memory outside of SIMT code is not, except with --pto-backend=vpto, in", "")
	}
	for _, arg := range op.Form().Operands {
		if len(op.Args(arg.Name)) > 0 {
			c.has(op, history.Arg(name, arg.Name), fmt.Sprintf("the operand %q of '%s' is not in", arg.Name, name), "")
		}
	}
	for i, res := range op.Form().Results {
		if from, to := op.ResultRange(i); from < to {
			c.has(op, history.Arg(name, res.Name), fmt.Sprintf("the result %q of '%s' is not in", res.Name, name), "")
		}
	}
	for a := range op.OwnAttrs() {
		c.has(op, history.Arg(name, a.Name), fmt.Sprintf("the attribute %q of '%s' is not in", a.Name, name), "")
	}
	for _, arg := range history.Required(name, c.v) {
		span, _ := history.Lookup(history.Must(name, arg))
		// The name of an argument that is still required can differ here.
		if len(op.Args(arg)) == 0 && !op.HasAttr(arg) && (declares(op, arg) || !span.Until.IsZero()) {
			c.report(op, history.Must(name, arg), fmt.Sprintf("'%s' without %q is not in", name, arg), "")
		}
	}
}

// declares reports whether the definition of an instruction has an argument of that name.
func declares(op *ir.Op, arg string) bool {
	return slices.ContainsFunc(op.Form().Operands, func(a ir.Arg) bool { return a.Name == arg }) ||
		slices.ContainsFunc(op.Def().Attrs, func(a ir.AttrDef) bool { return a.Name == arg })
}

// attr checks an attribute of the dialect, and the word of an enumeration.
func (c *checker) attr(op *ir.Op, a ir.Attr) {
	e, ok := ir.AttrAs[ir.EnumAttr](a)
	if !ok || e.Enum.Dialect != "pto" {
		return
	}
	name, word := e.Enum.Name, a.Keyword()
	if c.has(op, history.Attr(name), "the attribute #pto."+name+" is not in", "") {
		c.has(op, history.Case(name, word), "#pto."+name+"<"+word+"> is not in", "")
	}
}

// types checks the type of a value.
func (c *checker) types(op *ir.Op, t ir.Type) {
	rest, ok := strings.CutPrefix(t.String(), "!pto.")
	if !ok {
		return
	}
	name, _, _ := strings.Cut(rest, "<")
	c.has(op, history.Type(name), "the type !pto."+name+" is not in", "")
}

// has reports whether the version has a construct, or nothing is known of it. If the
// version does not have it, has reports an error at op: the text what, and the version.
// today is the current form, if there is another one.
func (c *checker) has(op *ir.Op, k history.Construct, what, today string) bool {
	span, known := history.Lookup(k)
	if !known || span.Has(c.v) {
		return true
	}
	c.report(op, k, what, today)
	return false
}

// report adds the error about a construct, unless the program has had one.
func (c *checker) report(op *ir.Op, k history.Construct, what, today string) {
	c.ok = false
	if c.done[k] {
		return
	}
	c.done[k] = true
	d := c.diags.Error(op.Loc(), what+" version "+c.v.String()+" of ptoas")
	span, _ := history.Lookup(k)
	switch {
	case k.Kind == history.KindMust:
		d.Note(ir.Loc{}, "versions that require it: "+span.String())
	case today != "":
		d.Note(ir.Loc{}, "versions that have it: "+span.String()+"; today's form is '"+today+"'").Replace(op.Loc(), c.name(op), today)
	default:
		d.Note(ir.Loc{}, "versions that have it: "+span.String())
	}
}

// writtenName returns the name of an instruction as its text has it. It can be an alias, or
// the name of an operation on values that is read as one of arith or math.
func writtenName(op *ir.Op) string {
	src, off := op.Loc().Source()
	if src == nil || len(op.Def().Aliases) == 0 && strings.HasPrefix(op.Name(), "pto.") {
		return op.Name()
	}
	name := src.Text[min(off, len(src.Text)):]
	if i := strings.IndexFunc(name, func(r rune) bool { return !strings.ContainsRune("._abcdefghijklmnopqrstuvwxyz0123456789", r) }); i >= 0 {
		name = name[:i]
	}
	if short, ok := strings.CutPrefix(name, "pto."); slices.Contains(op.Def().Aliases, name) || ok && base.ReadAs(short) != nil {
		return name
	}
	return op.Name()
}
