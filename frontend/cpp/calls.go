// This file converts library calls, by the call templates of package codegen/cpp.

package cpp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	cppout "ptogo/codegen/cpp"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/frontend/llir"
	"ptogo/ir"
)

// libraryCall is a call of a tile instruction: its template arguments and its arguments.
type libraryCall struct {
	name        string
	types, args []argument
	block       *llir.Block
	// pointer reports that the next argument is a pointer to a tile.
	pointer bool
}

// pipeNames are the pipes by their number in the header.
var pipeNames = list("PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_ALL PIPE_MTE4 PIPE_MTE5 PIPE_V2 PIPE_FIX")

// pipe returns the name of the pipe in argument i of a call.
func (f *function) pipe(v *llir.Value, i int) string {
	n := f.literal(v, i)
	if n < 0 || n >= int64(len(pipeNames)) {
		f.failf(v, "an unknown pipe is used")
	}
	return pipeNames[n]
}

// arity is the number of arguments of the functions that the header declares.
var arity = map[string]int{
	"place": 0, "mad_mode": 2, "session": 2, "async": 1, "await": 3, "begin": 1, "end": 0, "type_argument": 0, "enum_argument": 2, "int_argument": 1, "tile": 14, "view": 13, "int": 2, "f32": 1, "f16": 1, "bf16": 1, "enum": 2, "other": 1, "pointer": 0, "test": 0,
	"get_int": 1, "get_f32": 1, "get_f16": 1, "get_bf16": 1, "set": 1, "load_dev": 2, "store_dev": 3, "set_flag": 3, "wait_flag": 3, "new_event": 2, "barrier": 1, "get_buf": 3, "rls_buf": 3,
	"register": 2, "mask": 1, "align": 1, "local_pointer": 2, "vector": 1, "second": 1, "vector_end": 0, "mem_bar": 1, "scope": 1,
	"dsb": 1, "dcci": 3, "plain": 1, "copy": 10, "fill_l1": 4, "signal": 3, "ignored": 2, "missing": 1, "pipe": 9, "push": 2, "pop": 2, "free": 2, "slot": 4, "conv": 13, "patches": 17,
}

// protocol converts a call of a function that the header declares.
func (f *function) protocol(v *llir.Value) {
	word, own := strings.CutPrefix(v.Pred, "ptogo_")
	if v.Pred == llir.InlineAssembly {
		f.assembly(v)
		return
	}
	switch v.Pred {
	case "printf":
		f.print(v)
		return
	case "puts", "putchar":
		f.printText(v)
		return
	}
	if slices.ContainsFunc(f.m.Functions, func(k *llir.Function) bool { return k.Symbol == v.Pred }) {
		f.failf(v, "a kernel calls the kernel '%s'; move what they share to a function without __global__", PlainName(v.Pred))
	}
	if !own {
		f.failf(v, "function '%s' has no definition in this file, and is not a function of the library that ptogo reads", PlainName(v.Pred))
	}
	if want, known := arity[word]; known && len(v.Args) != want {
		f.failf(v, "a call of '%s' has %d arguments", v.Pred, len(v.Args))
	}
	switch word {
	case "place":
		f.place(v)
	case "mad_mode":
		f.productMode(v)
	case "session":
		f.session(v)
	case "async":
		f.asyncCopy(v)
	case "await":
		f.await(v)
	case "begin":
		name := f.m.Strings[v.Args[0].Name]
		f.call = &libraryCall{name: name, block: v.Block}
	case "type_argument", "enum_argument", "int_argument", "tile", "conv", "view", "int", "f32", "f16", "bf16", "enum", "other":
		f.argument(v, word)
	case "pointer":
		f.callAt(v).pointer = true
	case "register", "mask", "align", "local_pointer":
		f.lane(v, word)
	case "vector", "vector_end":
		c := f.callAt(v)
		f.call = nil
		f.vector(v, c, word == "vector")
	case "second":
		f.names[v] = f.second
	case "mem_bar":
		f.memoryBarrier(v)
	case "scope":
		f.vectorScope(v, f.literal(v, 0) != 0)
	case "end":
		c := f.callAt(v)
		f.call = nil
		f.instruction(v, c)
	case "test":
		c := f.callAt(v)
		f.call = nil
		f.communicate(v, c)
	case "get_int", "get_f32", "get_f16", "get_bf16":
		c := f.elementCall(v, 1)
		typ := strings.ReplaceAll(elements[c.args[0].elem].name, "u", "")
		r := f.fresh(v.Name)
		f.line(v, "%s = pto.tgetval ins(%s, %s : %s, index) outs : %s", r, c.args[0].name, f.index(v, v.Args[0], false), c.args[0].typ, typ)
		f.names[v] = r
		if want := f.typeOf(v); want != typ {
			f.names[v] = f.fresh(v.Name + "_w")
			op := "extsi"
			if strings.HasPrefix(elements[c.args[0].elem].name, "u") {
				op = "extui"
			}
			f.line(v, "%s = arith.%s %s : %s to %s", f.names[v], op, r, typ, want)
		}
	case "set":
		c := f.elementCall(v, 2)
		a := f.scalarAs(v, c.args[1], elements[c.args[0].elem].name)
		f.line(v, "pto.tsetval ins(%s, %s : index, %s) outs(%s : %s)", f.index(v, v.Args[0], false), a.name, a.typ, c.args[0].name, c.args[0].typ)
	case "load_dev", "store_dev":
		f.pastCache(v, word)
	case "set_flag", "wait_flag":
		f.flag(v, word)
	case "new_event":
		pair := [2]int64{f.literal(v, 0), f.literal(v, 1)}
		f.eventIDs[v] = f.events[pair] % 8
		f.events[pair]++
	case "barrier":
		f.line(v, "pto.barrier <%s>", f.pipe(v, 0))
	case "get_buf", "rls_buf":
		if v.Args[1].Op == "int" {
			f.line(v, `pto.%s "%s", %d, %d`, word, f.pipe(v, 0), v.Args[1].Int, f.literal(v, 2))
			return
		}
		f.line(v, `pto.%s_dyn "%s", %s, %d`, word, f.pipe(v, 0), f.index(v, v.Args[1], false), f.literal(v, 2))
	case "signal":
		f.signal(v)
	case "pipe":
		f.pipeSetUp(v)
	case "push", "pop", "free":
		f.queueUse(v, word)
	case "slot":
		f.slotUse(v)
	case "patches":
		f.unroll(v)
	case "dsb":
		n := f.literal(v, 0)
		f.line(v, `pto.dsb "%s"`, list("ALL DDR UB SEQ")[n&3])
	case "dcci":
		f.cache(v)
	case "trap":
		f.text(v, "pto.trap")
	case "get_block_idx", "get_block_num", "get_subblock_idx", "get_subblock_num": // see askPosition
	case "launch":
	case "copy":
		f.rawCopy(v)
	case "fill_l1":
		f.fillL1(v)
	case "plain":
		f.text(v, "pto."+f.m.Strings[v.Args[0].Name])
	case "ignored":
		f.warn(v, "'"+f.m.Strings[v.Args[0].Name]+"' has no effect: "+f.m.Strings[v.Args[1].Name])
		if v.Type.Kind != llir.Void {
			f.names[v] = f.intConst(0, f.typeOf(v))
		}
	case "missing":
		f.failf(v, "'%s' has no counterpart in PTO yet", f.m.Strings[v.Args[0].Name])
	default:
		f.failf(v, "'%s' has no counterpart in PTO yet", word)
	}
}

// assembly converts inline assembly that reads a register of the scalar unit. The program
// counter must have no use. The clock is read as 0, so that kernels that log times can run.
func (f *function) assembly(v *llir.Value) {
	text := strings.TrimSpace(v.Assembly)
	used := slices.ContainsFunc(f.f.Blocks, func(b *llir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(x *llir.Value) bool { return slices.Contains(x.Args, v) })
	})
	switch {
	case text == "": // only orders accesses of memory, which the conversion keeps in order
	case text == "MOV $0, SYS_CNT":
		f.warn(v, "the clock is read as 0 here; --timing predicts times")
		f.names[v] = f.intConst(0, f.typeOf(v))
	case text == "MOV $0, PC" && !used:
		f.warn(v, "inline assembly ("+text+") is left out: its result is not used")
	default:
		f.failf(v, "inline assembly (%s) has no counterpart in PTO", text)
	}
}

// pastCache converts an access of global memory past the data cache: the number of the element
// type, the number to store, and the address.
func (f *function) pastCache(v *llir.Value, word string) {
	elem := f.literal(v, 0)
	if elements[elem].name == "" {
		f.failf(v, "an access past the data cache has an element type that is not supported")
	}
	typ, zero := elements[elem].name, f.intConst(0, "index")
	ptr, wide := f.globalPointer(v, v.Args[len(v.Args)-1], elem), typ == "i64"
	if word == "store_dev" {
		number := f.i64(v, v.Args[1])
		if !wide {
			part := f.fresh("n")
			f.line(v, "%s = arith.trunci %s : i64 to %s", part, number, typ)
			number = part
		}
		f.line(v, "pto.st_dev %s, %s[%s] : %s, %s", number, ptr, zero, f.pointerType(elem), typ)
		return
	}
	r := f.fresh(v.Name)
	f.line(v, "%s = pto.ld_dev %s[%s] : %s -> %s", r, ptr, zero, f.pointerType(elem), typ)
	f.names[v] = r
	if !wide {
		f.define(v, "arith.extsi "+r+" : "+typ+" to i64")
	}
}

// cache converts dcci.
func (f *function) cache(v *llir.Value) {
	line, dst := "SINGLE_CACHE_LINE", list("CACHELINE_ALL CACHELINE_UB CACHELINE_OUT CACHELINE_ATOMIC")[f.literal(v, 2)&3]
	if f.literal(v, 1) == 1 {
		line = "ENTIRE_DATA_CACHE"
	}
	if f.pointer(v.Args[0]).base.Op == "null" {
		f.text(v, "pto.cmo.cacheinvalid all #pto.address_space<gm>")
		return
	}
	f.line(v, `pto.dcci %s "%s", "%s" : %s`, f.globalPointer(v, v.Args[0], byteElement), line, dst, f.pointerType(byteElement))
}

// flag converts set_flag and wait_flag.
func (f *function) flag(v *llir.Value, word string) {
	from, to, event := f.pipe(v, 0), f.pipe(v, 1), v.Args[2]
	id, made := f.eventIDs[event]
	if event.Op == "int" {
		id, made = event.Int, true
	}
	if made {
		if id < 0 || id > 7 {
			f.failf(v, "event %d does not exist: events are 0 to 7", id)
		}
		f.line(v, "pto.%s[<%s>, <%s>, <EVENT_ID%d>]", word, from, to, id)
		return
	}
	f.line(v, "pto.%s_dyn[<%s>, <%s>, %s]", word, from, to, f.index(v, event, false))
}

// callAt returns the call whose arguments are being collected.
func (f *function) callAt(v *llir.Value) *libraryCall {
	if f.call == nil || f.call.block != v.Block {
		f.failf(v, "a call depends on a condition in a way that could not be recovered")
	}
	return f.call
}

// elementCall ends the call of GetValue or SetValue, which has a tile and n-1 further
// arguments.
func (f *function) elementCall(v *llir.Value, n int) *libraryCall {
	c := f.callAt(v)
	f.call = nil
	if len(c.args) != n || c.args[0].kind != tileArgument {
		f.failf(v, "an access of an element is incomplete")
	}
	return c
}

// argument collects an argument of a library call.
func (f *function) argument(v *llir.Value, word string) {
	c := f.callAt(v)
	switch word {
	case "type_argument":
		c.types = append(c.types, argument{kind: typeArgument})
	case "enum_argument":
		name, w := enumerator(f.literal(v, 0), f.literal(v, 1))
		c.types = append(c.types, argument{kind: enumArgument, enum: name, word: w})
	case "int_argument":
		c.types = append(c.types, argument{kind: intArgument, v: v.Args[0]})
	case "tile":
		a := f.tile(v)
		a.pointer, c.pointer = c.pointer, false
		c.args = append(c.args, a)
	case "conv":
		c.args = append(c.args, f.conv(v))
	case "view":
		c.args = append(c.args, f.view(v))
	case "int":
		c.args = append(c.args, argument{kind: intArgument, v: v.Args[1], elem: f.literal(v, 0)})
	case "f32", "f16", "bf16":
		c.args = append(c.args, argument{kind: floatArgument, v: v.Args[0], typ: word})
	case "enum":
		if v.Args[1].Op != "int" {
			f.failf(v, "an enumerator that depends on the program's path is not supported")
		}
		name, w := enumerator(f.literal(v, 0), f.literal(v, 1))
		c.args = append(c.args, argument{kind: enumArgument, enum: name, word: w})
	case "other":
		c.args = append(c.args, argument{kind: otherArgument, word: f.m.Strings[v.Args[0].Name]})
	}
}

// bound is an instruction with its operands and attributes.
type bound struct {
	def  *ir.Def
	form *ir.Form
	// operands are the values of each operand of the form.
	operands [][]argument
	attrs    []string
}

// instruction converts a complete library call.
func (f *function) instruction(v *llir.Value, c *libraryCall) {
	f.fit(v, c)
	if f.special(v, c) {
		return
	}
	for _, a := range c.args {
		switch {
		case a.conv != nil:
			f.failf(v, "%s with a ConvTile in Layout::%s has no counterpart in PTO yet", c.name, layoutName(a.conv.layout))
		case a.kind == viewArgument && a.typ == "":
			f.failf(v, "%s with a view in Layout::%s has no counterpart in PTO yet", c.name, layoutName(f.literal(a.from, 1)))
		}
	}
	if b := f.moved(v, c); b != nil {
		f.write(v, b)
		return
	}
	b, first := f.accepted(c)
	if b == nil && first != nil && f.columnsAsRows(first, c) {
		b, first = f.accepted(c)
	}
	if b != nil {
		f.write(v, b)
		return
	}
	if first != nil {
		f.write(v, first)
		return
	}
	f.failf(v, "this call of %s, with %d template arguments and %d arguments, has no counterpart in PTO yet", c.name, len(c.types), len(c.args))
}

// accepted returns the instruction for a call that accepts its tiles, or nil. first is an
// instruction that has the form of the call, for the error message.
func (f *function) accepted(c *libraryCall) (b, first *bound) {
	for _, e := range entries()[c.name] {
		b := match(e, c)
		if b != nil && f.accepts(b) {
			return b, first
		}
		if first == nil {
			first = b
		}
	}
	return nil, first
}

// accepts reports whether the instruction can have its tiles as operands. Functions of the
// library have overloads that differ only in the memories of tiles.
func (f *function) accepts(b *bound) bool {
	e := &ir.Env{Def: b.def, Form: b.form, Target: f.target, Features: pto.LooseScratch}
	for _, values := range b.operands {
		e.Segs = append(e.Segs, int32(len(values)))
		for _, a := range values {
			e.Operands = append(e.Operands, a.tileType())
		}
	}
	for i, o := range b.form.Operands {
		for _, a := range b.operands[i] {
			if t := a.tileType(); a.kind == tileArgument && !t.IsZero() && !o.Type.Check(t, e) {
				return false
			}
		}
	}
	return true
}

// tileType returns the type of a tile, or the zero type.
func (a argument) tileType() ir.Type {
	if a.kind != tileArgument {
		return ir.Type{}
	}
	module, _ := ir.Parse(&ir.Source{Text: "func.func private @t(" + a.typ + ")"}, ir.ParseOptions{}, &ir.Diags{})
	if module == nil {
		return ir.Type{}
	}
	for _, k := range fn.Functions(module) {
		if ins, _ := fn.TypeOf(k); len(ins) == 1 {
			return ins[0]
		}
	}
	return ir.Type{}
}

// match returns the instruction of e with the arguments of the call, or nil if the call
// does not have the form of e.
func match(e entry, c *libraryCall) *bound {
	b := &bound{def: e.def, form: e.form, operands: make([][]argument, len(e.form.Operands))}
	if !b.fill(e.pattern.Types, c.types, true) || !b.fill(e.pattern.Args, c.args, false) {
		return nil
	}
	for i, o := range e.form.Operands {
		if len(b.operands[i]) == 0 && o.Arity == ir.One {
			return nil
		}
	}
	return b
}

// fill assigns arguments to the items of a pattern, and reports whether they fit. Template
// arguments may be missing at the end, since the library has defaults and deduces types.
func (b *bound) fill(items []cppout.Item, args []argument, templates bool) bool {
	need := 0
	for _, it := range items {
		if !it.Optional {
			need++
		}
	}
	for k, it := range items {
		if !it.Optional {
			need--
		}
		if templates && (len(args) == 0 || it.Attr != nil && args[0].kind == typeArgument) {
			break
		}
		n := 1
		if b.variadic(it) && !slices.ContainsFunc(items[k+1:], b.variadic) {
			n = len(args) - need
		}
		if n < 1 || n > len(args) {
			if it.Optional {
				continue
			}
			return templates && len(args) == 0
		}
		if !b.assign(it, args[:n]) {
			if it.Optional {
				continue
			}
			return false
		}
		args = args[n:]
	}
	if templates { // the library also deduces types
		return !slices.ContainsFunc(args, func(a argument) bool { return a.kind != typeArgument })
	}
	return len(args) == 0
}

// variadic reports whether an item of a pattern stands for any number of arguments.
func (b *bound) variadic(it cppout.Item) bool {
	return it.Operand >= 0 && b.form.Operands[it.Operand].Arity == ir.Variadic
}

// assign assigns arguments to one item of a pattern.
func (b *bound) assign(it cppout.Item, args []argument) bool {
	switch {
	case it.IsType:
		return !slices.ContainsFunc(args, func(a argument) bool { return a.kind != typeArgument })
	case it.Attr != nil:
		return b.assignAttr(it, args[0])
	}
	for _, a := range args {
		if a.pointer != it.Pointer {
			return false
		}
		counts := b.form.Operands[it.Operand].Name == "excuted"
		if a.kind == typeArgument || a.kind == enumArgument || (a.kind == otherArgument) != counts {
			return false
		}
	}
	b.operands[it.Operand] = args
	return true
}

// assignAttr adds the attribute that an argument states.
func (b *bound) assignAttr(it cppout.Item, a argument) bool {
	switch a.kind {
	case enumArgument:
		if _, isEnum := it.Attr.Type.(*ir.Enum); !isEnum { // an enumerator that ends in the number
			text := it.Text("")
			digits, ok := strings.CutPrefix(a.word, text[strings.LastIndex(text, ":")+1:])
			n, err := strconv.ParseInt(digits, 10, 32)
			if ok = ok && err == nil && strings.HasSuffix(text[:strings.LastIndex(text, "::")+1], a.enum+":"); ok {
				b.attrs = append(b.attrs, fmt.Sprintf("%s = %d : i32", it.Attr.Name, n))
			}
			return ok
		}
		for _, k := range it.Keywords() {
			text := it.Text(k)
			text = text[strings.LastIndex(text, ":")+1:]
			if text == a.word && it.Text(k) != text {
				if d := it.Attr.Default; !d.IsZero() && it.Text(d.Keyword()) == it.Text(k) {
					return true
				}
				e := it.Attr.Type.(*ir.Enum)
				b.attrs = append(b.attrs, it.Attr.Name+" = "+e.Attr(k).String())
				return true
			}
		}
	case intArgument:
		if _, isEnum := it.Attr.Type.(*ir.Enum); isEnum || a.v == nil || a.v.Op != "int" {
			return false
		}
		for _, text := range []string{strconv.FormatBool(a.v.Int != 0), fmt.Sprintf("%d : i64", a.v.Int), fmt.Sprintf("%d : i32", a.v.Int)} {
			if value := parseAttr(text); it.Attr.Type != nil && it.Attr.Type.CheckAttr(value) {
				b.attrs = append(b.attrs, it.Attr.Name+" = "+text)
				return true
			}
		}
	}
	return false
}

// parseAttr returns the integer or boolean attribute with the given text.
func parseAttr(text string) ir.Attr {
	digits, typ, _ := strings.Cut(text, " : ")
	n, _ := strconv.ParseInt(digits, 10, 64)
	switch typ {
	case "i64":
		return ir.IntAttr(ir.Int(64), n)
	case "i32":
		return ir.IntAttr(ir.Int(32), n)
	}
	return ir.BoolAttr(text == "true")
}

// indexOperands are operands of type index. wideOperands have type i64, and plainOperands
// type i32.
var (
	indexOperands = []string{"indexRow", "indexCol", "posM", "posK"}
	plainOperands = []string{"blockLen", "diagonal"}
)

// write appends the operation for an instruction, in MLIR's generic syntax.
func (f *function) write(v *llir.Value, b *bound) {
	f.dropScratch(b)
	f.noteUnplaced(b)
	elem := ""
	for i, o := range b.form.Operands {
		if o.Role == ir.Out || o.Role == ir.InOut {
			if a := b.operands[i]; len(a) > 0 && a[0].kind == tileArgument {
				elem = cmp.Or(elem, elements[a[0].elem].name)
			}
		}
	}
	var names, types, segs []string
	for i, o := range b.form.Operands {
		segs = append(segs, strconv.Itoa(len(b.operands[i])))
		for _, a := range b.operands[i] {
			switch {
			case a.exceeds && o.Role != ir.Scratch:
				f.failf(v, "the valid region of operand \"%s\" exceeds its tile", o.Name)
			case a.kind == tileArgument || a.kind == viewArgument:
			case a.kind == otherArgument:
				a.name, a.typ = f.fresh("counts"), "vector<4xi16>"
				f.line(v, "%s = arith.constant dense<0> : vector<4xi16>", a.name)
			case slices.Contains(indexOperands, o.Name):
				a.name, a.typ = f.asType(v, a, 0)
			case slices.Contains(plainOperands, o.Name):
				a.name, a.typ = f.asType(v, a, 32)
			case o.Name == "preQuantScalar":
				a.name, a.typ = f.asType(v, a, 64)
			case o.Name == "scalar" || o.Name == "S" || o.Name == "value":
				want := scalarElement(b, elem)
				if a = f.scalarAs(v, a, want); o.Name == "S" && strings.HasPrefix(want, "u") {
					signless := a
					a.name, a.typ = f.fresh("start"), want
					f.line(v, "%s = builtin.unrealized_conversion_cast %s : %s to %s", a.name, signless.name, signless.typ, want)
				}
			case a.kind == floatArgument:
				a.name = f.value(a.v)
			default:
				a.name, a.typ = f.asType(v, a, 8*max(1, elements[a.elem].bytes))
			}
			names, types = append(names, a.name), append(types, a.typ)
		}
	}
	attrs := b.attrs
	if slices.ContainsFunc(b.form.Operands, func(a ir.Arg) bool { return a.Arity != ir.One }) {
		attrs = append(attrs, "operandSegmentSizes = array<i32: "+strings.Join(segs, ", ")+">")
	}
	text := strconv.Quote(b.def.Name) + "(" + strings.Join(names, ", ") + ")"
	if len(attrs) > 0 {
		text += " <{" + strings.Join(attrs, ", ") + "}>"
	}
	f.line(v, "%s", text+" : ("+strings.Join(types, ", ")+") -> ()")
}

// dropScratch removes scratch tiles without an address: the C++ passes such a tile where the
// headers of the target do not use it.
func (f *function) dropScratch(b *bound) {
	for i, o := range b.form.Operands {
		if a := b.operands[i]; o.Role == ir.Scratch && o.Arity != ir.One && len(a) == 1 && a[0].kind == tileArgument && f.notPlaced(a[0].from.Args[11]) {
			f.drop(a[0])
			b.operands[i] = nil
		}
	}
}

// scalarElement returns the element type for the scalar of an instruction, which is that of
// its source if the types of source and destination differ, as in comparisons.
func scalarElement(b *bound, dst string) string {
	for i, o := range b.form.Operands {
		if a := b.operands[i]; (o.Name == "src" || o.Name == "src0") && len(a) > 0 && a[0].kind == tileArgument {
			return elements[a[0].elem].name
		}
	}
	return dst
}
