// This file defines the families of vector instructions.

package vector

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The families of lane-wise instructions: each definition is a row of a name,
// a function, the legal lanes and a sentence.

// The chapters of the vector instruction manual.
const (
	unaryFamily   = "unary-vector-ops"
	binaryFamily  = "binary-vector-ops"
	vecScalarOps  = "vec-scalar-ops"
	convertFamily = "conversion-ops"
	reduceFamily  = "reduction-ops"
	selectFamily  = "compare-select"
	rearrangement = "data-rearrangement"
	sfuFamily     = "dsa-sfu-ops"
)

// microChapters are the numbers of the chapters in the manual of micro-instructions, by
// chapter name.
var microChapters = map[string]string{
	unaryFamily: "06", binaryFamily: "07", vecScalarOps: "08", convertFamily: "09", reduceFamily: "10",
	selectFamily: "11", rearrangement: "12", sfuFamily: "13", "vector-load-store": "03",
	"predicate-load-store": "04", "materialization-predicate": "05",
}

// micro completes the description o of a vector instruction. It sets the chapter of the
// manual to family. If o names no manual page, it sets the page of this chapter.
func micro(o Op, family string) Op {
	o.Family = family
	if o.Page == "" {
		o.Page = MicroPage(microChapters[family] + "-" + family)
	}
	return o
}

// vecUnary returns the definition of the instruction with the given name, which computes
// result = fn(input) in the lanes that the mask selects. doc is the description on the
// reference page, and notes are further notes for this page.
func vecUnary(name string, fn *scalar.Fn, elems Elems, doc string, notes ...string) *ir.Def {
	return vecLanes(micro(Op{Name: name, Doc: doc, Notes: notes, Sem: sem.VecMap{Fn: fn}}, unaryFamily), elems, "input")
}

// vecBinary returns the definition of an instruction that computes result = fn(lhs,
// rhs) in the lanes that the mask selects.
func vecBinary(name string, fn *scalar.Fn, on Elems, doc string, notes ...string) *ir.Def {
	return vecLanes(micro(Op{Name: name, Doc: doc, Notes: notes, Sem: sem.VecMap{Fn: fn}}, binaryFamily), on, "lhs", "rhs")
}

// vecScalar returns the definition of the instruction with the given name, which computes
// result = fn(input, scalar) in the lanes that the mask selects. doc is the description
// on the reference page, and notes are further notes for this page.
func vecScalar(name string, fn *scalar.Fn, elems Elems, doc string, notes ...string) *ir.Def {
	o := micro(Op{Name: name, Doc: doc, Notes: notes, Sem: sem.VecMap{Fn: fn}}, vecScalarOps)
	o.Ins = Args{In("input", lanes(elems)), In("scalar", ScalarOf("input")), In("mask", MaskFor("input"))}
	o.Outs = Args{Out("result", ir.SameAs("input"))}
	o.Examples = []string{example(name, elems, "vsm", "v")}
	o.Traits = ir.Pure
	return VectorOp(o)
}

// vecLanes returns the definition of a vector instruction with a mask. names lists its
// register operands, which all have the same type. The parameter on is the set of their
// element types.
func vecLanes(o Op, on Elems, names ...string) *ir.Def {
	o.Ins = Args{In(names[0], lanes(on))}
	for _, n := range names[1:] {
		o.Ins = append(o.Ins, In(n, ir.SameAs(names[0])))
	}
	o.Ins = append(o.Ins, In("mask", MaskFor(names[0])))
	o.Outs = Args{Out("result", ir.SameAs(names[0]))}
	o.Examples = append(o.Examples, example(o.Name, on, strings.Repeat("v", len(names))+"m", "v"))
	o.Traits = ir.Pure
	return VectorOp(o)
}

// example returns the text of an example of the instruction with the given name. The
// strings ins and outs have a letter for each operand and result: v is a register, s a
// scalar and m a mask. The parameter on is a set of element types; the registers have its
// widest type of up to 32 bits.
func example(name string, on Elems, ins, outs string) string {
	t := SampleElem(on)
	types := map[byte]string{
		'v': VregType(t).String(),
		's': ir.WithoutSign(t).String(),
		'm': ir.TypeOf(Mask{Bits: uint8(LaneBits(t))}).String(),
	}
	var values, inTypes, results, outTypes []string
	for i := range len(ins) {
		values = append(values, "%"+string(rune('a'+i)))
		inTypes = append(inTypes, types[ins[i]])
	}
	for i := range len(outs) {
		results = append(results, "%"+string(rune('r'+i)))
		outTypes = append(outTypes, types[outs[i]])
	}
	list := func(s []string) string { return strings.Join(s, ", ") }
	return list(results) + " = pto." + name + " " + list(values) + " : " + list(inTypes) + " -> " + list(outTypes)
}

// docsOnly is the note of reference pages about instructions that only the vector
// manual contains.
const docsOnly = "Only the vector manual has this instruction."

// vecUnaryISA returns the definition of an instruction that only the vector manual
// contains. The instruction computes result = fn(input) in the lanes that the mask
// selects.
func vecUnaryISA(name string, fn *scalar.Fn, elems Elems, doc string, notes ...string) *ir.Def {
	return vecLanes(Op{
		Name: name, Doc: doc, Family: unaryFamily, Page: VectorPage(unaryFamily, name),
		Notes: append([]string{docsOnly}, notes...), Sem: sem.VecMap{Fn: fn},
	}, elems, "input")
}

// vecScalarISA returns the definition of an instruction that only the vector manual
// contains. The instruction computes result = fn(input, scalar) in the lanes that the
// mask selects.
func vecScalarISA(name string, fn *scalar.Fn, elems Elems, doc string) *ir.Def {
	d := vecScalar(name, fn, elems, doc, docsOnly)
	d.Page = VectorPage(vecScalarOps, name)
	return d
}

// exampleWith returns an example with additional text. text is the original example. The
// parameter more is the additional text, which is inserted before the types.
func exampleWith(text, more string) string {
	before, types, _ := strings.Cut(text, " : ")
	return before + more + " : " + types
}
