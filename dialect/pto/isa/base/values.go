// This file reads the operations on plain values that version 0.64 of ptoas introduced,
// such as pto.addi and pto.cmpf. They compute what operations of the dialects arith and
// math compute, and are read as those, which every version of ptoas accepts.

package base

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/math"
	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// valueOp describes an operation on plain values. Its text is
//
//	pto.NAME PREDICATE %operand, ... CLAUSES : TYPES
//
// The clauses are the interpretation of integers (signed or unsigned), and what the program
// promises or permits (overflow, fastmath, round).
type valueOp struct {
	// def is the operation that it is read as. If the text must say how integers are
	// interpreted, unsigned is the operation for unsigned integers; otherwise it is nil.
	def, unsigned *ir.Def
	// narrow is the operation for a result that is narrower than the operand, or nil.
	narrow *ir.Def
	// predicates are the predicates of the comparison def, by the words for them.
	predicates map[string]string
	// cast reports whether the text has the type of the result after an arrow.
	cast bool
}

// valueOps are the operations by their names without the dialect.
var valueOps = map[string]valueOp{
	"constant": {def: arith.Constant}, "select": {def: arith.Select},

	"addi": {def: arith.AddI}, "subi": {def: arith.SubI}, "muli": {def: arith.MulI}, "negi": {def: arith.SubI},
	"addf": {def: arith.AddF}, "subf": {def: arith.SubF}, "mulf": {def: arith.MulF}, "negf": {def: arith.NegF},
	"addui_extended": {def: arith.AddUIExtended}, "mul_extended": {def: arith.MulSIExtended, unsigned: arith.MulUIExtended},

	"divf": {def: arith.DivF}, "divi": {def: arith.DivSI, unsigned: arith.DivUI},
	"floordiv": {def: arith.FloorDivSI, unsigned: arith.DivUI}, "ceildiv": {def: arith.CeilDivSI, unsigned: arith.CeilDivUI},
	"remf": {def: arith.RemF}, "remi": {def: arith.RemSI, unsigned: arith.RemUI},

	"and": {def: arith.AndI}, "or": {def: arith.OrI}, "xor": {def: arith.XOrI},
	"shl": {def: arith.ShLI}, "shr": {def: arith.ShRSI, unsigned: arith.ShRUI},

	"maxf": {def: arith.MaxNumF}, "maximum": {def: arith.MaximumF}, "maxi": {def: arith.MaxSI, unsigned: arith.MaxUI},
	"minf": {def: arith.MinNumF}, "minimum": {def: arith.MinimumF}, "mini": {def: arith.MinSI, unsigned: arith.MinUI},
	"absi": {def: math.AbsI, unsigned: arith.OrI},

	"cmpf": {def: arith.CmpF, predicates: floatPredicates},
	"cmpi": {def: arith.CmpI, unsigned: arith.CmpI, predicates: map[string]string{"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}},

	"exti": {def: arith.ExtSI, unsigned: arith.ExtUI, cast: true}, "trunci": {def: arith.TruncI, cast: true},
	"ftof": {def: arith.ExtF, narrow: arith.TruncF, cast: true},
	"ftoi": {def: arith.FPToSI, unsigned: arith.FPToUI, cast: true}, "itof": {def: arith.SIToFP, unsigned: arith.UIToFP, cast: true},
	"index_cast": {def: arith.IndexCast, unsigned: arith.IndexCastUI, cast: true},
}

// floatPredicates has the predicates of arith.cmpf, and the short words for ordered
// comparisons.
var floatPredicates = func() map[string]string {
	all := map[string]string{"eq": "oeq", "ne": "one", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
	for _, word := range strings.Fields("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true") {
		all[word] = word
	}
	return all
}()

// roundings are the rounding modes of a conversion to a narrower float. Two more modes, o
// and h, exist only in SIMT functions.
var roundings = map[string]string{"r": "to_nearest_even", "a": "to_nearest_away", "f": "downward", "c": "upward", "z": "toward_zero"}

func init() {
	Dialect.Read = map[string]func(p *ir.Parser, off int) *ir.Op{}
	for name, o := range valueOps {
		Dialect.Read[name] = func(p *ir.Parser, off int) *ir.Op { return o.read(p, name, off) }
	}
}

// Values returns the names of the operations on plain values without the dialect, sorted.
func Values() []string { return slices.Sorted(maps.Keys(valueOps)) }

// ReadAs returns the names of the operations of arith or math as which the operation
// pto.NAME is read, or nil if no operation on values has this name.
func ReadAs(name string) []string {
	o, ok := valueOps[name]
	if !ok {
		return nil
	}
	names := []string{o.def.Made().Name}
	for _, d := range []*ir.Def{o.unsigned, o.narrow} {
		if d != nil && !slices.Contains(names, d.Made().Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// read parses the text after the name and returns the operation of arith or math.
func (o valueOp) read(p *ir.Parser, name string, off int) *ir.Op {
	if o.def == arith.Constant {
		return p.As(o.def, off, func(st *ir.OpParse) { st.Form.Syntax.Parse(p, st) })
	}
	t := valueText{def: o.def}
	if o.predicates != nil {
		t.predicate = o.predicates[p.Keyword(slices.Sorted(maps.Keys(o.predicates))...)]
	}
	t.operands = p.Operands(nil)
	t.clauses(p, o)
	p.Expect(":")
	t.typ = p.Type()
	if o.def == arith.AddUIExtended {
		p.Expect(",")
		t.result = p.Type()
	}
	if o.cast {
		p.Expect("->")
		t.result = p.Type()
	}
	if o.narrow != nil && !p.Failed() && arith.Width(ir.ElementType(t.result)) < arith.Width(ir.ElementType(t.typ)) {
		t.def = o.narrow
	}
	t.complete(p, name, off)
	if p.Failed() {
		return nil
	}
	return p.As(t.def, off, func(st *ir.OpParse) { t.fill(st) })
}

// valueText is the text of an operation on values: the operation that it is read as, the
// parts of the text, and the attributes that the clauses denote.
type valueText struct {
	def                 *ir.Def
	predicate, rounding string
	operands            []ir.Operand
	attrs               []ir.NamedAttr
	typ, result         ir.Type
}

// clauses parses what follows the operands, in any order.
func (t *valueText) clauses(p *ir.Parser, o valueOp) {
	def := o.def.Made()
	signed := o.unsigned == nil
	for !p.Failed() && !p.At(":") {
		switch at := p.Offset(); {
		case o.unsigned != nil && p.At("signed"), o.unsigned != nil && p.At("unsigned"):
			signed = true
			unsigned := p.Keyword("signed", "unsigned") == "unsigned"
			if unsigned {
				t.def = o.unsigned
			}
			if o.predicates != nil && t.predicate != "eq" && t.predicate != "ne" {
				t.predicate = map[bool]string{false: "s", true: "u"}[unsigned] + t.predicate
			}
		case (def.Attr(overflow) != nil || o.def == arith.TruncI) && p.Accept("overflow"):
			if a := p.Flags(arith.Overflow); o.def != arith.TruncI { // arith has no place for this promise
				t.attrs = append(t.attrs, ir.NamedAttr{Name: overflow, Attr: a})
			}
		case def.Attr(fastmath) != nil && p.Accept("fastmath"):
			t.attrs = append(t.attrs, ir.NamedAttr{Name: fastmath, Attr: p.Flags(arith.FastMath)})
		case o.narrow != nil && p.Accept("round"):
			p.Expect("(")
			word := p.Keyword("r", "a", "f", "c", "z", "o", "h")
			p.Expect(")")
			if mode := roundings[word]; mode != "" {
				t.rounding = mode
			} else if word != "" {
				p.ErrorAt(at, "round(%s) exists only in SIMT functions", word)
			}
		default:
			p.Expect(":")
		}
	}
	if !signed && !p.Failed() {
		p.Errorf("expected 'signed' or 'unsigned': the type does not say how the integers are interpreted")
	}
}

// The names of attributes of arith.
const (
	overflow = "overflowFlags"
	fastmath = "fastmath"
)

// complete adds the operands that the operation of arith has in addition: a negation
// subtracts from zero, and the absolute value of an unsigned integer is the integer.
func (t *valueText) complete(p *ir.Parser, name string, off int) {
	want := len(t.def.Made().Forms[0].Operands)
	given := want
	if name == "negi" || name == "absi" {
		given = 1
	}
	if p.Failed() {
		return
	}
	if len(t.operands) != given {
		p.ErrorAt(off, "'pto.%s' has %s, but must have %d", name, ir.Count(len(t.operands), "operand"), given).As(ir.CodeCounts)
		return
	}
	switch {
	case t.rounding != "" && t.def != arith.TruncF:
		p.ErrorAt(off, "'pto.%s' rounds only where the result is narrower than the operand", name)
	case given == want:
	case name == "absi":
		t.operands = append(t.operands, t.operands[0])
	case !arith.IntLike.Check(t.typ, nil):
		p.ErrorAt(off, "'pto.%s' must have a signless integer or index, or a vector of it, but has type %s", name, t.typ)
	default:
		zero := ir.New(ir.State{Def: arith.Constant, Loc: p.LocAt(off), Results: []ir.Type{t.typ}, Attrs: []ir.NamedAttr{{Name: "value", Attr: arith.Zero(t.typ)}}})
		p.Before(zero)
		at := ir.Operand{Name: fmt.Sprintf("%%zero.%d", off), Off: off} // there is one at each offset of the text
		p.Define(at.Name, off, zero.Result(0))
		t.operands = []ir.Operand{at, t.operands[0]}
	}
}

// fill adds the parts of the text to the operation. The types of results that it does not
// add follow from the operands.
func (t *valueText) fill(st *ir.OpParse) {
	for i, arg := range st.Form.Operands {
		st.Operand(arg.Name, t.operands[i])
		if t.def != arith.Select || i > 0 { // the condition has the type of its definition
			st.OperandType(arg.Name, t.typ)
		}
	}
	if !t.result.IsZero() {
		st.ResultType(st.Form.Results[len(st.Form.Results)-1].Name, t.result)
	}
	switch {
	case t.def == arith.CmpI:
		t.attrs = append(t.attrs, arith.IntPredicate(t.predicate))
	case t.def == arith.CmpF:
		t.attrs = append(t.attrs, arith.FloatPredicate(t.predicate))
	case t.rounding != "":
		t.attrs = append(t.attrs, arith.Rounding(t.rounding))
	}
	for _, a := range t.attrs {
		st.Attr(a.Name, a.Attr)
	}
}
