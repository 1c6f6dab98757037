// This file defines rules about what the device library (the NPU headers of pto-isa) does
// with the operands of an instruction.

package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// DeviceRule is a Rule on a case in which the device library, which executes tile
// instructions on NPUs, rejects the operands of an instruction or computes something else
// than this project. An example is a store to a view whose inner stride is not 1: the
// library ignores this stride.
//
// Three users evaluate the function Broken: the verifier with the constants of the
// program, pto-run --check=device with the values of a run, and the reference pages, which
// print Does and Header.
type DeviceRule struct {
	// On are the targets whose library behaves this way.
	On sem.Profiles
	// Class is the name of the rule in reports, for example "stride".
	Class string
	// Does is a sentence without a period that states what the library does.
	Does string
	// Header is the evidence: the header of the library, and the condition or function in
	// it.
	Header string
	// Way is a sentence without a period that states how to change the program.
	Way string
	// Warns are the targets on which a violation is a warning. These are targets on which
	// the evidence depends on behavior of an intrinsic that no kernel with known results
	// exercises, on which the library has an obvious fault, or on which the public compiler
	// accepts the program and executes it without the library (by vector instructions).
	// --emit=cpp rejects such a program, because its C++ calls the library.
	Warns sem.Profiles
	// Repaired means that the C++ of --emit=cpp computes what this project computes, so
	// that it does not reject the program.
	Repaired bool
	// Written means that --emit=cpp writes the call although the rule is broken, because
	// the device differs for some values of the elements only, or stops in debug builds
	// only.
	Written bool
	// Opens means that --emit=cpp repairs a call by tiles whose types leave the valid region
	// open, so that the library does not use the fault that depends on the type.
	Opens bool
	// Broken returns a message if the operands violate the rule, and "" if they do not or
	// if the values that the rule needs are unknown.
	Broken func(op *ir.Op, t ir.Target, x DeviceOperands) string
}

// DeviceOperands provides the tiles and views of an operation to a DeviceRule. Numbers
// that are unknown are ir.Dynamic.
type DeviceOperands interface {
	// Tile returns the tile operand with the given name. Its valid region contains the
	// values of the run if they are known.
	Tile(name string) (t TileInfo, ok bool)
	// View returns the operand with the given name, a region of a tensor in global memory.
	View(name string) (v ViewInfo, ok bool)
	// Number returns the value of the integer operand with the given name, or ir.Dynamic if
	// it is unknown.
	Number(name string) int64
}

// ViewInfo describes a region of a tensor in global memory. The sizes and strides, in
// elements, are those of ViewRank dimensions; missing leading dimensions have the size 1.
type ViewInfo struct {
	Size, Stride [ViewRank]int64
	// Layout is the layout that the program declares or that constant strides imply: nd,
	// dn or nz. It is "" if it is unknown.
	Layout string
}

// Verify implements Rule. It reports a violation that constants of the program show.
func (r DeviceRule) Verify(op *ir.Op, v *ir.Verifier) {
	if !r.On.Has(v.Target) {
		return
	}
	msg := r.Broken(op, v.Target, ConstantOperands{op})
	if msg == "" {
		return
	}
	report := v.Errorf
	if r.Warns.Has(v.Target) {
		report = v.Warnf
	}
	d := report(op, "%s", onProfile(v.Target, msg))
	d.As(ir.CodeDevice)
	for _, n := range r.Notes() {
		d.Note(ir.Loc{}, n)
	}
}

// Notes returns the notes of a report about a violation: what the library does, with the
// evidence, and how to change the program.
func (r DeviceRule) Notes() []string {
	return []string{r.Does + " (" + r.Header + ")", r.Way}
}

// DeviceRules returns the rules about the device library that apply to op on target t.
func DeviceRules(op *ir.Op, t ir.Target) []DeviceRule {
	info := InfoOf(op.Def())
	if info == nil {
		return nil
	}
	var rules []DeviceRule
	for _, rule := range info.Rules {
		if r, ok := rule.(DeviceRule); ok && r.On.Has(t) {
			rules = append(rules, r)
		}
	}
	return rules
}

// ConstantOperands provides the operands of Op as far as the types and constants of the
// program determine them.
type ConstantOperands struct{ Op *ir.Op }

// Tile implements DeviceOperands.
func (x ConstantOperands) Tile(name string) (TileInfo, bool) { return TileArg(x.Op, name) }

// View implements DeviceOperands.
func (x ConstantOperands) View(name string) (v ViewInfo, ok bool) {
	value := x.Op.Arg(name)
	source := SourceView(value)
	if source == nil {
		return v, false
	}
	dims, ok := ViewDims(value.Type())
	strides := sem.ViewingOf(source).Strides
	if !ok || dims.Len() != len(strides) || dims.Len() > ViewRank {
		return v, false
	}
	v.Layout = LayoutOfView(source)
	shift := ViewRank - dims.Len()
	var sizes []*ir.Value
	if _, part := value.Op().Def().Sem.(sem.PartView); part {
		sizes = sem.ViewingOf(value.Op()).Sizes
	}
	for i := range ViewRank {
		v.Size[i], v.Stride[i] = 1, ir.Dynamic
		if i < shift {
			continue
		}
		v.Size[i], v.Stride[i] = dims.At(i-shift), constantOr(strides[i-shift])
		if v.Size[i] == ir.Dynamic && len(sizes) == dims.Len() {
			v.Size[i] = constantOr(sizes[i-shift])
		}
	}
	return v, true
}

// Number implements DeviceOperands.
func (x ConstantOperands) Number(name string) int64 {
	if v := x.Op.Arg(name); v != nil {
		return constantOr(v)
	}
	return ir.Dynamic
}

// constantOr returns the value of v if it is a constant of the program, and ir.Dynamic
// otherwise.
func constantOr(v *ir.Value) int64 {
	if n, ok := ConstantInt(v); ok {
		return n
	}
	return ir.Dynamic
}

// SourceView returns the operation that defines the tensor of which v is a rectangular
// region, directly or through other regions. It returns nil if this operation is unknown.
func SourceView(v *ir.Value) *ir.Op {
	for v != nil && v.Op() != nil {
		if _, part := v.Op().Def().Sem.(sem.PartView); part {
			v = v.Op().Operand(0)
			continue
		}
		if _, view := v.Op().Def().Sem.(sem.MakeView); view {
			return v.Op()
		}
		break
	}
	return nil
}

// LayoutOfView returns the layout that the definition of a tensor declares, or that its
// constant strides imply. It returns "" if the layout is unknown.
func LayoutOfView(view *ir.Op) string {
	if view == nil {
		return ""
	}
	if view.HasAttr("layout") {
		return view.Attr("layout").Keyword()
	}
	strides := sem.ViewingOf(view).Strides
	dims, _ := ViewDims(view.Result(0).Type())
	if len(strides) != 2 || dims.Len() != 2 || dims.At(0) == 1 || dims.At(1) == 1 {
		return ""
	}
	down, known := ConstantInt(strides[0])
	along, known2 := ConstantInt(strides[1])
	switch {
	case !known || !known2 || down == along:
	case along == 1:
		return "nd"
	case down == 1:
		return "dn"
	}
	return ""
}
