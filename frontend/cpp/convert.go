// This file converts functions and values.

package cpp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ptogo/frontend/llir"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// function is the state of converting one kernel to the text of a function. Package ir
// parses the text; a location loc("place":N:1) names entry N of places.
type function struct {
	m *llir.Module
	f *llir.Function
	// target is the profile for which the C++ was compiled.
	target ir.Target
	*graph
	out   []string
	depth int
	// names are the names of values in the text. taken are the names in use.
	names map[*llir.Value]string
	taken map[string]bool
	// consts are the names of constants by their text, and constLines their definitions.
	consts     map[string]string
	constLines []string
	// open are the headers of the loops around the current position.
	open []*llir.Block
	// elems are the element types to which pointer parameters point.
	elems map[*llir.Value]int64
	// used are the pointer parameters whose element type a view or an access determines.
	used map[*llir.Value]bool
	// params are the parameters in the text.
	params []string
	// core is the type of core whose code is converted, or "" for both.
	core string
	// arrays are the local arrays.
	arrays map[*llir.Value]*localArray
	// addresses caches the results of isAddress.
	addresses map[*llir.Value]bool
	// once caches the results of writtenOnce.
	once map[*llir.Value]map[int64]*llir.Value
	// unset are the loads of elements that the kernel never stores.
	unset map[*llir.Value]bool
	// call is the library call whose arguments are being collected, or nil.
	call *libraryCall
	// events counts the events that were made for each pair of pipes.
	events   map[[2]int64]int64
	eventIDs map[*llir.Value]int64
	// queues are the names of queues by their first flag. popped are the tiles that came
	// from queues, by the call that returns their address.
	queues map[int64]string
	// slots are the names of the entries of queues in global memory.
	slots  map[string]string
	popped map[*llir.Value]argument
	// tiles are the tiles without addresses, by the calls that declare them. auto reports
	// that the header marks declarations by such calls.
	tiles map[*llir.Value]argument
	auto  bool
	// unplaced and placed are the last uses of tiles without an address and with one.
	unplaced, placed *llir.Value
	// registers caches the results of registerType. second is the name of the second result of
	// the last vector instruction, and scope the first line of the open vector scope, or 0.
	registers map[*llir.Value]string
	second    string
	scope     int
	// places are the source positions of operations, which all functions of a file share.
	places *placeTable
	// last is the last known source position.
	last llir.Frame
	// warnings are about calls that the conversion leaves out.
	warnings []*unsupported
}

// warn adds a warning at the place of v, once per text.
func (f *function) warn(v *llir.Value, text string) {
	if !slices.ContainsFunc(f.warnings, func(w *unsupported) bool { return w.text == text }) {
		f.warnings = append(f.warnings, &unsupported{at: f.frame(v), text: text})
	}
}

// placeTable numbers source positions.
type placeTable struct {
	list []llir.Frame
	of   map[llir.Frame]int
}

func (t *placeTable) number(f llir.Frame) int {
	n, ok := t.of[f]
	if !ok {
		n = len(t.list)
		t.of[f] = n
		t.list = append(t.list, f)
	}
	return n
}

// unsupported is the panic value with which the conversion of a kernel ends: a construct
// that has no counterpart.
type unsupported struct {
	at   llir.Frame
	text string
	note string
	// jump reports that the construct is a jump out of a loop, which opt can remove.
	jump bool
	// cores reports that the construct needs the code of each type of core alone.
	cores bool
}

// failf ends the conversion of the kernel with an error at the place of v.
func (f *function) failf(v *llir.Value, format string, args ...any) {
	panic(&unsupported{at: f.frame(v), text: fmt.Sprintf(format, args...)})
}

// converted is a kernel as the text of a function, with warnings about it.
type converted struct {
	text     string
	warnings []*unsupported
}

// newFunction returns the state of converting the kernel k of module m.
func newFunction(m *llir.Module, k *llir.Function, target ir.Target, places *placeTable) *function {
	f := &function{m: m, f: k, target: target, graph: newGraph(k), depth: 2, names: map[*llir.Value]string{}, taken: map[string]bool{}, consts: map[string]string{},
		elems: map[*llir.Value]int64{}, used: map[*llir.Value]bool{}, addresses: map[*llir.Value]bool{}, arrays: map[*llir.Value]*localArray{}, once: map[*llir.Value]map[int64]*llir.Value{},
		events: map[[2]int64]int64{}, eventIDs: map[*llir.Value]int64{}, places: places, last: k.Frame,
		registers: map[*llir.Value]string{}, queues: map[int64]string{}, slots: map[string]string{}, popped: map[*llir.Value]argument{}, tiles: map[*llir.Value]argument{}, unset: map[*llir.Value]bool{}}
	f.separateLoads()
	return f
}

// convertBody converts the parameters and the body of the kernel.
func (f *function) convertBody() (err *unsupported) {
	defer func() {
		if x := recover(); x != nil {
			u, ok := x.(*unsupported)
			if !ok {
				u = &unsupported{at: f.last, text: fmt.Sprintf("the converter has a bug: %v", x), note: ir.ReportIt}
			}
			err = u
		}
	}()
	for _, p := range f.f.Params {
		f.names[p] = f.fresh(p.Name)
		f.params = append(f.params, f.names[p]+": "+f.paramType(p))
	}
	f.askPosition()
	f.region(f.f.Blocks[0], nil)
	return nil
}

// joined returns a kernel with the body of one function, or with a section for each type
// of core. If only one type of core has instructions, the kernel is one of this type.
func joined(places *placeTable, all ...*function) converted {
	k, params, kind := all[0].f, all[0].params, ""
	if busy := slices.DeleteFunc(slices.Clone(all), func(f *function) bool { return f.idle() }); len(busy) == 1 && busy[0].core != "" {
		kind = ", pto.kernel_kind = #pto.kernel_kind<" + busy[0].coreType().kind + ">"
	}
	c := converted{text: "  func.func @" + quotedSymbol(k.Name) + "(" + strings.Join(params, ", ") + ") attributes {pto.kernel" + kind + "} {\n"}
	place := " loc(\"place\":" + strconv.Itoa(places.number(k.Frame)) + ":1)\n"
	for _, f := range all {
		c.warnings = append(c.warnings, f.warnings...)
		if kind != "" && f.idle() {
			continue
		}
		lines := append(f.constLines, slices.DeleteFunc(f.out, func(l string) bool { return l == "" })...)
		body := strings.Join(lines, "\n") + "\n"
		if len(all) > 1 && kind == "" {
			body = "    " + f.coreType().section + " {\n" + body + "    }" + place
		}
		c.text += body
	}
	c.text += "    return\n  }" + place
	return c
}

// idle reports whether the text has no operation except constants.
func (f *function) idle() bool {
	return !slices.ContainsFunc(f.out, func(l string) bool { return l != "" })
}

var plainSymbol = pattern.Of(`^[A-Za-z_][A-Za-z0-9_$.]*$`)

// quotedSymbol returns a symbol name as it is written after @.
func quotedSymbol(name string) string {
	if plainSymbol().MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// askPosition defines the position of the core in the launch at the start of the kernel,
// where the C++ may ask for it in each round of a loop.
func (f *function) askPosition() {
	names := map[string]string{}
	for _, b := range f.f.Blocks {
		for _, v := range b.Insts {
			if !isPosition(v) {
				continue
			}
			word := strings.TrimPrefix(v.Pred, "ptogo_get_")
			if names[word] == "" {
				names[word] = f.fresh(word)
				f.constLines = append(f.constLines, "    "+names[word]+" = pto.get_"+word+` loc("place":`+strconv.Itoa(f.places.number(f.frame(v)))+":1)")
			}
			f.names[v] = names[word]
		}
	}
}

// isPosition reports whether v asks for the position of the core in the launch.
func isPosition(v *llir.Value) bool {
	return v.Op == "call" && (strings.HasPrefix(v.Pred, "ptogo_get_block_") || strings.HasPrefix(v.Pred, "ptogo_get_subblock_"))
}

// paramType returns the type of a parameter of the kernel.
func (f *function) paramType(p *llir.Value) string {
	if p.Type.Kind == llir.Pointer {
		return f.pointerType(f.elems[p])
	}
	return f.typeOf(p)
}

func (f *function) pointerType(elem int64) string { return "!pto.ptr<" + elements[elem].name + ">" }

// findElements determines the element types of pointer parameters from the views and the
// accesses that use them.
func (f *function) findElements() {
	for _, p := range f.f.Params {
		if p.Type.Kind == llir.Pointer {
			f.elems[p] = byteElement
		}
	}
	note := func(v *llir.Value, elem int64) {
		if b := f.baseOf(v, map[*llir.Value]bool{}); b != nil && b.Op == "param" && !f.used[b] {
			f.used[b], f.elems[b] = true, elem
		}
	}
	for _, loads := range []bool{false, true} {
		for _, b := range f.f.Blocks {
			for _, v := range b.Insts {
				switch {
				case v.Op == "call" && v.Pred == "ptogo_view" && !loads && len(v.Args) > 2:
					if elements[v.Args[0].Int].name != "" {
						note(v.Args[2], v.Args[0].Int)
					}
				case v.Op == "load" && loads:
					note(v.Args[0], f.elementOf(inMemory(v.Type)))
				case v.Op == "store" && loads:
					note(v.Args[1], f.elementOf(inMemory(v.Args[0].Type)))
				}
			}
		}
	}
}

// elementOf returns the number of the element type that a type of LLVM IR stands for.
// Integers count as signed.
func (f *function) elementOf(t *llir.Type) int64 {
	for code, e := range elements {
		if e.name == scalarName(t) {
			return code
		}
	}
	return byteElement
}

// frame returns the position of v in a file of the user: that of the innermost frame
// outside of the header.
func (f *function) frame(v *llir.Value) llir.Frame {
	if v != nil {
		for _, fr := range v.Frames {
			if fr.Line > 0 && isUserFile(fr.File) {
				f.last = fr
				return fr
			}
		}
	}
	return f.last
}

// isUserFile reports whether a source file belongs to the user, and not to ptogo's header
// or to the system.
func isUserFile(file string) bool {
	return file != "" && !strings.Contains(file, headerFolder+"/") && !strings.HasPrefix(file, "/usr/") && !strings.Contains(file, "/include/c++/")
}

// line appends one line of text, with the position of v.
func (f *function) line(v *llir.Value, format string, args ...any) {
	f.text(v, fmt.Sprintf(format, args...))
}

// maxLines limits the text of a function: code that several branches share is repeated.
const maxLines = 1 << 18

// text appends one line of text, with the position of v.
func (f *function) text(v *llir.Value, text string) {
	if len(f.out) > maxLines {
		f.failf(v, "the kernel is too large: its branches expand to more than %d operations", maxLines)
	}
	if !strings.HasSuffix(text, "{") {
		text += ` loc("place":` + strconv.Itoa(f.places.number(f.frame(v))) + ":1)"
	}
	f.out = append(f.out, strings.Repeat("  ", f.depth)+text)
}

// fresh returns an unused name that resembles the given one.
func (f *function) fresh(name string) string {
	name, _, _ = strings.Cut(name, ".")
	clean := strings.Map(func(r rune) rune {
		if r < 128 && isWord(byte(r)) {
			return r
		}
		return '_'
	}, name)
	if clean == "" || '0' <= clean[0] && clean[0] <= '9' {
		clean = "v" + clean
	}
	name = clean
	for i := 1; f.taken[name]; i++ {
		name = clean + "_" + strconv.Itoa(i)
	}
	f.taken[name] = true
	return "%" + name
}

// scalarName returns the type of a scalar in the text, or "" for other types.
func scalarName(t *llir.Type) string {
	switch t.Kind {
	case llir.Int:
		switch t.Bits {
		case 1, 8, 16, 32, 64:
			return "i" + strconv.FormatInt(t.Bits, 10)
		}
	case llir.Float:
		if t.BFloat {
			return "bf16"
		}
		return "f" + strconv.FormatInt(t.Bits, 10)
	}
	return ""
}

// typeOf returns the type of v in the text. Pointers that are values in the text are
// distances in bytes from the start of their memory.
func (f *function) typeOf(v *llir.Value) string {
	if v.Type.Kind == llir.Pointer {
		return "i64"
	}
	if typ := f.registerType(v); typ != "" {
		return typ
	}
	name := scalarName(v.Type)
	if name == "" {
		f.failf(v, "a value has a type without counterpart in PTO, such as a struct or an integer of unusual width")
	}
	return name
}

// constant returns the name of a constant.
func (f *function) constant(value, typ string) string {
	key := value + " : " + typ
	if typ == "i1" {
		key = value
	}
	name, ok := f.consts[key]
	if !ok {
		name = f.fresh("c" + strings.NewReplacer("-", "m").Replace(value) + "_" + typ)
		if typ == "index" {
			name = f.fresh("c" + strings.NewReplacer("-", "m").Replace(value))
		}
		f.consts[key] = name
		f.constLines = append(f.constLines, "    "+name+" = arith.constant "+key)
	}
	return name
}

func (f *function) intConst(n int64, typ string) string {
	if typ == "i1" {
		return f.constant(strconv.FormatBool(n != 0), typ)
	}
	return f.constant(strconv.FormatInt(n, 10), typ)
}

// value returns the name of a scalar. For a pointer it is its distance in bytes from the
// start of its memory.
func (f *function) value(v *llir.Value) string {
	if name, ok := f.names[v]; ok && v.Type.Kind != llir.Pointer {
		return name
	}
	if tile, ok := f.popped[v]; ok {
		return f.poppedAddress(v, tile)
	}
	switch {
	case v.Op == "null":
		return f.intConst(nullDistance, "i64")
	case v.Type.Kind == llir.Pointer:
		return f.offset(v, f.pointer(v), 1)
	case v.Op == "int":
		return f.intConst(v.Int, f.typeOf(v))
	case v.Op == "float":
		return f.constant(floatText(v), f.typeOf(v))
	case v.Op == "undef" || v.Op == "zero":
		if v.Type.Kind == llir.Float {
			return f.constant("0.0", f.typeOf(v))
		}
		return f.intConst(0, f.typeOf(v))
	case v.Op == "ptrtoint":
		return f.address(v, v)
	case f.isAddress(v):
		return f.number(v)
	}
	f.failf(v, "a constant expression (%s) is not supported", v.Op)
	return ""
}

// floatText returns a floating-point constant in the text.
func floatText(v *llir.Value) string {
	x := v.Float
	if x != x || x-x != 0 { // NaN or infinite
		digits := int(v.Type.Bits / 4)
		return fmt.Sprintf("0x%0*X", digits, floatBits(v))
	}
	s := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(s, ".") {
		if m, e, ok := strings.Cut(s, "e"); ok {
			return m + ".0e" + e
		}
		return s + ".0"
	}
	return s
}

// floatBits returns the bits of an infinite constant or NaN in its format.
func floatBits(v *llir.Value) uint64 {
	switch {
	case v.Type.Bits == 64:
		return math.Float64bits(v.Float)
	case v.Type.Bits == 32 || v.Type.BFloat:
		bits := uint64(math.Float32bits(float32(v.Float)))
		return bits >> (32 - v.Type.Bits)
	case math.IsNaN(v.Float):
		return 0x7E00
	case v.Float < 0:
		return 0xFC00
	}
	return 0x7C00
}

// index returns the name of an integer as an index. It is extended by its sign, or by
// zeros if unsigned is set.
func (f *function) index(at, v *llir.Value, unsigned bool) string {
	if v.Op == "int" {
		n := v.Int
		if unsigned && v.Type.Bits < 64 {
			n &= 1<<v.Type.Bits - 1
		}
		return f.intConst(n, "index")
	}
	name := f.value(v)
	r, op := f.fresh(strings.TrimPrefix(name, "%")+"_x"), "index_cast"
	if unsigned {
		op = "index_castui"
	}
	f.line(at, "%s = arith.%s %s : %s to index", r, op, name, f.typeOf(v))
	return r
}

// i64 returns the name of an integer that is sign-extended to 64 bits.
func (f *function) i64(at, v *llir.Value) string {
	if v.Op == "int" {
		return f.intConst(v.Int, "i64")
	}
	name, typ := f.value(v), f.typeOf(v)
	if typ == "i64" {
		return name
	}
	r := f.fresh(strings.TrimPrefix(name, "%") + "_w")
	f.line(at, "%s = arith.extsi %s : %s to i64", r, name, typ)
	return r
}
