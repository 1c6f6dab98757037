// This file converts vector micro-instructions of A5, which kernels call without the library
// between __VEC_SCOPE__ and the end of the block.

package cpp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// vectorWords are the names that select variants of vector instructions, in addition to the
// values of the attributes dist and pattern.
var vectorWords = list(`MODE_ZEROING MODE_MERGING POST_UPDATE RS_ENABLE RS_DISABLE INC_ORDER DEC_ORDER POS_LOWEST POS_HIGHEST LOWER HIGHER
	ROUND_R ROUND_A ROUND_F ROUND_C ROUND_Z ROUND_O ROUND_H PART_EVEN PART_ODD PART_P0 PART_P1 PART_P2 PART_P3
	ONEPT_B8 ONEPT_B16 ONEPT_B32`)

// renamedWords are words whose attribute has another value.
var renamedWords = map[string]string{"INC_ORDER": "ASC", "DEC_ORDER": "DESC", "POS_LOWEST": "LOWEST", "POS_HIGHEST": "HIGHEST",
	"ONEPT_B8": "1PT_B8", "ONEPT_B16": "1PT_B16", "ONEPT_B32": "1PT_B32"}

// memoryBarriers are the orders of mem_bar by their number in the header.
var memoryBarriers = list("VV_ALL VST_VLD VLD_VST VST_VST VS_ALL VST_LD VLD_ST VST_ST SV_ALL ST_VLD LD_VST ST_VST SS_ALL ST_LD LD_ST ST_ST")

var quotedWord = pattern.Of(`"([A-Z][A-Z0-9_]*)"`)

// vectorHeader returns the C++ text with the words that select variants, and the names of the
// instructions on vector registers: those with a register as result, with two, with a mask, and
// those that have no counterpart yet.
func vectorHeader() string {
	words := slices.Clone(vectorWords)
	var names strings.Builder
	for _, d := range pto.Dialect.All() {
		name, info := strings.TrimPrefix(d.Name, "pto."), pto.InfoOf(d)
		if info == nil || info.Group != "vector" && info.Group != "predicate" || strings.ContainsAny(name, ".") || strings.ToLower(name) != name {
			continue
		}
		for _, a := range d.Attrs {
			if a.Name == "dist" || a.Name == "pattern" {
				for _, m := range quotedWord().FindAllStringSubmatch(a.Type.WantAttr(), -1) {
					words = append(words, m[1])
				}
			}
		}
		f := d.Forms[0]
		results := slices.DeleteFunc(slices.Clone(f.Results), func(r ir.Arg) bool { return r.Arity != ir.One })
		register := len(f.Operands) > 0 && slices.Contains(list("input src0 src lhs acc scalar value index src1"), f.Operands[0].Name)
		switch {
		case name == "vector_dup" || slices.Contains(writtenVectors, name):
		case info.Group == "predicate":
			if slices.Contains(list("pand por pxor pnot psel pmov"), name) {
				names.WriteString("PTOGO_MASK(" + name + ")\n")
			}
		case name[0] != 'v':
		case name == "vmadd":
			names.WriteString("PTOGO_MISSING(" + name + ")\n")
		case register && len(results) == 1:
			names.WriteString("PTOGO_LANES(" + name + ")\n")
		case register && len(results) == 2 && results[0].Name == "low":
			names.WriteString("PTOGO_PAIR_OF_LANES(" + name + ")\n")
		default:
			names.WriteString("PTOGO_MISSING(" + name + ")\n")
		}
	}
	slices.Sort(words)
	var b strings.Builder
	for _, w := range slices.Compact(words) {
		b.WriteString("PTOGO_WORD(" + w + ")\n")
	}
	return b.String() + names.String()
}

// writtenVectors are the instructions that the header itself defines, and those that it calls
// for others.
var writtenVectors = list("vlds vldsx2 vsts vstsx2 vldas vldus vcmp vcmps vbitcast vmula vaxpy")

// laneType returns the type of a result of a vector instruction by its kind in the header, or
// "".
func laneType(kind int64) string {
	switch e := elements[kind]; {
	case kind == -1:
		return "!pto.align"
	case kind < 0:
		return "!pto.mask<b" + strconv.FormatInt(-kind, 10) + ">"
	case e.name != "" && e.bytes > 0:
		return "!pto.vreg<" + strconv.FormatInt(256/e.bytes, 10) + "x" + e.name + ">"
	}
	return ""
}

// registerType returns the type of v if it is a register, a mask or the state of an unaligned
// access, and "" otherwise.
func (f *function) registerType(v *llir.Value) string {
	if typ, known := f.registers[v]; known {
		return typ
	}
	typ := ""
	switch {
	case v.Type == nil || v.Type.Kind != llir.Int || v.Type.Bits != 64:
		return ""
	case v.Op == "call" && (v.Pred == "ptogo_vector" || v.Pred == "ptogo_second"):
		typ = laneType(f.literal(v, 0))
	case v.Op == "phi" || v.Op == "select" || v.Op == "freeze":
		f.registers[v] = "" // a value that depends on itself has the type of the others
		for _, a := range v.Args {
			if typ = f.registerType(a); typ != "" {
				break
			}
		}
		if typ == "" {
			delete(f.registers, v)
			return ""
		}
	default:
		return ""
	}
	f.registers[v] = typ
	return typ
}

// lane collects an operand of a vector instruction: a register, a mask, the state of an
// unaligned access, or a pointer into the unified buffer.
func (f *function) lane(v *llir.Value, word string) {
	c := f.callAt(v)
	x := v.Args[len(v.Args)-1]
	if word == "local_pointer" {
		elem := f.literal(v, 0)
		name, typ := f.scalarPointer(v, x, f.pointer(x), elem)
		c.args = append(c.args, argument{kind: laneArgument, name: name, typ: typ, elem: elem})
		return
	}
	typ := f.registerType(x)
	if typ == "" {
		f.failf(v, "a register that is in an array, or that the kernel has not written before, is not supported")
	}
	a := argument{kind: laneArgument, name: f.value(x), typ: typ}
	if word == "register" {
		a.elem = f.literal(v, 0)
		if want := laneType(a.elem); want != typ { // a register of one type that C++ reads as another
			cast := f.fresh("bits")
			f.line(v, "%s = pto.vbitcast %s : %s -> %s", cast, a.name, typ, want)
			a.name, a.typ = cast, want
		}
	}
	c.args = append(c.args, a)
}

// vector converts a complete call of a vector instruction. The result of ptogo_vector is the
// first result of the instruction.
func (f *function) vector(v *llir.Value, c *libraryCall, results bool) {
	def := ir.Lookup("pto." + c.name)
	if def == nil {
		f.failf(v, "'%s' has no counterpart in PTO yet", c.name)
	}
	form := def.Forms[0]
	elem := int64(0)
	if results && f.literal(v, 0) > 0 {
		elem = f.literal(v, 0)
	}
	var attrs []string
	var given []argument
	for _, a := range c.args {
		if a.kind == otherArgument {
			attrs = append(attrs, f.vectorWord(v, c.name, def, a.word)...)
			continue
		}
		if elem == 0 && a.kind == laneArgument && a.elem > 0 || a.kind == laneArgument && strings.HasPrefix(a.typ, "!pto.vreg") && len(given) == 0 && c.name != "vsts" {
			elem = a.elem
		}
		given = append(given, a)
	}
	var names, types, outs, outTypes, segments []string
	for _, o := range form.Operands {
		if o.Arity != ir.One {
			segments = append(segments, "0")
			continue
		}
		segments = append(segments, "1")
		if len(given) == 0 {
			f.failf(v, "this call of %s has too few arguments", c.name)
		}
		a := f.vectorOperand(v, c, o, given[0], elem)
		names, types, given = append(names, a.name), append(types, a.typ), given[1:]
	}
	if len(given) > 0 {
		f.failf(v, "this call of %s has too many arguments", c.name)
	}
	if len(segments) > len(names) {
		attrs = append(attrs, "operandSegmentSizes = array<i32: "+strings.Join(segments, ", ")+">")
	}
	segments = nil
	for _, r := range form.Results {
		if r.Arity != ir.One {
			segments = append(segments, "0")
			continue
		}
		segments = append(segments, "1")
		typ := ""
		switch {
		case strings.Contains(r.Name, "align"):
			typ = laneType(-1)
		case r.Name == "scalar_out":
			typ = "i32"
		case f.literal(v, 0) == 0: // a mask like the first operand
			typ = types[0]
		default:
			typ = laneType(f.literal(v, 0))
		}
		outs, outTypes = append(outs, f.fresh(c.name)), append(outTypes, typ)
	}
	if len(segments) > len(outs) {
		attrs = append(attrs, "resultSegmentSizes = array<i32: "+strings.Join(segments, ", ")+">")
	}
	text := strconv.Quote(def.Name) + "(" + strings.Join(names, ", ") + ")"
	if len(attrs) > 0 {
		text += " <{" + strings.Join(attrs, ", ") + "}>"
	}
	if len(outs) > 0 {
		text = strings.Join(outs, ", ") + " = " + text
		f.names[v], f.registers[v] = outs[0], outTypes[0]
		f.second = outs[len(outs)-1]
	}
	f.line(v, "%s : (%s) -> (%s)", text, strings.Join(types, ", "), strings.Join(outTypes, ", "))
}

// vectorOperand returns an argument as the operand o of the instruction, whose lanes have the
// element type elem.
func (f *function) vectorOperand(v *llir.Value, c *libraryCall, o ir.Arg, a argument, elem int64) argument {
	switch {
	case a.kind == laneArgument && strings.HasPrefix(a.typ, "!pto.mask"):
		if want := laneType(-8 * elements[elem].bytes); elem > 0 && a.typ != want && c.name != "vsts" && c.name != "vstsx2" {
			f.failf(v, "%s has lanes of %d bits and the mask of lanes of other bits (%s)", c.name, 8*elements[elem].bytes, a.typ)
		}
		return a
	case a.kind == laneArgument:
		return a
	case slices.Contains(list("offset increment"), o.Name):
		return argument{name: f.index(v, a.v, false), typ: "index"}
	case strings.HasPrefix(c.name, "plt_"):
		name, typ := f.asType(v, a, 32)
		return argument{name: name, typ: typ}
	case slices.Contains(list("vshls vshrs"), c.name):
		name, typ := f.asType(v, a, 16)
		return argument{name: name, typ: typ}
	}
	return f.scalarAs(v, a, elements[elem].name)
}

// vectorWord returns the attribute that a word selects.
func (f *function) vectorWord(v *llir.Value, name string, def *ir.Def, word string) []string {
	for _, a := range def.Attrs {
		for _, text := range []string{word, renamedWords[word]} {
			value := ir.Str(text)
			if s, ok := a.Type.(interface{ Canonical(ir.Attr) ir.Attr }); ok {
				value = s.Canonical(value)
			}
			if text != "" && a.Type.CheckAttr(value) {
				return []string{a.Name + " = " + value.String()}
			}
		}
	}
	if word != "MODE_ZEROING" && word != "NORM" && word != "RS_DISABLE" {
		f.failf(v, "%s with %s has no counterpart in PTO yet", name, word)
	}
	return nil
}

// vectorScope converts the start or the end of a __VEC_SCOPE__. Numbers that are computed in
// it and used after it move before it, since a region hides its values.
func (f *function) vectorScope(v *llir.Value, end bool) {
	if !end {
		if f.scope != 0 {
			f.failf(v, "a __VEC_SCOPE__ is within another")
		}
		f.line(v, "pto.vecscope {")
		f.depth++
		f.scope = len(f.out)
		return
	}
	if f.scope == 0 {
		f.failf(v, "a __VEC_SCOPE__ ends on another path than it starts")
	}
	f.depth--
	f.line(v, "}")
	before := f.scope - 1
	moved, kept := hoisted(f.out[f.scope : len(f.out)-1])
	lines := slices.Concat(moved, f.out[before:before+1], kept, f.out[len(f.out)-1:])
	copy(f.out[before:], lines)
	f.scope = 0
}

var (
	pureLine   = pattern.Of(`^ *(%[A-Za-z0-9_]+) = (?:arith\.|pto\.castptr |pto\.addptr )`)
	resultLine = pattern.Of(`^ *(%[A-Za-z0-9_:, %]+?) = `)
	usedName   = pattern.Of(`%[A-Za-z0-9_]+`)
)

// hoisted divides the lines of a region into those that compute numbers of values outside of
// it, and the others.
func hoisted(lines []string) (moved, kept []string) {
	inside := map[string]bool{}
	depth := 0
	for _, l := range lines {
		text := strings.TrimSpace(l)
		if strings.HasPrefix(text, "}") {
			depth--
		}
		uses := usedName().FindAllString(text, -1)
		if m := pureLine().FindStringSubmatch(l); m != nil && depth == 0 && !slices.ContainsFunc(uses, func(u string) bool { return inside[u] }) {
			moved = append(moved, l)
			continue
		}
		if m := resultLine().FindStringSubmatch(l); m != nil {
			for _, name := range usedName().FindAllString(m[1], -1) {
				inside[name] = true
			}
		}
		if strings.HasSuffix(text, "{") {
			for _, u := range uses { // the arguments of the region
				inside[u] = true
			}
			depth++
		}
		kept = append(kept, l)
	}
	return moved, kept
}

// memoryBarrier converts mem_bar.
func (f *function) memoryBarrier(v *llir.Value) {
	n := f.literal(v, 0)
	if n < 0 || n >= int64(len(memoryBarriers)) {
		f.failf(v, "mem_bar has an unknown order")
	}
	f.line(v, "pto.mem_bar %s", fmt.Sprintf("%q", memoryBarriers[n]))
}
