// This file parses the types of VMI.

package pto

import "ptogo/ir"

// vmiTypes maps the names of VMI types (vectors of any length, and their masks) to
// parsers. A parser reads the text that follows the name.
var vmiTypes = map[string]func(p *ir.Parser) ir.Type{
	"vmi.vreg": parseVMIVReg,
	"vmi.mask": parseVMIMask,
}

// MostVMIBytes is the maximum size of a VMI vector in bytes, and the maximum number of
// lanes of a VMI value: the size of the unified buffer of A5. A larger vector can be
// neither loaded nor stored. The bound also keeps the memory and time that one value needs
// small, because passes and the runtime work on each lane.
const MostVMIBytes = 256 << 10

// VMIElems are the element types of VMI vectors, which are one, two or four bytes wide.
const VMIElems = B8 | B16 | B32 | BF16x2 | HiF8x2

// parseVMIVReg parses <64xf32> or <64xf32, layout>, the rest of a VMI vector type after
// its name.
func parseVMIVReg(p *ir.Parser) ir.Type {
	off := p.Offset()
	var t VMIVReg
	p.Expect("<")
	t.Lanes = parseLanes(p, off)
	t.Elem = p.Type()
	t.Layout = behindComma(p)
	p.Expect(">")
	switch {
	case p.Failed():
		return ir.Type{}
	case VMIElems.Has(t.Elem) && t.Lanes*int64(ByteSize(t.Elem)) > MostVMIBytes:
		p.ErrorAt(off, "a VMI vector must have at most %d bytes, as many as the unified buffer of A5, but %d lanes of %s have %d", MostVMIBytes, t.Lanes, t.Elem, t.Lanes*int64(ByteSize(t.Elem)))
	case !VMIElems.Has(t.Elem):
		p.ErrorAt(off, "lanes of !pto.vmi.vreg must have 8, 16 or 32 bits, but are of type %s", t.Elem)
	case t.Layout.Kind == LayoutGroupSlots && t.Layout.Factor != t.Lanes:
		p.ErrorAt(off, "%s has one lane per group, but there are %d lanes", t.Layout, t.Lanes)
	}
	return ir.TypeOf(t)
}

// parseVMIMask parses <64xpred> or <64xb32, layout>, the rest of a VMI mask type after
// its name. It also accepts <64>, which manuals use.
func parseVMIMask(p *ir.Parser) ir.Type {
	off := p.Offset()
	var t VMIMask
	p.Expect("<")
	if t.Lanes = parseLanes(p, off); !p.At(">") {
		t.Bits = map[string]uint8{"b8": 8, "b16": 16, "b32": 32}[p.Keyword("pred", "b8", "b16", "b32")]
	}
	t.Layout = behindComma(p)
	p.Expect(">")
	if !p.Failed() && t.Bits == 0 && !t.Layout.IsZero() {
		p.ErrorAt(off, "a mask of pred must not have a layout, because the width of its lanes is not known yet")
	}
	return ir.TypeOf(t)
}

// parseLanes parses the number of lanes and the x that follows.
func parseLanes(p *ir.Parser, off int) int64 {
	var n int64
	switch dims := p.Dims(); {
	case dims.Len() == 1:
		n = dims.At(0)
	case dims.Len() == 0 && p.AtInteger():
		n = p.Integer()
	case p.Failed():
		return 0
	}
	switch {
	case p.Failed():
	case n <= 0:
		p.ErrorAt(off, "a vmi value must have one positive number of lanes, as in 64xf32")
	case n > MostVMIBytes:
		p.ErrorAt(off, "a vmi value must have at most %d lanes, as many as the unified buffer of A5 has bytes, but has %d", MostVMIBytes, n)
	}
	return n
}

// behindComma parses an optional comma with a layout. It returns the zero layout if the
// text has none.
func behindComma(p *ir.Parser) VMILayout {
	if !p.Accept(",") {
		return VMILayout{}
	}
	off := p.Offset()
	l, ok := ir.AttrAs[VMILayout](p.Attr())
	if !ok && !p.Failed() {
		p.ErrorAt(off, "expected a #pto.vmi.layout attribute")
	}
	return l
}

// parseVMILayout parses <contiguous>, <deinterleaved = 2, lane_stride = 2>, <num_groups =
// 8, slots = 8> and similar layouts.
func parseVMILayout(p *ir.Parser) ir.Attr {
	off := p.Offset()
	l := VMILayout{Factor: 1, LaneStride: 1}
	p.Expect("<")
	word := p.Keyword(vmiLayoutNames[1:]...)
	for k, name := range vmiLayoutNames {
		if name == word {
			l.Kind = VMILayoutKind(k)
		}
	}
	if l.Kind != LayoutContiguous && p.Expect("=") {
		l.Factor = p.Integer()
	}
	for p.Accept(",") {
		l.key(p)
	}
	p.Expect(">")
	if p.Failed() {
		return ir.Attr{}
	}
	if msg := l.fault(); msg != "" {
		p.ErrorAt(off, "%s %s", l, msg)
	}
	return ir.AttrOf(l)
}

// key parses slots = n or lane_stride = n and stores the number in l.
func (l *VMILayout) key(p *ir.Parser) {
	choices := map[VMILayoutKind][]string{
		LayoutContiguous: {"lane_stride"}, LayoutDeinterleaved: {"lane_stride"}, LayoutGroupSlots: {"slots", "lane_stride"},
	}[l.Kind]
	if len(choices) == 0 {
		p.Errorf("the VMI layout %s must not have parameters other than its number of parts", l.Kind)
		return
	}
	into := &l.LaneStride
	if p.Keyword(choices...) == "slots" {
		into = &l.Slots
	}
	if p.Expect("=") {
		*into = p.Integer()
	}
}

// fault returns a message if a parameter of the layout, such as the lane stride or the
// number of groups, is out of range. It returns "" for a valid layout.
func (l VMILayout) fault() string {
	switch {
	case l.LaneStride <= 0:
		return "needs a positive lane_stride"
	case l.Split() && l.Factor != 2 && l.Factor != 4:
		return "must have 2 or 4 parts"
	case l.Kind == LayoutGroupSlots && l.Factor <= 0:
		return "needs a positive number of groups"
	case l.Slots < 0:
		return "needs a positive number of slots, or none"
	}
	return ""
}
