// This file defines the conversion that a queue applies to accumulators.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// AccPushEpilogue is attribute #pto.acc_push_epilogue. It selects how FIXPIPE, the unit
// that copies out of the accumulator, converts elements that are pushed into a queue
// between cores.
type AccPushEpilogue struct{ Layout, Quant, Relu string }

// AppendAttr implements ir.AttrData. It appends the attribute in MLIR syntax to b.
func (a AccPushEpilogue) AppendAttr(b []byte) []byte {
	return append(b, "#pto.acc_push_epilogue<layout = "+a.Layout+", quant = "+a.Quant+", relu = "+a.Relu+">"...)
}

// Fixpipe returns the conversion in the representation that other instructions of FIXPIPE
// use.
func (a AccPushEpilogue) Fixpipe() sem.Fixpipe { return sem.FixpipeNamed(a.Quant, a.Relu) }

// epilogueQuant is a conversion of accumulator elements: from one of the element types
// From to one of To.
type epilogueQuant struct {
	name string
	From Elems
	To   Elems
	A5   bool
}

// epilogueQuants lists the conversions that can be applied to accumulator elements when
// they are pushed into a queue, with their source and destination types.
var epilogueQuants = []epilogueQuant{
	{name: "no_convert", From: F32 | I32, To: F32 | I32},
	{name: "f32_f16", From: F32, To: F16},
	{name: "f32_bf16", From: F32, To: BF16},
	{name: "req8_scalar", From: I32, To: I8 | U8},
	{name: "req8_vec", From: I32, To: I8},
	{name: "deqf16_scalar", From: I32, To: F16},
	{name: "deqf16_vec", From: I32, To: F16},
	{name: "qf322b8_pre_scalar", From: F32, To: I8 | U8},
	{name: "qf322b8_pre_vec", From: F32, To: I8},
	{name: "qf322f16_pre_scalar", From: F32, To: F16},
	{name: "qf322bf16_pre_scalar", From: F32, To: BF16},
	{name: "qs322bf16_pre_scalar", From: I32, To: BF16, A5: true},
	{name: "qs322bf16_pre_vec", From: I32, To: BF16, A5: true},
	{name: "qf322hif8_pre_scalar", From: F32, To: HiF8, A5: true},
	{name: "qf322fp8_pre_scalar", From: F32, To: F8E4M3, A5: true},
}

// parseEpilogue parses <layout = nz2nd, quant = no_convert, relu = no_relu>, the rest of
// the attribute after its name.
func parseEpilogue(p *ir.Parser) ir.Attr {
	quants := make([]string, len(epilogueQuants))
	for i, q := range epilogueQuants {
		quants[i] = q.name
	}
	var a AccPushEpilogue
	p.Expect("<")
	a.Layout = epilogueKey(p, "layout", "nz2nd", "nz2dn", "nz2nz")
	p.Expect(",")
	a.Quant = epilogueKey(p, "quant", quants...)
	p.Expect(",")
	a.Relu = epilogueKey(p, "relu", "no_relu", "normal_relu")
	p.Expect(">")
	return ir.AttrOf(a)
}

// epilogueKey parses text of the form key = word, and returns the word. key is the
// expected key. words lists the legal words; epilogueKey reports an error for any other
// word.
func epilogueKey(p *ir.Parser, key string, words ...string) string {
	p.Keyword(key)
	p.Expect("=")
	return p.Keyword(words...)
}

// AnyAccPushEpilogue is an attribute constraint that accepts every
// #pto.acc_push_epilogue.
var AnyAccPushEpilogue = ir.AttrIf("a #pto.acc_push_epilogue", func(a ir.Attr) bool {
	_, ok := ir.AttrAs[AccPushEpilogue](a)
	return ok
})

// Conversion returns the conversion of accumulator elements that the attribute a names:
// the legal source types and destination types.
func (a AccPushEpilogue) Conversion() epilogueQuant {
	i := slices.IndexFunc(epilogueQuants, func(q epilogueQuant) bool { return q.name == a.Quant })
	return epilogueQuants[max(i, 0)]
}

// Signless reports whether t is i8, the integer type without a sign. A conversion to
// 8-bit integers must name si8 or ui8 instead, because the range of its results depends
// on the sign. The result does not depend on q.
func (q epilogueQuant) Signless(t ir.Type) bool {
	return Ints8.Has(t) && t == ir.I8
}

// Wants describes the element types that the conversion produces, for messages.
func (q epilogueQuant) Wants() string {
	switch q.To {
	case I8:
		return "si8"
	case I8 | U8:
		return "si8 or ui8"
	}
	return q.To.String()
}
