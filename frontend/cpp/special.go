// This file converts library calls that have no call template, or several instructions.

package cpp

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/ir"
)

// special converts the calls that need more than a call template. It reports whether c is
// one of them.
func (f *function) special(v *llir.Value, c *libraryCall) bool {
	if f.convolution(v, c) {
		return true
	}
	switch c.name {
	case "comm.TNOTIFY", "comm.TWAIT", "comm.TPUT", "comm.TGET":
		f.communicate(v, c)
		return true
	case "comm.TBROADCAST", "comm.TGATHER", "comm.TSCATTER", "comm.TREDUCE":
		f.collective(v, c)
		return true
	case "TLOAD":
		if len(c.types) == 1 && c.types[0].word == "NotAllocKeep" && len(c.args) == 2 {
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1]}, "cache_policy = #pto.load_cache_policy<l2_bypass>")
			return true
		}
	case "TQUANT":
		grouped := func(t argument) bool { return t.enum == "MxQuantAlg" || strings.HasPrefix(t.word, "MXFP") }
		if slices.ContainsFunc(c.types, grouped) {
			f.quantizeGroups(v, c)
			return true
		}
	case "TROWARGMAX", "TROWARGMIN", "TCOLARGMAX", "TCOLARGMIN":
		if len(c.args) == 4 {
			f.valueAndIndex(v, c)
			return true
		}
	case "TAND", "TOR":
		f.asBits(c) // and go on
	case "TADDC", "TSUBC", "TADDSC", "TSUBSC": // the headers for devices lack them, but programs for them have two calls
		if a := c.args; len(a) == 4 && strings.HasSuffix(c.name, "SC") {
			f.named(v, c.name, map[string]argument{"dst": a[0], "src0": a[1], "scalar": a[2], "src1": a[3]})
			return true
		} else if len(a) == 4 {
			f.named(v, c.name, map[string]argument{"dst": a[0], "src0": a[1], "src1": a[2], "src2": a[3]})
			return true
		}
	case "TCONCAT":
		if len(c.args) == 6 {
			f.concatCounting(v, c)
			return true
		}
	case "TINSERT":
		f.wholeBoxes(c) // and go on
	case "TEXTRACT":
		if a := c.args; len(a) >= 3 && inVec(&a[0]) && inVec(&a[1]) && inVec(&a[2]) { // two windows, sorted into boxes
			window := func(dst argument, at int) {
				at = min(at, len(a))
				f.instruction(v, &libraryCall{name: c.name, args: slices.Concat([]argument{dst, a[2]}, a[at:min(at+2, len(a))]), block: c.block})
			}
			window(a[0], 3)
			if !sameWindow(a) {
				window(a[1], 5)
			}
			return true
		}
	case "TGATHER", "TSCATTER":
		if len(c.args) == 2 {
			f.byPattern(v, c)
			return true
		}
	case "TTRANS":
		if len(c.args) == 3 && f.target == sem.A5 {
			f.drop(c.args[2]) // the headers of A5 do not use tmp
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1]})
			return true
		}
	case "TMATMUL_ACC", "TGEMV_ACC":
		if len(c.args) == 3 { // adds to the accumulator
			c.args = slices.Insert(c.args, 1, c.args[0])
		}
	case "SYNCALL":
		f.syncAll(v, c)
		return true
	case "TPRINT":
		if a := c.args; len(a) > 0 && (a[0].kind == tileArgument || a[0].kind == viewArgument) {
			f.line(v, "pto.tprint ins(%s : %s)", a[0].name, a[0].typ) // a second argument is memory for the text
			return true
		}
	case "TRANDOM":
		if len(c.args) == 7 && len(c.types) == 1 && c.types[0].v != nil && c.types[0].v.Op == "int" {
			operands := map[string]argument{"dst": c.args[0]}
			for i, name := range list("key0 key1 counter0 counter1 counter2 counter3") {
				operands[name] = c.args[i+1]
			}
			f.named(v, c.name, operands, fmt.Sprintf("rounds = %d : i32", c.types[0].v.Int))
			return true
		}
	case "TPOW", "TPOWS":
		if n := len(c.args); n == 4 && c.args[0].kind == tileArgument && strings.Contains(elements[c.args[0].elem].name, "i") {
			f.drop(c.args[3]) // the library ignores tmp for integers, and PTO has no operand for it
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "base": c.args[1], "exp": c.args[2], "src": c.args[1], "scalar": c.args[2]})
			return true
		}
	}
	return false
}

// concatCounting converts TCONCAT with a tile for the lengths of the rows of dst: the sums of the
// lengths of the sources, in bytes of an index, and at most the length of dst.
func (f *function) concatCounting(v *llir.Value, c *libraryCall) {
	dst, total := c.args[0], c.args[3]
	if dst.tile == nil || total.tile == nil || dst.tile.validCols < 0 {
		f.failf(v, "TCONCAT with lengths of rows needs constant valid columns")
	}
	firstColumn := func(a argument) argument {
		t := *a.tile
		t.validCols = 1
		return f.allocated(a.from, t)
	}
	f.instruction(v, &libraryCall{name: c.name, args: []argument{dst, c.args[1], c.args[2], c.args[4], c.args[5]}, block: c.block})
	sum := firstColumn(total)
	f.named(v, "TADD", map[string]argument{"dst": sum, "src0": firstColumn(c.args[4]), "src1": firstColumn(c.args[5])})
	most := &llir.Value{Op: "int", Int: dst.tile.validCols * elements[total.elem].bytes, Type: &llir.Type{Kind: llir.Int, Bits: 64}}
	f.line(v, "pto.barrier <PIPE_V>")
	f.named(v, "TMINS", map[string]argument{"dst": sum, "src": sum, "scalar": {kind: intArgument, v: most, elem: total.elem}})
}

// wholeBoxes extends the valid rows of the source of a TINSERT in a split mode to complete boxes,
// all of whose rows the headers copy.
func (f *function) wholeBoxes(c *libraryCall) {
	split := slices.ContainsFunc(c.types, func(t argument) bool { return strings.HasPrefix(t.word, "SPLIT") })
	if !split || len(c.args) < 2 || c.args[1].tile == nil {
		return
	}
	const rows = 16
	a, t := c.args[1], *c.args[1].tile
	if t.validRows > 0 && t.validRows%rows != 0 && (t.validRows+rows-1)/rows*rows <= t.rows {
		t.validRows = (t.validRows + rows - 1) / rows * rows
		f.drop(a)
		c.args[1] = f.allocated(a.from, t)
	}
}

// sameWindow reports whether the arguments of TEXTRACT, two destinations, a source and two
// places in it, describe one window twice: the library has this function for two windows only.
func sameWindow(a []argument) bool {
	same := func(x, y *llir.Value) bool { return x == y || x.Op == "int" && y.IsConst(x.Int) }
	return len(a) == 7 && a[0].typ == a[1].typ && slices.EqualFunc(a[0].from.Args[11:14], a[1].from.Args[11:14], same) && same(a[3].v, a[5].v) && same(a[4].v, a[6].v)
}

// asBits replaces tiles of floats by tiles of integers at the same addresses, for instructions
// of which the headers process the bits of elements of any type.
func (f *function) asBits(c *libraryCall) {
	const signed = 100 // plus the number of bits: the number of a signed integer
	for i, a := range c.args {
		if a.tile == nil || a.exceeds || !isFloat(a.tile.elem) {
			continue
		}
		t := *a.tile
		t.elem = signed + 8*elements[t.elem].bytes
		f.drop(a)
		c.args[i] = f.allocated(a.from, t)
	}
}

// isFloat reports whether elem is the number of f32, f16 or bf16.
func isFloat(elem int64) bool { return elem >= 1 && elem <= 3 }

// syncAllWords is the number of words in global memory that a barrier of all cores uses at
// least.
const syncAllWords = 16

// syncAll converts SYNCALL: a barrier of all cores of a type, with words in global memory
// and a number of cores in soft mode.
func (f *function) syncAll(v *llir.Value, c *libraryCall) {
	mode, cores := "hard", "aiv_only"
	for _, t := range c.types {
		switch t.word {
		case "Hard", "Soft":
			mode = strings.ToLower(t.word)
		case "AIVOnly", "AICOnly", "Mix":
			cores = strings.ToLower(strings.Replace(t.word, "Only", "_only", 1))
		}
	}
	var names, types []string
	for _, a := range c.args {
		switch {
		case a.kind == intArgument:
			a.name, a.typ = f.asType(v, a, 32)
		case a.kind == viewArgument: // of which the library uses the address alone
			f.drop(a)
			one := &llir.Value{Op: "int", Int: 1, Type: a.from.Args[3].Type}
			words := &llir.Value{Op: "int", Int: syncAllWords, Type: a.from.Args[3].Type}
			a = f.viewOf(a.from, []*llir.Value{one, one, one, one, words}, []*llir.Value{words, words, words, words, one})
		}
		names, types = append(names, a.name), append(types, a.typ)
	}
	if (mode == "soft") != (len(names) > 0) || slices.Contains(names, "") {
		f.failf(v, "this call of SYNCALL has no counterpart in PTO yet")
	}
	operands := "()"
	if len(names) > 0 {
		operands = "(" + strings.Join(names, ", ") + " : " + strings.Join(types, ", ") + ")"
	}
	f.line(v, "pto.syncall%s mode = #pto.sync_all_mode<%s>, core_type = #pto.sync_core_type<%s>", operands, mode, cores)
}

// productMode converts SetMadTF32Mode and ResetMadMode, which select how products round their
// operands of f32: to 11 bits of fraction on A2 and A3, and to 10 bits on A5.
func (f *function) productMode(v *llir.Value) {
	op := "sethf32mode"
	if f.target == sem.A5 {
		op = "settf32mode"
	}
	if f.literal(v, 0) == 0 {
		f.line(v, "pto.%s {enable = false}", op)
		return
	}
	mode := "ROUND"
	_, word := enumerator(int64(slices.IndexFunc(enums, func(e enum) bool { return e.name == "RoundMode" })), f.literal(v, 1))
	switch {
	case word == "CAST_RINT" && f.target != sem.A5:
		mode = "RINT"
	case word != "CAST_RINT" && (word != "CAST_ROUND" || f.target == sem.A5): // tf32 of PTO rounds ties to even
		f.failf(v, "SetMadTF32Mode with pto::RoundMode::%s has no counterpart in PTO yet", word)
	}
	f.line(v, "pto.%s {mode = #pto<round_mode %s>}", op, mode)
}

// valueAndIndex converts a reduction that returns the extreme values and their positions:
// one instruction for each.
func (f *function) valueAndIndex(v *llir.Value, c *libraryCall) {
	value := []argument{c.args[0], c.args[2], c.args[3]}
	if strings.HasPrefix(c.name, "TCOL") {
		value = value[:2]
	}
	f.instruction(v, &libraryCall{name: strings.Replace(c.name, "ARG", "", 1), args: value, block: c.block})
	f.instruction(v, &libraryCall{name: c.name, args: []argument{c.args[1], c.args[2], c.args[3]}, block: c.block})
}

// named converts a call to the instruction whose name it has, with operands by their names.
func (f *function) named(v *llir.Value, name string, operands map[string]argument, attrs ...string) {
	def := ir.Lookup("pto." + strings.ToLower(name))
	b := &bound{def: def, form: def.Form(ir.DPS), attrs: attrs}
	b.operands = make([][]argument, len(b.form.Operands))
	for i, o := range b.form.Operands {
		if a, ok := operands[o.Name]; ok {
			b.operands[i] = []argument{a}
		}
	}
	f.write(v, b)
}

// byPattern converts TGATHER and TSCATTER with a pattern, along rows or columns.
func (f *function) byPattern(v *llir.Value, c *libraryCall) {
	pattern, axis := patternOf(c)
	attrs := []string{"maskPattern = #pto.mask_pattern<" + pattern + ">"}
	if axis != "" {
		attrs = append(attrs, `axis = "`+axis+`"`)
	}
	f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1]}, attrs...)
}

// patternOf returns the pattern of a TGATHER or TSCATTER, and its axis, row or col, or "".
func patternOf(c *libraryCall) (pattern, axis string) {
	pattern = "P1111"
	for _, t := range c.types {
		switch {
		case t.enum == "MaskPattern":
			pattern = t.word
		case strings.HasSuffix(t.word, "_COL"):
			axis = "col"
		case c.name == "TSCATTER" && strings.HasSuffix(t.word, "_ROW"):
			axis = "row"
		}
	}
	return pattern, axis
}
