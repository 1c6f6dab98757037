// This file writes PTO-AS programs.

package ptoas

import (
	"bytes"
	"io"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// WriteAS writes a module as PTO-AS. If PTO-AS cannot express the module, it
// returns false and reports the reasons.
func WriteAS(w io.Writer, module *ir.Op, diags *ir.Diags) bool {
	f := asFunction(module, diags)
	if f == nil {
		return false
	}
	ok := true
	// All reasons are reported, not only the first one.
	for op := range fn.Body(f).Ops() {
		if what := inexpressible(op); what != "" {
			diags.Error(op.Loc(), "'"+op.Name()+"' op "+what)
			ok = false
		}
	}
	if !ok {
		return false
	}
	_, err := w.Write(asText(f))
	if err != nil {
		diags.Error(ir.Loc{}, "cannot write: "+err.Error())
	}
	return err == nil
}

// asFunction returns the function of a module that contains only one function with a
// body. For other modules, which PTO-AS cannot represent, it reports an error and returns
// nil.
func asFunction(module *ir.Op, diags *ir.Diags) *ir.Op {
	var f *ir.Op
	for op := range module.Region(0).Entry().Ops() {
		if f != nil || !op.Is(fn.Func) || fn.Body(op) == nil {
			diags.Error(op.Loc(), "'"+op.Name()+"' op cannot be written as PTO-AS: a PTO-AS program is the body of one function")
			return nil
		}
		f = op
	}
	if f == nil {
		diags.Error(module.Loc(), "PTO-AS requires a function with a body, but the module has none")
		return nil
	}
	name := "function @" + fn.Name(f)
	// PTO-AS has no return, so a function can have no results.
	if _, outs := fn.TypeOf(f); len(outs) > 0 {
		diags.Error(f.Loc(), name+" has results, which PTO-AS cannot express").
			Note(f.Loc(), "store its results in memory")
		return nil
	}
	if r := f.Region(0); r.Entry() != r.Last() {
		diags.Error(r.Entry().Next().First().Loc(), name+" has several blocks; PTO-AS has no control flow")
		return nil
	}
	for _, op := range []*ir.Op{module, f} {
		for _, a := range op.ExtraAttrs() {
			diags.Add(ir.Warning, op.Loc(), "PTO-AS cannot express the attribute \""+a.Name+"\" of '"+op.Name()+"'; it is omitted")
		}
	}
	return f
}

// inexpressible returns the reason why PTO-AS cannot express the operation op, or "" if
// it can.
func inexpressible(op *ir.Op) string {
	switch {
	case op.Is(fn.Return):
		return ""
	case op.Form().Level == ir.DPS:
		return "is at Level 2, but PTO-AS is written at Level 1"
	case len(op.Regions()) > 0 || op.HasTrait(ir.Terminator):
		return "is control flow, which PTO-AS cannot express"
	case op.HasTrait(ir.IsSymbol):
		return "names a symbol, which PTO-AS cannot express"
	case op.Is(fn.Call):
		return "calls a function, which PTO-AS cannot express"
	case op.Form().Syntax == nil:
		return "has no custom form, which PTO-AS requires"
	}
	return ""
}

// asProgram is the definition of an internal operation that represents a function in
// PTO-AS. The printer writes a directive for each parameter, and then the contents of the
// region. Because parameters and contents belong to one operation, a single printer
// chooses all value names, and they are consistent.
var asProgram = &ir.Def{
	Name:    "lower.program",
	Regions: []ir.RegionDef{{Name: "body"}},
	Traits:  ir.IsolatedFromAbove | ir.NoTerminator,
	Forms: []*ir.Form{{Syntax: ir.Hook{PrintFn: func(w *ir.Printer, op *ir.Op) {
		for _, a := range op.Region(0).Entry().Args() {
			w.Newline()
			w.Raw(".arg ")
			w.Value(a)
			w.Raw(" : ")
			w.Type(a.Type())
		}
		w.Newline()
		w.Region(op, 0, false)
	}}}},
}

// asText returns the text of a function in PTO-AS, with one operation per line.
func asText(f *ir.Op) []byte {
	// The printer works on a copy, since the block moves to another operation.
	body := f.Clone(nil).Region(0)
	block := body.Entry()
	if end := block.Terminator(); end != nil {
		end.Erase()
	}
	op := ir.New(ir.State{Def: asProgram, Regions: []*ir.Region{ir.NewRegion(block)}})
	lines := strings.Split(strings.TrimSpace(string(ir.Bytes(op, ir.PrintOptions{Sequential: true}))), "\n")
	var out bytes.Buffer
	// Each operation is one line, so the lines and the operations correspond.
	next := block.First()
	for _, line := range lines[1:] { // after the name of the program
		line = strings.TrimSpace(line)
		switch {
		case line == "{" || line == "}" || line == "{}":
		case strings.HasPrefix(line, ".arg "):
			out.WriteString(line + ";\n")
		default:
			out.WriteString(asLine(next, line) + ";\n")
			next = next.Next()
		}
	}
	return out.Bytes()
}

// asLine converts a line of MLIR text, which contains the operation op, to PTO-AS.
func asLine(op *ir.Op, line string) string {
	if name, _, ok := strings.Cut(line, " = arith.constant "); ok && len(op.ExtraAttrs()) == 0 {
		if d, ok := arith.ConstantAttr(op.Result(0)); ok {
			// The directive .const is for numbers only; other constants stay
			// instructions.
			if _, _, isNumber := d.NumberBits(); isNumber {
				return ".const " + name + " = " + d.String()
			}
		}
	}
	if d := op.Def().Dialect(); d != nil && d.Name == "pto" {
		results, rest, named := strings.Cut(line, " = ")
		if op.NumResults() == 0 || !named {
			return strings.TrimPrefix(line, "pto.")
		}
		return results + " = " + strings.TrimPrefix(rest, "pto.")
	}
	return line
}
