// This file defines targets, features, and the constraints that definitions use.

package ir

import (
	"slices"
	"strings"
)

// Target is a chip family for which operations are checked. Dialects define the numbers;
// 0 means no particular target.
type Target uint8

// Features is a set of options that make more programs legal, such as the use of a
// software library. Dialects define the bits.
type Features uint32

// Env is the context in which a constraint checks a type: the operation, the types of its
// other operands and results, and the target. The context is also available while the
// operation is still being parsed.
type Env struct {
	// Def and Form describe the operation.
	Def  *Def
	Form *Form
	// Target is the target that the program is checked for; 0 while it is unknown.
	Target Target
	// Features are the options of the caller that make more programs legal.
	Features Features
	// Operands are the operand types. A type that is not known yet is zero.
	Operands []Type
	// Segs is the number of operands per argument, or nil if their total determines it.
	Segs []int32
	// Results are the result types. A type that is not known yet is zero.
	Results []Type
	// ResSegs is the number of results per declared result, or nil.
	ResSegs []int32

	// op is the operation, or nil while it is being parsed.
	op *Op
	// attr returns an attribute, given its name, of an operation that is being parsed. It
	// is nil for an existing operation.
	attr func(name string) Attr
}

// EnvOf returns the Env of an existing operation for the given target.
func EnvOf(op *Op, target Target) *Env {
	e := &Env{Target: target}
	e.reset(op)
	return e
}

// reset makes e describe the operation op. It keeps the target and the features, and
// reuses the memory of e.
func (e *Env) reset(op *Op) {
	e.Def, e.Form, e.Segs, e.ResSegs, e.op = op.def, op.form, op.segs, op.resSegs, op
	e.Operands, e.Results = e.Operands[:0], e.Results[:0]
	for i := range op.operands {
		e.Operands = append(e.Operands, op.operands[i].value.typ)
	}
	for i := range op.results {
		e.Results = append(e.Results, op.results[i].typ)
	}
}

// Attr returns the attribute of the operation with the given name. If the operation lacks
// the attribute, the result is its default in the definition. The result is the zero Attr
// if no default exists, or if the parser is still building the operation.
func (e *Env) Attr(name string) Attr {
	switch {
	case e.op != nil:
		return e.op.Attr(name)
	case e.attr != nil:
		return e.attr(name)
	}
	return Attr{}
}

// Type returns the type of the operand or result with the given name. It returns the zero
// Type if that operand is absent or its type is not known yet.
func (e *Env) Type(name string) Type {
	if t, ok := typeOfArg(name, e.Form.Operands, e.Segs, e.Operands); ok {
		return t
	}
	t, _ := typeOfArg(name, e.Form.Results, e.ResSegs, e.Results)
	return t
}

// typeOfArg returns the type of the declared argument with the given name, or the zero
// Type if the argument has no value. args are the declarations, and types are the types
// of the values of all arguments. segs are the number of values of each argument; it is
// nil if the number of all values determines these numbers. The result found reports
// whether args contains the name.
func typeOfArg(name string, args []Arg, segs []int32, types []Type) (t Type, found bool) {
	for i := range args {
		if args[i].Name == name {
			if from, to := segment(args, segs, i, len(types)); from < to {
				t = types[from]
			}
			return t, true
		}
	}
	return t, false
}

// Constraint is a rule on the types that an operand or result may have. Diagnostics are
// built from Want, so that the message always agrees with the rule.
type Constraint interface {
	// Check reports whether t is legal in the environment e.
	Check(t Type, e *Env) bool
	// Want returns a description of the legal types, to be printed after "must be".
	Want(e *Env) string
}

// Inferrer is a Constraint that determines the type of an operand or result if the text
// omits it.
type Inferrer interface {
	// Infer returns the type, or the zero Type if e does not determine it.
	Infer(e *Env) Type
}

// fixed is a Constraint that accepts exactly one type in every environment. The printer
// omits such types.
type fixed interface{ fixedType() Type }

// Any accepts every type.
var Any Constraint = anyType{}

// anyType is the Constraint that accepts every type.
type anyType struct{}

func (anyType) Check(Type, *Env) bool { return true }
func (anyType) Want(*Env) string      { return "any type" }

// Exactly returns a constraint that accepts only the type t. The program text may omit
// the type.
func Exactly(t Type) Constraint { return exactly{t} }

// exactly is a constraint that accepts only the type t. The program text may omit this
// type. The function Exactly returns the constraint.
type exactly struct{ t Type }

// Check reports whether the type t is the type that c accepts.
func (c exactly) Check(t Type, _ *Env) bool { return t == c.t }

// Want returns the name of the only type that c accepts, for error messages.
func (c exactly) Want(*Env) string { return c.t.String() }

// Infer returns the type for a text that omits the type. The constraint accepts only the
// type in its field t, so this is the result.
func (c exactly) Infer(*Env) Type { return c.t }

// fixedType returns the only type that the constraint accepts. The printer omits the type
// of an operand or result if its constraint has this method, and the parser calls the
// method to obtain the type.
func (c exactly) fixedType() Type { return c.t }

// Written returns a constraint that accepts only the type t. Unlike with Exactly, the
// printer always writes the type.
func Written(t Type) Constraint { return written{t} }

// written is a constraint that accepts only the type t. The printer always writes this
// type. The function Written returns the constraint.
type written struct{ t Type }

// Check reports whether the argument is the type that c accepts.
func (c written) Check(t Type, _ *Env) bool { return t == c.t }

// Want returns the name of the only type that c accepts, for error messages.
func (c written) Want(*Env) string { return c.t.String() }

// Infer returns the type of a result whose type the text omits. The constraint accepts
// only the type in its field t, so this is the result.
func (c written) Infer(*Env) Type { return c.t }

// SameAs returns a constraint that accepts only the type of the operand or result with
// the given name. It accepts any type as long as that type is unknown.
func SameAs(name string) Constraint { return sameAs(name) }

// sameAs is the constraint that SameAs returns; its value is the name of the other
// operand or result.
type sameAs string

// Check reports whether t is equal to the type of another operand or result, whose name
// is the string c. If that type is not known yet, Check returns true for every t.
func (c sameAs) Check(t Type, e *Env) bool {
	u := e.Type(string(c))
	return u.IsZero() || t == u
}

// Want returns a text with the type of the operand or result that c names. If no
// operation is given, as on a reference page, the text contains the name of the operand
// instead.
func (c sameAs) Want(e *Env) string {
	if e.Type(string(c)).IsZero() { // for a reference page, which describes no operation
		return "of the type of \"" + string(c) + "\""
	}
	return "of the type of \"" + string(c) + "\", " + e.Type(string(c)).String()
}

// Follows returns the name of another operand or result: the constraint requires the type
// of this operand or result.
func (c sameAs) Follows() string { return string(c) }

// Infer returns the type of the operand or result that c names, or the zero Type if that
// type is unknown.
func (c sameAs) Infer(e *Env) Type { return e.Type(string(c)) }

// TypeIf returns a constraint that accepts the types for which ok returns true. want
// describes these types in diagnostics, after "must be".
func TypeIf(want string, ok func(t Type) bool) Constraint { return &typeIf{want, ok} }

// typeIf is a constraint that accepts a type if the function ok returns true for it. The
// text want describes the accepted types in diagnostics. The function TypeIf returns the
// constraint.
type typeIf struct {
	want string
	ok   func(Type) bool
}

func (c *typeIf) Check(t Type, _ *Env) bool { return c.ok(t) }
func (c *typeIf) Want(*Env) string          { return c.want }

// OneOf returns a constraint that accepts a type if at least one of cs accepts it.
func OneOf(cs ...Constraint) Constraint { return &oneOf{cs} }

// oneOf is a constraint that accepts a type if at least one of several constraints
// accepts it. The function OneOf returns the constraint.
type oneOf struct{ any []Constraint }

func (c *oneOf) Check(t Type, e *Env) bool {
	return slices.ContainsFunc(c.any, func(x Constraint) bool { return x.Check(t, e) })
}

// Want returns a text for error messages, which joins the texts of all alternatives of
// the constraint with "or".
func (c *oneOf) Want(e *Env) string {
	wants := make([]string, len(c.any))
	for i, x := range c.any {
		wants[i] = x.Want(e)
	}
	return strings.Join(wants, " or ")
}

// Constraints on builtin types, which the definitions of many operations use.
var (
	AnyInteger    = TypeIf("an integer", Is[IntegerType])
	SignlessInt   = TypeIf("a signless integer", IsSignlessInt)
	IntOrIndex    = TypeIf("a signless integer or index", func(t Type) bool { return IsSignlessInt(t) || t == Index })
	AnyFunction   = TypeIf("a function type", Is[FunctionType])
	AnyMemRef     = TypeIf("a memref", Is[MemRefType])
	IntOrIndexAny = TypeIf("an integer or index", func(t Type) bool { return Is[IntegerType](t) || t == Index })
)

// IsSignlessInt reports whether t is a signless integer.
func IsSignlessInt(t Type) bool {
	d, ok := As[IntegerType](t)
	return ok && d.Sign == Signless
}

// IsScalar reports whether t is an integer, index or floating-point type.
func IsScalar(t Type) bool {
	return Is[IntegerType](t) || Is[FloatType](t) || t == Index
}

// AttrConstraint is a rule on an attribute.
type AttrConstraint interface {
	// CheckAttr reports whether a is legal.
	CheckAttr(a Attr) bool
	// WantAttr returns a description of the legal attributes, to be printed after
	// "must be".
	WantAttr() string
}

// TypeBody is a Constraint on types that share one name. It allows the text to omit that
// name, as MLIR's printer does: <f32, gm> instead of !pto.ptr<f32, gm>.
type TypeBody interface {
	// ParseTypeBody parses the text of the type that follows its name. l is the level of
	// the form that is being parsed.
	ParseTypeBody(p *Parser, l Level) Type
}

// Narrower is an AttrConstraint that accepts a subset of the attributes of another
// constraint. Unwrap returns the other constraint, which defines the syntax of the
// attribute.
type Narrower interface {
	Unwrap() AttrConstraint
}

// speller is an AttrConstraint for attributes that a program can write in several ways.
type speller interface {
	// Canonical returns the form of a that the printer writes, which may be a itself.
	Canonical(a Attr) Attr
}

// anyUnit accepts unit attributes. It is a separate type so that formats can recognize
// unit attributes, which have no text.
type anyUnit struct{}

// CheckAttr implements AttrConstraint: it reports whether the constraint accepts a.
func (anyUnit) CheckAttr(a Attr) bool { _, ok := AttrAs[UnitAttr](a); return ok }

// WantAttr implements AttrConstraint: it describes the accepted attributes for diagnostics.
func (anyUnit) WantAttr() string { return "a unit attribute" }

// AttrIf returns a constraint that accepts the attributes for which ok returns true. want
// describes these attributes in diagnostics, after "must be".
func AttrIf(want string, ok func(a Attr) bool) AttrConstraint { return attrIf{want, ok} }

// attrIf is the constraint that AttrIf returns.
type attrIf struct {
	want string
	ok   func(Attr) bool
}

func (c attrIf) CheckAttr(a Attr) bool { return c.ok(a) }
func (c attrIf) WantAttr() string      { return c.want }

// kindOf returns a constraint that accepts the attributes whose content has the Go type
// D. want describes them in diagnostics.
func kindOf[D AttrData](want string) AttrConstraint {
	return attrIf{want, func(a Attr) bool { _, ok := a.Data().(D); return ok }}
}

// Constraints on builtin attributes. Each accepts the attributes of one form, such as
// strings or integers; AnyAttr accepts every attribute.
var (
	AnyAttr     = AttrIf("any attribute", func(Attr) bool { return true })
	AnyUnit     = AttrConstraint(anyUnit{})
	AnyString   = AttrIf("a string", func(a Attr) bool { d, ok := a.Data().(StringAttr); return ok && d.Type.IsZero() })
	AnyArray    = kindOf[ArrayAttr]("an array")
	AnyDict     = kindOf[DictAttr]("a dictionary")
	AnySymbol   = kindOf[SymbolRefAttr]("a symbol reference")
	AnyTypeAttr = kindOf[TypeAttr]("a type")
	AnyIntAttr  = kindOf[IntegerAttr]("an integer")
	AnyInt32s   = AttrIf("an array<i32: ...>", func(a Attr) bool { d, ok := AttrAs[DenseArrayAttr](a); return ok && d.Elem == I32 })
	AnyInts     = AttrIf("an array<i64: ...>", func(a Attr) bool { d, ok := AttrAs[DenseArrayAttr](a); return ok && d.Elem == I64 })
	AnyBool     = AttrIf("true or false", func(a Attr) bool { _, ok := a.AsBool(); return ok })
	AnyFuncType = AttrIf("a function type", func(a Attr) bool { d, ok := AttrAs[TypeAttr](a); return ok && Is[FunctionType](d.Type) })
)

// IntOf returns a constraint that accepts integer attributes of type t. In the text of a
// program, the type of such an attribute is omitted.
func IntOf(t Type) AttrConstraint { return intOf{t} }

// intOf is a constraint that accepts an integer attribute whose type is t. The function
// IntOf returns the constraint.
type intOf struct{ t Type }

func (c intOf) CheckAttr(a Attr) bool {
	d, ok := AttrAs[IntegerAttr](a)
	return ok && d.Type == c.t
}
func (c intOf) WantAttr() string { return "an integer of type " + c.t.String() }

// CheckAttr implements AttrConstraint: it accepts the cases of the enum.
func (e *Enum) CheckAttr(a Attr) bool {
	d, ok := AttrAs[EnumAttr](a)
	return ok && d.Enum == e
}

// WantAttr implements AttrConstraint: it describes the accepted attributes for diagnostics.
func (e *Enum) WantAttr() string {
	return "#" + e.Dialect + "." + e.Name + "<" + strings.Join(e.Keywords(), "|") + ">"
}

// StrIn returns a constraint that accepts a string attribute whose value is one of the
// choices.
func StrIn(choices ...string) AttrConstraint {
	return attrIf{"one of \"" + strings.Join(choices, "\", \"") + "\"", func(a Attr) bool {
		s, ok := a.AsString()
		return ok && slices.Contains(choices, s)
	}}
}

// ArrayOf returns a constraint on array attributes. It accepts an array if the constraint
// c accepts every element of the array.
func ArrayOf(c AttrConstraint) AttrConstraint {
	return attrIf{"an array, each element " + c.WantAttr(), func(a Attr) bool {
		d, ok := AttrAs[ArrayAttr](a)
		if !ok {
			return false
		}
		for _, e := range d.Elems.All() {
			if !c.CheckAttr(e) {
				return false
			}
		}
		return true
	}}
}
