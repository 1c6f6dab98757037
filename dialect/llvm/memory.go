// This file defines memory operations.

package llvm

import "ptogo/ir"

var (
	alignment = ir.AttrDef{Name: "alignment", Type: ir.IntOf(ir.I64), Optional: true, Doc: "in bytes"}
	elemType  = ir.AttrDef{Name: "elem_type", Type: typeAttr, Doc: "what the memory holds"}
)

// Alloca is llvm.alloca, which returns the address of memory that lives until the
// function returns.
var Alloca = &ir.Def{
	Name:    "llvm.alloca",
	Summary: "Allocates memory that lives until the function returns.",
	Page:    page,
	Attrs:   []ir.AttrDef{alignment, elemType, {Name: "inalloca", Type: ir.AnyUnit, Optional: true}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "arraySize", Type: integer}},
		Results:  []ir.Arg{{Name: "res", Type: pointer}},
		Syntax:   ir.Hook{ParseFn: parseAlloca, PrintFn: printAlloca},
	}},
	Sem: Frame,
}

// Persistent is the name of an attribute of an alloca in SIMT code. SIMT code runs once
// per work item, and each work item has a separate memory for this alloca. The memory
// keeps its contents from one launch to the next.
const Persistent = "pto.persistent"

// parseAlloca reads [inalloca] %n x T {attributes} : (i32) -> !llvm.ptr.
func parseAlloca(p *ir.Parser, st *ir.OpParse) {
	if p.Accept("inalloca") {
		st.Attr("inalloca", ir.Unit)
	}
	st.Operand("arraySize", p.Operand())
	p.Expect("x")
	st.Attr("elem_type", ir.TypeAsAttr(p.Type()))
	st.AttrDict(p)
	p.Expect(":")
	off := p.Offset()
	f, ok := ir.As[ir.FunctionType](p.Type())
	if !ok || f.Ins.Len() != 1 || f.Outs.Len() != 1 {
		if !p.Failed() {
			p.ErrorAt(off, "'%s' op needs the type of its size and of its result: (i32) -> !llvm.ptr", st.Def.Name)
		}
		return
	}
	st.OperandType("arraySize", f.Ins.Slice()...)
	st.ResultType("res", f.Outs.Slice()...)
}

// printAlloca prints the number of elements, the element type, and the types of the
// number and of the pointer.
func printAlloca(w *ir.Printer, op *ir.Op) {
	if op.HasAttr("inalloca") {
		w.Token("inalloca")
	}
	w.Value(op.Operand(0))
	w.Token("x")
	w.Type(typeOfAttr(op, "elem_type"))
	w.AttrDict(op, "elem_type", "inalloca")
	w.Token(":")
	w.Type(ir.Func([]ir.Type{op.Operand(0).Type()}, []ir.Type{op.Result(0).Type()}))
}

// orderings maps the names of the atomic orderings to the numbers of LLVM's enum
// AtomicOrdering. LLVM does not use the number 3.
var orderings = map[string]int64{
	"not_atomic": 0, "unordered": 1, "monotonic": 2, "acquire": 4, "release": 5, "acq_rel": 6, "seq_cst": 7,
}

var ordering = ir.AttrDef{Name: "ordering", Default: ir.IntAttr(ir.I64, 0), Doc: "of an atomic access",
	Type: ir.AttrIf("an i64 that numbers an atomic ordering", func(a ir.Attr) bool {
		n, ok := a.AsInt()
		return ok && a.ValueType() == ir.I64 && orderingName(n) != ""
	})}

// orderingName returns the keyword of an ordering, or "" for a number that LLVM
// does not use.
func orderingName(n int64) string {
	for name, v := range orderings {
		if v == n {
			return name
		}
	}
	return ""
}

// accessAttrs returns the attributes that llvm.load and llvm.store have in common,
// followed by the attributes in the parameter more.
func accessAttrs(more ...ir.AttrDef) []ir.AttrDef {
	return append([]ir.AttrDef{
		alignment,
		{Name: "volatile_", Type: ir.AnyUnit, Optional: true},
		{Name: "nontemporal", Type: ir.AnyUnit, Optional: true},
		ordering,
		{Name: "syncscope", Type: ir.AnyString, Optional: true},
		{Name: "access_groups", Type: ir.AnyArray, Optional: true},
		{Name: "alias_scopes", Type: ir.AnyArray, Optional: true},
		{Name: "noalias_scopes", Type: ir.AnyArray, Optional: true},
		{Name: "tbaa", Type: ir.AnyArray, Optional: true},
	}, more...)
}

// inText are the attributes of load and store for which the syntax has its own
// keywords.
var inText = []string{"volatile_", "ordering", "syncscope", "invariant"}

// Load is llvm.load, which returns the value at an address.
var Load = &ir.Def{
	Name:    "llvm.load",
	Summary: "Reads a value from memory.",
	Page:    page,
	Attrs:   accessAttrs(ir.AttrDef{Name: "invariant", Type: ir.AnyUnit, Optional: true}),
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "addr", Type: pointer}},
		Results:  []ir.Arg{{Name: "res", Type: sizedType}},
		Syntax:   ir.Hook{ParseFn: parseLoad, PrintFn: printLoad},
	}},
	Sem:    Read,
	Verify: func(op *ir.Op, v *ir.Verifier) { verifyAtomic(op, v, "release", "acq_rel") },
}

// parseLoad reads [volatile] %p [atomic ordering] [invariant] {attributes} :
// !llvm.ptr -> T.
func parseLoad(p *ir.Parser, st *ir.OpParse) {
	parseVolatile(p, st)
	st.Operand("addr", p.Operand())
	parseAtomic(p, st)
	if p.Accept("invariant") {
		st.Attr("invariant", ir.Unit)
	}
	st.AttrDict(p)
	p.Expect(":")
	st.OperandType("addr", p.Type())
	p.Expect("->")
	st.ResultType("res", p.Type())
}

func printLoad(w *ir.Printer, op *ir.Op) {
	printVolatile(w, op)
	w.Value(op.Operand(0))
	printAtomic(w, op)
	if op.HasAttr("invariant") {
		w.Token("invariant")
	}
	w.AttrDict(op, inText...)
	w.Token(":")
	w.Type(op.Operand(0).Type())
	w.Token("->")
	w.Type(op.Result(0).Type())
}

// Store is llvm.store, which writes a value to an address.
var Store = &ir.Def{
	Name:    "llvm.store",
	Summary: "Writes a value to memory.",
	Page:    page,
	Attrs:   accessAttrs(),
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "value", Type: sizedType}, {Name: "addr", Type: pointer}},
		Syntax:   ir.Hook{ParseFn: parseStore, PrintFn: printStore},
	}},
	Sem:    Write,
	Verify: func(op *ir.Op, v *ir.Verifier) { verifyAtomic(op, v, "acquire", "acq_rel") },
}

// parseStore reads [volatile] %v, %p [atomic ordering] {attributes} : T, !llvm.ptr.
func parseStore(p *ir.Parser, st *ir.OpParse) {
	parseVolatile(p, st)
	st.Operand("value", p.Operand())
	p.Expect(",")
	st.Operand("addr", p.Operand())
	parseAtomic(p, st)
	st.AttrDict(p)
	p.Expect(":")
	st.OperandType("value", p.Type())
	p.Expect(",")
	st.OperandType("addr", p.Type())
}

func printStore(w *ir.Printer, op *ir.Op) {
	printVolatile(w, op)
	w.Values(op.Operands()...)
	printAtomic(w, op)
	w.AttrDict(op, inText...)
	w.Token(":")
	w.Types(op.Operand(0).Type(), op.Operand(1).Type())
}

func parseVolatile(p *ir.Parser, st *ir.OpParse) {
	if p.Accept("volatile") {
		st.Attr("volatile_", ir.Unit)
	}
}

func printVolatile(w *ir.Printer, op *ir.Op) {
	if op.HasAttr("volatile_") {
		w.Token("volatile")
	}
}

// parseAtomic reads atomic [syncscope("name")] ordering, if it is present.
func parseAtomic(p *ir.Parser, st *ir.OpParse) {
	if !p.Accept("atomic") {
		return
	}
	if p.Accept("syncscope") {
		p.Expect("(")
		st.Attr("syncscope", ir.Str(p.Quoted()))
		p.Expect(")")
	}
	word := p.Keyword("not_atomic", "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
	st.Attr("ordering", ir.IntAttr(ir.I64, orderings[word]))
}

// printAtomic prints the keyword atomic, the scope if there is one, and the ordering of
// an atomic access. For an access that is not atomic, which has ordering 0 and no scope,
// it prints nothing.
func printAtomic(w *ir.Printer, op *ir.Op) {
	n, _ := op.Attr("ordering").AsInt()
	scope, scoped := op.Attr("syncscope").AsString()
	if n == 0 && !scoped {
		return
	}
	w.Token("atomic")
	if scoped {
		w.Token("syncscope")
		w.Token("(")
		w.Text(scope)
		w.Token(")")
	}
	w.Token(orderingName(n))
}

// verifyAtomic checks the attributes of an atomic access op. bad lists memory orderings
// that are illegal for this operation.
func verifyAtomic(op *ir.Op, v *ir.Verifier, bad ...string) {
	n, _ := op.Attr("ordering").AsInt()
	if n == 0 {
		if op.HasAttr("syncscope") {
			v.Errorf(op, "has a syncscope, but only atomic accesses can have one")
		}
		return
	}
	for _, b := range bad {
		if n == orderings[b] {
			v.Errorf(op, "must not have the memory ordering %s", b)
		}
	}
	if !op.HasAttr("alignment") {
		v.Errorf(op, "is atomic, so it requires an alignment")
	}
}
