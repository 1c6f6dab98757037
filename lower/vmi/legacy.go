// This file defines vmi-lower-unified-to-legacy.

package vmi

import (
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavmi "ptogo/dialect/pto/isa/vmi"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
	"ptogo/passes"
)

// ToTyped is the pass vmi-lower-unified-to-legacy. It replaces a generic VMI instruction,
// whose operand types or attributes select the function, by the instruction for that
// function.
var ToTyped = &passes.Pass{
	Name:   "vmi-lower-unified-to-legacy",
	Title:  "VMILowerUnifiedToLegacy",
	Doc:    "Replaces a generic VMI instruction by the instruction for its function and element type, if one exists. For example, vadd of floats becomes addf.",
	Anchor: "builtin.module",
	Run: func(_ *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			typed(op)
		}
		return nil
	},
}

// typedFloat maps a scalar function to the VMI instruction that computes it on floats.
// typedInt does the same for integers, and typedMask for masks.
var (
	typedFloat = map[*scalar.Fn]*ir.Def{
		scalar.Add: isavmi.VMIAddF, scalar.Sub: isavmi.VMISubF, scalar.Mul: isavmi.VMIMulF, scalar.Div: isavmi.VMIDivF,
		scalar.Min: isavmi.VMIMinF, scalar.Max: isavmi.VMIMaxF, scalar.Fma: isavmi.VMIFma, scalar.Neg: isavmi.VMINegF,
		scalar.Abs: isavmi.VMIAbsF, scalar.Sqrt: isavmi.VMISqrt, scalar.Exp: isavmi.VMIExp, scalar.Log: isavmi.VMILn, scalar.Relu: isavmi.VMIRelu,
	}
	typedInt = map[*scalar.Fn]*ir.Def{
		scalar.Add: isavmi.VMIAddI, scalar.Sub: isavmi.VMISubI, scalar.Mul: isavmi.VMIMulI, scalar.Min: isavmi.VMIMinI, scalar.Max: isavmi.VMIMaxI,
		scalar.Neg: isavmi.VMINegI, scalar.Abs: isavmi.VMIAbsI, scalar.Relu: isavmi.VMIRelu, scalar.And: isavmi.VMIAndI, scalar.Or: isavmi.VMIOrI,
		scalar.Xor: isavmi.VMIXOrI, scalar.Not: isavmi.VMINot, scalar.Shl: isavmi.VMIShLI,
	}
	typedMask = map[*scalar.Fn]*ir.Def{
		scalar.And: isavmi.VMIMaskAnd, scalar.Or: isavmi.VMIMaskOr, scalar.Xor: isavmi.VMIMaskXor, scalar.Not: isavmi.VMIMaskNot,
	}
)

// typed replaces a generic VMI instruction by an instruction for one function, if such an
// instruction exists. The operands or attributes of the generic instruction select the
// function.
func typed(op *ir.Op) {
	info := pto.InfoOf(op.Def())
	if info == nil || info.Group != "vmi" {
		return
	}
	typedKinds.Run(routine.Done{}, op)
}

// typedKinds maps kinds of generic VMI instructions to routines. The routine for a kind
// replaces an instruction by a typed instruction. A typed instruction computes one
// function on one class of types.
var typedKinds = kinds(
	routine.Does(func(_ routine.Done, op *ir.Op, kind sem.VecMap) { typedMap(op, kind) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneConvert) { typedConversion(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneCompare) { typedCompare(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, kind sem.GroupReduce) { typedReduction(op, kind) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.GroupBroadcast) { typedBroadcast(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.GroupIndex) { typedIndex(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ scalar.Choice) {
		replace(op, isavmi.VMISelect, op.Operands(), "pmode")
	}),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneLoad) { typedLoad(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneStore) { typedStore(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneGather) { typedGather(op) }),
	routine.Does(func(_ routine.Done, op *ir.Op, _ sem.LaneScatter) {
		if op.Arg("mask") != nil {
			replace(op, isavmi.VMIScatter, op.Operands(), "pmode")
		}
	}),
	routine.Does(func(_ routine.Done, op *ir.Op, kind sem.VecRearrange) {
		if kind.Kind == sem.Reinterpret {
			replace(op, isavmi.VMIBitcast, op.Operands())
		}
	}),
)

// replace replaces op by an instruction with the definition def and the given operands.
// The new instruction has the results and attributes of op, except the attributes whose
// names are in drop.
func replace(op *ir.Op, def *ir.Def, operands []*ir.Value, drop ...string) *ir.Op {
	return replaceWith(op, def, operands, nil, drop...)
}

// replaceWith replaces op by an instruction of definition def with the given operands.
// The new instruction has the results of op. Its attributes are those of op and those in
// the parameter more, except the attributes whose names are in drop.
func replaceWith(op *ir.Op, def *ir.Def, operands []*ir.Value, more []ir.NamedAttr, drop ...string) *ir.Op {
	if op.Is(def) {
		return op
	}
	dropped := func(name string) bool {
		for _, d := range drop {
			if d == name {
				return true
			}
		}
		return false
	}
	var types []ir.Type
	for _, v := range op.Results() {
		types = append(types, v.Type())
	}
	var attrs []ir.NamedAttr
	for a := range op.OwnAttrs() {
		if !dropped(a.Name) {
			attrs = append(attrs, a)
		}
	}
	attrs = append(append(attrs, op.ExtraAttrs()...), more...)
	made := ir.Before(op).Create(ir.State{Def: def, Loc: op.Loc(), Operands: operands, Results: types, Attrs: attrs})
	for i, v := range op.Results() {
		made.Result(i).SetName(v.Name())
		v.ReplaceAllUses(made.Result(i))
	}
	op.Erase()
	return made
}

// typedMap replaces an elementwise function of vectors by a typed instruction. It leaves
// instructions with a mask unchanged, unless the mask selects all lanes.
func typedMap(op *ir.Op, kind sem.VecMap) {
	ins := kind.Inputs(op)
	for _, v := range ins {
		if !isVMI(v.Type()) {
			return
		}
	}
	if m := op.Arg("mask"); m != nil && m != ins[0] && !selectsAll(m) {
		return
	}
	if def := typedFn(kind.Fn, op.Result(0).Type()); def != nil {
		replace(op, def, ins, "pmode")
	}
}

// typedFn returns the typed instruction that computes the function fn on values of type
// t, or nil.
func typedFn(fn *scalar.Fn, t ir.Type) *ir.Def {
	if ir.Is[pto.VMIMask](t) {
		return typedMask[fn]
	}
	d, isInt := ir.As[ir.IntegerType](ir.ElementType(t))
	def := typedFloat[fn]
	if isInt {
		def = typedInt[fn]
		if fn == scalar.Shr {
			def = isavmi.VMIShRUI
			if d.Sign == ir.Signed {
				def = isavmi.VMIShRSI
			}
		}
	}
	if def == nil || !accepts(def, t) {
		return nil
	}
	return def
}

// accepts reports whether the definition def accepts the type t as its first operand.
func accepts(def *ir.Def, t ir.Type) bool {
	def = def.Made()
	form := def.Forms[0]
	return form.Operands[0].Type.Check(t, &ir.Env{Def: def, Form: form, Target: sem.A5})
}

// typedConversion replaces a generic conversion by the instruction for its source and
// destination types.
func typedConversion(op *ir.Op) {
	from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
	x, fromInt := ir.As[ir.IntegerType](from)
	y, toInt := ir.As[ir.IntegerType](to)
	wider := bitsOf(to) > bitsOf(from)
	var def *ir.Def
	switch {
	case fromInt && toInt && wider && x.Sign == ir.Signed && y.Sign == ir.Signed:
		def = isavmi.VMIExtSI
	case fromInt && toInt && wider && x.Sign != ir.Signed && y.Sign != ir.Signed:
		def = isavmi.VMIExtUI
	case fromInt && toInt && !wider:
		def = isavmi.VMITruncI
	case fromInt && toInt:
		return
	case toInt && y.Sign == ir.Signed:
		def = isavmi.VMIFPToSI
	case toInt:
		def = isavmi.VMIFPToUI
	case fromInt:
		if def = isavmi.VMISIToFP; !accepts(def, op.Operand(0).Type()) || to != ir.F32 {
			return
		}
	case wider:
		def = isavmi.VMIExtF
	default:
		def = isavmi.VMITruncF
	}
	replace(op, def, op.Operands(), "pmode")
}

// typedCompare replaces op, a generic comparison, by the comparison instruction for
// integers or for floats. It replaces op only if op compares two vectors and its mask
// selects all lanes.
func typedCompare(op *ir.Op) {
	seed := op.Arg("seed")
	if seed == nil || !selectsAll(seed) || !isVMI(op.Operand(1).Type()) {
		return
	}
	cmp, _ := op.Attr("cmp").AsString()
	def := isavmi.VMICmpF
	if d, ok := ir.As[ir.IntegerType](ir.ElementType(op.Operand(0).Type())); ok {
		def = isavmi.VMICmpI
		if cmp != "eq" && cmp != "ne" {
			cmp = map[bool]string{true: "s", false: "u"}[d.Sign == ir.Signed] + cmp
		}
	}
	replaceWith(op, def, op.Operands()[:2], []ir.NamedAttr{str("predicate", cmp)}, "cmp", "pmode")
}

// typedReduction replaces op, a reduction for any element type, by the instruction for
// one function and one element type. kind contains the function: sum, maximum or minimum.
// typedReduction does nothing if the new instruction does not accept the operand of op.
func typedReduction(op *ir.Op, kind sem.GroupReduce) {
	_, isInt := ir.As[ir.IntegerType](ir.ElementType(op.Operand(0).Type()))
	var def *ir.Def
	group := op.Attr("group")
	word := map[sem.ReduceOp]string{sem.ReduceSum: "add", sem.ReduceMax: "max", sem.ReduceMin: "min"}[kind.Op]
	word += map[bool]string{true: "i", false: "f"}[isInt]
	if group.IsZero() {
		def = map[string]*ir.Def{
			"addi": isavmi.VMIReduceAddI, "addf": isavmi.VMIReduceAddF, "maxi": isavmi.VMIReduceMaxI,
			"maxf": isavmi.VMIReduceMaxF, "mini": isavmi.VMIReduceMinI, "minf": isavmi.VMIReduceMinF,
		}[word]
	} else {
		def = map[string]*ir.Def{
			"addi": isavmi.VMIGroupReduceAddI, "addf": isavmi.VMIGroupReduceAddF, "maxi": isavmi.VMIGroupReduceMaxI,
			"maxf": isavmi.VMIGroupReduceMaxF, "mini": isavmi.VMIGroupReduceMinI, "minf": isavmi.VMIGroupReduceMinF,
		}[word]
	}
	if !strings.HasPrefix(op.Name(), "pto.vmi.vc") || !accepts(def, op.Operand(0).Type()) {
		return
	}
	var more []ir.NamedAttr
	if !group.IsZero() {
		more = append(more, ir.NamedAttr{Name: "num_groups", Attr: group})
	}
	drop := []string{"group", "pmode"}
	if def.Attr("reassoc") == nil {
		drop = append(drop, "reassoc")
	}
	replaceWith(op, def, op.Operands(), more, drop...)
}

// typedBroadcast replaces a generic broadcast by the instruction for a scalar or for
// groups.
func typedBroadcast(op *ir.Op) {
	group := op.Attr("group")
	if group.IsZero() {
		if !op.Is(isavmi.VMIGroupBroadcast) {
			replace(op, isavmi.VMIBroadcast, op.Operands())
		}
		return
	}
	replaceWith(op, isavmi.VMIGroupBroadcast, op.Operands(), []ir.NamedAttr{{Name: "num_groups", Attr: group}}, "group")
}

// typedIndex replaces the generic instruction that creates a vector of consecutive
// numbers. The new instruction counts either in the whole vector or in each group.
func typedIndex(op *ir.Op) {
	if !op.Is(isavmi.VMIVCi) {
		return
	}
	if n := sem.GroupsOf(op); n > 1 && layoutOf(op.Result(0).Type()).IsZero() || n > 1 && layoutOf(op.Result(0).Type()) == contiguous {
		replace(op, isavmi.VMIGroupIota, op.Operands())
	} else if n <= 1 {
		replace(op, isavmi.VMIIota, op.Operands(), "group")
	}
}

// typedLoad replaces op by a more specific load, if op is a generic VMI load (VMIVLoad).
// An attribute of the generic load selects an access mode, such as continuous; each mode
// has an instruction of its own.
func typedLoad(op *ir.Op) {
	if !op.Is(isavmi.VMIVLoad) {
		return
	}
	t := op.Result(0).Type()
	at := op.Operands()[:2]
	group := []ir.NamedAttr{{Name: "num_groups", Attr: op.Attr("group")}}
	drop := []string{"dist_mode", "group", "pmode"}
	switch sem.WayOf(op) {
	case sem.WayContinuous:
		if l := layoutOf(t); l.Kind == pto.LayoutGroupSlots || l.IsZero() && compact(op.Result(0)) {
			one := arith.Index(ir.Before(op), 1)
			groups := []ir.NamedAttr{{Name: "num_groups", Attr: ir.IntAttr(ir.I64, lanesOf(t))}}
			replaceWith(op, isavmi.VMIGroupSlotLoad, append(at, one), groups, drop...)
			return
		}
		replace(op, isavmi.VMILoad, at, drop...)
	case sem.WayAlternating:
		replace(op, isavmi.VMIDeinterleaveLoad, at, drop...)
	case sem.WayGrouped:
		def := isavmi.VMIGroupLoad
		if lanesOf(t) == int64(sem.GroupsOf(op)) {
			if l := layoutOf(t); l.IsZero() || l.Kind == pto.LayoutGroupSlots {
				def = isavmi.VMIGroupSlotLoad
			}
		}
		replaceWith(op, def, append(at, op.Arg("stride")), group, drop...)
	case sem.WayGroupElement:
		if l := layoutOf(t); l.Kind != pto.LayoutGroupSlots {
			replaceWith(op, isavmi.VMIGroupBroadcastLoad, append(at, op.Arg("stride")), group, drop...)
		}
	}
}

// compact reports whether the vector v holds one lane for each group of lanes. An
// instruction on groups defines or uses v. The function guesses from the number of lanes:
// it returns true for 1, 2, 4 or 8 lanes.
func compact(v *ir.Value) bool {
	switch lanesOf(v.Type()) {
	case 1, 2, 4, 8:
	default:
		return false
	}
	return true
}

// typedStore replaces a generic store by the instruction for its access mode.
func typedStore(op *ir.Op) {
	if !op.Is(isavmi.VMIVStore) {
		return
	}
	vs := op.Args("values")
	t := vs[0].Type()
	at := append(append([]*ir.Value{}, vs...), op.Arg("destination"), op.Arg("offset"))
	drop := []string{"dist_mode", "group", "pmode"}
	mask := op.Arg("mask")
	if mask != nil && selectsAll(mask) && sem.WayOf(op) == sem.WayContinuous {
		mask = nil
	}
	switch sem.WayOf(op) {
	case sem.WayContinuous:
		l := layoutOf(t)
		switch {
		case mask == nil && (l.Kind == pto.LayoutGroupSlots || l.IsZero() && compact(vs[0])):
			one := arith.Index(ir.Before(op), 1)
			groups := []ir.NamedAttr{{Name: "num_groups", Attr: ir.IntAttr(ir.I64, lanesOf(t))}}
			replaceWith(op, isavmi.VMIGroupStore, append(at, one), groups, drop...)
		case mask == nil:
			replace(op, isavmi.VMIStore, at, drop...)
		default:
			replace(op, isavmi.VMIMaskedStore, append(at, mask), drop...)
		}
	case sem.WayAlternating:
		if mask == nil {
			replace(op, isavmi.VMIInterleaveStore, at, drop...)
		}
	case sem.WayGrouped:
		group := []ir.NamedAttr{{Name: "num_groups", Attr: op.Attr("group")}}
		replaceWith(op, isavmi.VMIGroupStore, append(at, op.Arg("stride")), group, drop...)
	case sem.WayBlocks:
		if mask != nil && op.Arg("repeat_stride") != nil {
			replace(op, isavmi.VMIStrideStore, append(at, op.Arg("block_stride"), op.Arg("repeat_stride"), mask), drop...)
		}
	}
}

// typedGather replaces a VMI gather instruction of the generic syntax by one for its
// element type. In the new instruction, lanes that are not selected become 0. typedGather
// therefore leaves op unchanged if these lanes have other values.
func typedGather(op *ir.Op) {
	if !op.Is(isavmi.VMIVGather) {
		return
	}
	if mode, _ := op.Attr("pmode").AsString(); mode == "merge" {
		return
	}
	t := op.Result(0).Type()
	elem := ir.ElementType(t)
	value, ok := ir.DenseNumbers(ir.TypeOf(ir.VectorType{Shape: ir.MakeDims(lanesOf(t)), Elem: elem}), []uint64{0})
	if !ok {
		return
	}
	other := ir.Before(op).Op(isavmi.VMIConstant, nil, []ir.Type{t}, ir.NamedAttr{Name: "value", Attr: value}).Result(0)
	replace(op, isavmi.VMIGather, append(op.Operands(), other), "pmode")
}
