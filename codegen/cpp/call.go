// This file emits library calls from the templates in instruction definitions.

package cpp

import (
	"bytes"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// call emits the C++ library call that the definition of the instruction specifies. A
// definition may have several call templates; call uses the first one whose operands and
// attributes are all present in op.
func (f *function) call(op *ir.Op) { f.callFirst(op, spellingsOf(op.Def(), op.Form())) }

// callFirst emits op by the first of the call templates whose operands and attributes are
// all present in op.
func (f *function) callFirst(op *ir.Op, calls [][]part) {
	for _, parts := range calls {
		if f.complete(op, parts, false) {
			f.place(op, parts)
			f.startLine()
			f.lastUses(op)
			f.fill(op, parts)
			f.endLine(op)
			return
		}
	}
	f.errorf(op, "cannot be written as C++: the C++ library has no call for this combination of operands and attributes")
}

// lastUses writes an attribute of a library call. The attribute marks the tiles that no
// later instruction reads, which the pass pto-mark-last-use has determined. It has one
// entry for each tile operand of the call: first the results, and then the sources. If
// the pass has not marked op, lastUses writes nothing.
func (f *function) lastUses(op *ir.Op) {
	marks, ok := ir.AttrAs[ir.DenseArrayAttr](op.Attr("pto.last_use"))
	if !ok {
		return
	}
	entries := marks.Ints()
	var outs, ins []string
	for i, a := range op.Form().Operands {
		for k, to := op.ArgRange(i); k < to; k++ {
			if n := len(outs) + len(ins); pto.IsTile(op.Operand(k).Type()) && n < len(entries) {
				mark := strconv.FormatInt(entries[n], 10)
				if a.Role == ir.Out || a.Role == ir.InOut {
					outs = append(outs, mark)
				} else {
					ins = append(ins, mark)
				}
			}
		}
	}
	f.b = append(f.b, "[[pto::last_use("+strings.Join(append(outs, ins...), ", ")+")]] "...)
}

// mapTiles emits an elementwise tile instruction. Some instructions become two library
// calls. The first call writes the destination before the second call reads its source,
// so mapTiles reports an error if destination and source have the same address.
func (f *function) mapTiles(op *ir.Op, kind sem.TileMap) {
	if isatile.OpensTiles(op, f.opts.Target) {
		f.callOpen(op)
		return
	}
	for _, step := range kind.Then {
		if dst, _ := ends(op); samePlace(dst, op.Arg(step.Arg)) {
			f.errorf(op, "becomes two calls of the C++ library: the first call overwrites \"%s\", which shares bytes with \"dst\", and the second call still reads it", step.Arg).
				Note(op.Loc(), "give one of the two tiles another address")
			return
		}
	}
	f.call(op)
}

// complete reports whether op has all operands and attributes that occur in a call
// template, the text of a library call with placeholders. parts are the elements of the
// template. A scratch tile may be missing, because the emitter can declare one.
//
// If the parameter special is set, parts is an optional group of a template, and complete
// reports whether the emitter must write it. Then a scratch tile may not be missing, and
// each attribute must have a value other than its default.
func (f *function) complete(op *ir.Op, parts []part, special bool) bool {
	for i := range parts {
		switch p := &parts[i]; p.kind {
		case operandHole, typeHole, elemHole:
			if from, to := op.ArgRange(p.arg); from == to && (special || !p.scratch) {
				return false
			}
		case attrHole:
			a := op.Attr(p.text)
			if a.IsZero() && p.absent == "" || special && a == p.attr.Default {
				return false
			}
		}
	}
	return true
}

// place declares the C++ tile variables that a call template needs in addition to the
// operands of op. There are two reasons: the template needs a scratch tile that op does
// not have, or it needs an operand as a tile of another C++ type. In the second case, the
// variable has the storage of the operand. parts are the elements of the template.
func (f *function) place(op *ir.Op, parts []part) {
	f.placeholder = ""
	clear(f.aliases)
	for i := range parts {
		p := &parts[i]
		if p.kind != operandHole {
			continue
		}
		switch from, to := op.ArgRange(p.arg); {
		case from == to && p.scratch:
			f.makePlaceholder(op)
		case from < to && p.as >= 0:
			f.makeAlias(op, p)
		}
	}
}

// makeAlias declares a C++ tile with the storage of one operand and the C++ type of
// another operand, if their types differ. The call template part p identifies both
// operands. Some library calls need this, because the library deduces one template
// parameter from the types of both operands.
func (f *function) makeAlias(op *ir.Op, p *part) {
	from, _ := op.ArgRange(p.arg)
	like, _ := op.ArgRange(p.as)
	v, w := op.Operand(from), op.Operand(like)
	if f.typeOf(v) == f.typeOf(w) {
		return
	}
	if !f.sameLines(v, w) {
		f.errorf(op, "requires \"%s\" and \"%s\" to have the same C++ type, but their types differ in the memory layout: %s and %s",
			op.Form().Operands[p.arg].Name, op.Form().Operands[p.as].Name, f.typeOf(v), f.typeOf(w))
		return
	}
	if f.aliases == nil {
		f.aliases = map[int]string{}
	}
	name := f.unique(f.value(v) + "_as")
	f.aliases[p.arg] = name
	t, _ := pto.TileOf(w.Type())
	f.line(f.typeOf(w), " ", name, f.validArgs(t, f.value(v)), ";")
	f.line("TASSIGN(", name, ", ", f.addressOfTile(v), ");")
}

// sameLines reports whether the tiles v and w have the same layout in memory. It ignores
// their valid regions.
func (f *function) sameLines(v, w *ir.Value) bool {
	a, _ := pto.TileOf(v.Type())
	b, _ := pto.TileOf(w.Type())
	a, b = f.storage(v, a), f.storage(w, b)
	a.VRows, a.VCols, a.Pad, a.Compact = b.VRows, b.VCols, b.Pad, b.Compact
	return a == b
}

// validArgs returns the constructor arguments that set the valid region of a C++ tile
// variable of type t. The string in the second parameter is the name of another C++ tile
// variable with the same valid region. There is one argument for each extent that is
// dynamic in the type t.
func (f *function) validArgs(t pto.TileInfo, of string) string {
	var args []string
	if isOpen(t.VRows) {
		args = append(args, of+".GetValidRow()")
	}
	if isOpen(t.VCols) {
		args = append(args, of+".GetValidCol()")
	}
	return arguments(args)
}

// fill writes a call template, whose elements are in the parameter parts. It replaces the
// placeholders in the template by operands and attributes of op.
func (f *function) fill(op *ir.Op, parts []part) {
	for i := range parts {
		p := &parts[i]
		switch p.kind {
		case plainText:
			f.text(p.text)
		case optionalGroup:
			if f.complete(op, p.group, true) {
				f.fill(op, p.group)
			}
		case attrHole:
			f.attribute(op, p)
		case operandHole:
			f.operands(op, p)
		case barrierHole:
			if f.opts.Target != sem.A5 {
				f.text("pipe_barrier(PIPE_V); ")
			}
		case typeHole, elemHole:
			f.b = append(f.b, f.typeOfArg(op, p)...)
		}
	}
}

// text appends s, the literal text of a call template, to the C++ code. The code may
// already lack optional elements next to s. text then removes the comma or the empty
// angle brackets that belonged to these elements.
func (f *function) text(s string) {
	last := f.b[len(f.b)-1]
	switch {
	case strings.HasPrefix(s, ", ") && (last == '<' || last == '('):
		s = s[2:]
	case s[0] == '>' && last == '<':
		f.b, s = f.b[:len(f.b)-1], s[1:]
	case (s[0] == ')' || s[0] == '>') && bytes.HasSuffix(f.b, []byte(", ")):
		f.b = f.b[:len(f.b)-2]
	}
	f.b = append(f.b, s...)
}

// operands writes the C++ expressions for the operands that belong to the argument p,
// separated by commas. If op has no operand for this argument, it writes f.placeholder
// instead.
func (f *function) operands(op *ir.Op, p *part) {
	from, to := op.ArgRange(p.arg)
	if from == to {
		f.b = append(f.b, f.placeholder...)
	}
	if name := f.aliases[p.arg]; from < to && p.as >= 0 && name != "" {
		f.b = append(f.b, name...)
		return
	}
	for i := from; i < to; i++ {
		if i > from {
			f.b = append(f.b, ", "...)
		}
		f.b = append(f.b, f.converted(op, p, op.Operand(i))...)
	}
}

// converted returns the C++ expression for the operand v of argument p. C++ converts
// scalars to the element type of the library's parameter, except between the two floats of
// 16 bits, so converted writes this conversion.
func (f *function) converted(op *ir.Op, p *part, v *ir.Value) string {
	text := f.value(v)
	arg, ok := op.Form().Operands[p.arg].Type.(interface{ Follows() string })
	if !ok || pto.IsTile(v.Type()) {
		return text
	}
	tile := op.Arg(arg.Follows())
	if tile == nil {
		return text
	}
	halves, eighths := pto.F16|pto.BF16, pto.F8E4M3|pto.F8E5M2
	elem := ir.ElementType(tile.Type())
	if elem != v.Type() && eighths.Has(v.Type()) {
		f.errorf(op, "has a scalar of type %s and tiles of %s, but C++ does not convert 8-bit floats", v.Type(), elem)
		return ""
	}
	if elem != v.Type() && halves.Has(elem) && halves.Has(v.Type()) {
		return "(" + elemType(elem) + ")(float)" + text
	}
	return text
}

// typeOfArg returns the C++ types of the operands that belong to one argument, separated
// by commas. p is an element of a call template, the text of a library call with
// placeholders. It identifies the argument. If the kind of p is elemHole, a placeholder
// for an element type, the result contains the element types of the operands instead. If
// op has no operand for the argument, typeOfArg returns the text that is used for a
// missing type.
func (f *function) typeOfArg(op *ir.Op, p *part) string {
	from, to := op.ArgRange(p.arg)
	if from == to {
		return f.placeholderType
	}
	var all []string
	for i := from; i < to; i++ {
		if v := op.Operand(i); p.kind == elemHole {
			all = append(all, elemType(ir.ElementType(v.Type())))
		} else {
			all = append(all, f.typeOf(v))
		}
	}
	return strings.Join(all, ", ")
}

// attribute writes the C++ argument for an attribute of op: a keyword, a number or a
// boolean. p is the placeholder for the attribute in the call template of the
// instruction. It contains the name of the attribute (p.text), the form in which the
// value is written (p.form), a prefix, and the text for an absent attribute.
func (f *function) attribute(op *ir.Op, p *part) {
	a := op.Attr(p.text)
	word := a.Keyword()
	if a.IsZero() {
		word = p.absent
	} else if word == "" {
		if yes, ok := a.AsBool(); ok {
			word = strconv.FormatBool(yes)
			if p.form == '#' {
				word = map[bool]string{false: "0", true: "1"}[yes]
			}
		} else if n, ok := a.AsInt(); ok {
			word = strconv.FormatInt(n, 10)
		} else {
			word, _ = a.AsString()
		}
	}
	f.b = append(f.b, p.written(word)...)
}

// written returns the C++ text for the value of an attribute: the word in the form that
// the placeholder p selects, with its prefix.
func (p *part) written(word string) string {
	switch p.form {
	case '^':
		word = strings.ToUpper(word)
	case '~':
		word = mixedCase(word)
	case '%':
		word = capitalized(word)
	}
	if !strings.HasPrefix(word, p.prefix) {
		word = p.prefix + word
	}
	return word
}

// capitalized returns a name in which the first letter of each part is in upper case.
// Underscores separate the parts. For example, width8_precision4 becomes
// Width8_Precision4.
func capitalized(words string) string {
	list := strings.Split(words, "_")
	for i, w := range list {
		list[i] = mixedCase(w)
	}
	return strings.Join(list, "_")
}

// makePlaceholder declares a C++ scratch tile for an instruction without one, because the
// library function requires the argument. The tile has no address, as in the code of the
// public compiler. If the instruction needs its scratch tile on this target,
// makePlaceholder adds a warning: an earlier pass should have added a tile, but found no
// free memory for it.
func (f *function) makePlaceholder(op *ir.Op) {
	t, required, missing := pto.MissingScratch(op, f.opts.Target)
	if missing && required {
		f.diags.Add(ir.Warning, op.Loc(), "'"+op.Name()+"' op needs a scratch tile, but no address was free for it; the C++ code declares one without an address").
			Note(op.Loc(), "add the operand \"tmp\", or leave memory for a scratch tile free")
	} else {
		elem := f.destination(op)
		t = pto.TileInfo{Space: pto.SpaceOf(elem), Elem: ir.ElementType(elem), Rows: 1, BLayout: pto.RowMajor, Fractal: pto.DefaultFractal}
		t.Cols = int64(32 / max(1, pto.ByteSize(t.Elem)))
		t.VRows, t.VCols = t.Rows, t.Cols
	}
	f.placeholder, f.placeholderType = f.unique("tmp"), f.tileType(t)
	f.line(f.placeholderType, " ", f.placeholder, ";")
}

// destination returns the type of the first tile that op writes.
func (f *function) destination(op *ir.Op) ir.Type {
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); a.Role == ir.Out && from < to && pto.IsTile(op.Operand(from).Type()) {
			return op.Operand(from).Type()
		}
	}
	return op.Operand(0).Type()
}
