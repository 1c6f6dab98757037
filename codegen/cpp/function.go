// This file emits functions with their signatures and attributes.

package cpp

import (
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// function is the state of emitting the C++ body of one function.
type function struct {
	*module
	op    *ir.Op
	b     []byte
	depth int
	names map[*ir.Value]string
	// taken are the names in use, with the number of renamed copies of each.
	taken    map[string]int
	numbered int
	// results are the names of the parameters through which a function with several
	// results returns them.
	results []string
	views   map[*ir.Value]*view
	// shared are the values of regions with several blocks that more than one block uses.
	// Their variables are declared at the top, because a goto must not skip a
	// declaration.
	shared map[*ir.Value]bool
	labels map[*ir.Block]string
	onTop  []byte
	// ends are the functions that emit the terminators of the surrounding regions,
	// innermost last.
	ends []func(end *ir.Op)

	// unit is the kind of core that executes the code which is being emitted, if that is
	// known.
	unit sem.Unit
	// mixed reports that every instruction needs its own #if, because the function has
	// instructions for both kinds of cores.
	mixed bool
	// open is the kind of core of the current #if, or 0.
	open sem.Unit

	// placeholder and placeholderType are the scratch tile that was declared for the
	// current instruction.
	placeholder, placeholderType string
	// aliases are other names for the storage of arguments of the current instruction, by
	// argument.
	aliases map[int]string
	// origin is the source position in the last comment.
	origin string
	// dirty reports that the scalar unit stores to global memory.
	dirty bool
	// returned is the return statement of a function with one block.
	returned *ir.Op
	// refused reports that an error for a micro instruction was printed.
	refused     bool
	slotExtents map[*ir.Value][2]string
	// pipes maps the operation that initializes a queue to the name of its C++ variable.
	pipes map[*ir.Op]string
	// scales are the operations that last set the quantization factors of each queue.
	scales map[scaleOf]*ir.Op
}

// entryAttrs are the attributes that mark a function which the host launches, that is, a
// kernel.
var entryAttrs = []string{"pto.entry", "pto.kernel", "pto.aicore", "hacc.entry"}

// isEntry reports whether the host launches f as a kernel. A function with an entry
// attribute and a body is such a kernel. With Options.Launch, a function without this
// attribute counts as well if it is public, has a body, and no other function calls it.
func (m *module) isEntry(f *ir.Op) bool {
	for _, a := range entryAttrs {
		if f.HasAttr(a) {
			return fn.Body(f) != nil
		}
	}
	return m.opts.Launch && fn.Body(f) != nil && visibility(f) != "private" && !m.called[f]
}

// visibility returns the value of the attribute sym_visibility of the function f, or ""
// if it does not have the attribute.
func visibility(f *ir.Op) string {
	s, _ := f.Attr("sym_visibility").AsString()
	return s
}

// specifiers returns the C++ specifiers of a function, followed by a space.
func (m *module) specifiers(f *ir.Op) string {
	outside, _ := f.Attr("pto.visibility").AsString()
	switch {
	case fn.Body(f) == nil || outside == "external" && !m.isEntry(f):
		return `extern "C" AICORE `
	case m.isEntry(f):
		return `extern "C" __global__ AICORE `
	case visibility(f) == "private":
		return "static AICORE "
	}
	return "AICORE "
}

// function appends the C++ definition or declaration of the function op to the text out,
// and returns the extended text.
func (m *module) function(out []byte, op *ir.Op) []byte {
	f := &function{module: m, op: op, b: m.body[:0], depth: 1, names: map[*ir.Value]string{}, taken: map[string]int{}, views: map[*ir.Value]*view{}, slotExtents: map[*ir.Value][2]string{}, pipes: map[*ir.Op]string{}, scales: map[scaleOf]*ir.Op{}}
	head, ok := f.signature()
	if !ok {
		return out
	}
	inner, kernel := m.functions.inner[op], ""
	if inner == "" {
		out = append(out, m.specifiers(op)...)
	} else {
		kernel = "\n" + m.specifiers(op) + head + " {\n  " + inner + "(" + strings.Join(f.paramNames(), ", ") + ");\n}\n"
		out, head = append(out, "static AICORE "...), strings.Replace(head, m.functions.of[op]+"(", inner+"(", 1)
	}
	out = append(out, head...)
	if fn.Body(op) == nil {
		return append(out, ";\n\n"...)
	}
	f.warnUnordered()
	f.body()
	out = append(append(out, " {\n"...), f.onTop...)
	m.body = f.b
	return append(append(append(out, f.b...), "}\n"+kernel...), '\n')
}

// paramNames returns the C++ names of the parameters.
func (f *function) paramNames() (names []string) {
	for _, v := range fn.Body(f.op).Args() {
		names = append(names, f.names[v])
	}
	return names
}

// signature returns the return type, name and parameters of the function as C++ text. The
// second result is false after an error.
func (f *function) signature() (string, bool) {
	ins, outs := fn.TypeOf(f.op)
	ret := "void"
	if len(outs) > 1 && f.isEntry(f.op) {
		f.errorf(f.op, "returns %d values, but a kernel returns none", len(outs))
		return "", false
	}
	if len(outs) == 1 {
		ret = f.typeName(outs[0])
	}
	var b strings.Builder
	b.WriteString(ret + " " + f.functions.of[f.op] + "(")
	for i, t := range ins {
		name := f.paramType(t)
		if name == "" || ret == "" {
			f.errorf(f.op, "has a parameter or result of type %s, which the C++ emitter does not support", t)
			return "", false
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
		if body := fn.Body(f.op); body != nil {
			v := body.Arg(i)
			f.names[v] = f.nameFor(v)
			if !strings.HasSuffix(name, "&") {
				b.WriteByte(' ')
			}
			b.WriteString(f.names[v])
		}
	}
	f.results = nil
	for i, t := range outs {
		if len(outs) == 1 {
			break
		}
		name := f.typeName(t)
		if name == "" {
			f.errorf(f.op, "has a parameter or result of type %s, which the C++ emitter does not support", t)
			return "", false
		}
		f.results = append(f.results, f.unique("result"))
		if len(ins)+i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + " &" + f.results[i])
	}
	return b.String() + ")", true
}

// paramType returns the C++ type of a parameter. Tiles are passed by reference, because a
// callee may change their valid regions.
func (f *function) paramType(t ir.Type) string {
	name := f.typeName(t)
	if name != "" && (pto.IsTile(t) || ir.Is[pto.Struct](t)) {
		return name + " &"
	}
	return name
}

// body emits the body of the function, enclosed in an #if for the kind of core that runs
// it.
func (f *function) body() {
	f.unit = analysis.UnitOf(f.op)
	if f.unit == sem.AnyUnit || f.unit == 0 {
		f.unit = f.unitsOutside(f.op)
		f.mixed = f.unit == sem.AnyUnit
	}
	if f.mixed {
		f.diags.Add(ir.Warning, f.op.Loc(), "function @"+fn.Name(f.op)+" has instructions of both kinds of cores outside of sections; the C++ gives each core its own").
			Note(ir.Loc{}, "the two cores do not wait for each other: use pto.section.cube and pto.section.vector with signals or queues")
		f.resetMask()
	}
	f.hoist(f.op.Region(0))
	f.dirty = writesMemory(f.op)
	if f.dirty && f.unit == 0 {
		f.unit = onlySection(f.op) // the other type of core has no stores to wait for
	}
	end := f.scopeOf(f.op, f.unit, !f.mixed)
	f.ends = append(f.ends, nil)
	f.viewMemrefs()
	f.region(f.op.Region(0))
	f.closeGuard()
	if f.returned != nil {
		f.leaveKernel()
	}
	end()
	f.finish(f.returned)
}

// onlySection returns the kind of core of all sections of f, or 0 if f has sections for
// both kinds or none.
func onlySection(f *ir.Op) sem.Unit {
	units := sem.Unit(0)
	for op := range f.Walk() {
		if s, ok := op.Def().Sem.(sem.Scope); ok && (s.Kind == sem.CubeSection || s.Kind == sem.VectorSection) {
			units |= s.Kind.Unit()
		}
	}
	if units == sem.AnyUnit {
		return 0
	}
	return units
}

// writesMemory reports whether the function f contains an instruction with which the
// scalar unit stores an element to global memory.
func writesMemory(f *ir.Op) bool {
	for op := range f.Walk() {
		if _, store := op.Def().Sem.(sem.StoreElement); store && pto.SpaceOf(sem.ElementUseOf(op).Pointer.Type()) == sem.GM {
			return true
		}
	}
	return false
}

// startLine writes the indentation of a new line of C++ text.
func (f *function) startLine() {
	for range f.depth {
		f.b = append(f.b, ' ', ' ')
	}
}

// line writes one line of C++ with the current indentation.
func (f *function) line(parts ...string) {
	f.startLine()
	for _, p := range parts {
		f.b = append(f.b, p...)
	}
	f.b = append(f.b, '\n')
}

// endLine ends the C++ statement for op. It adds a comment with the source position of
// op, unless the previous statement has the same position.
func (f *function) endLine(op *ir.Op) {
	f.b = append(f.b, ';')
	if from := originOf(op.Loc()); from != "" && from != f.origin {
		f.origin = from
		f.b = append(append(f.b, "  // "...), commentText(from)...)
	}
	f.b = append(f.b, '\n')
}

// originOf returns a text with the source position l of an operation, for a comment in
// the C++ code. It returns "" if the position is unknown.
func originOf(l ir.Loc) string {
	if from := l.Origins(); len(from) > 0 {
		return from[0]
	}
	if name, ok := nameOf(l); ok {
		return "pto: %" + name
	}
	return ""
}

// nameOf returns the name in a location of the form loc("name"), which some frontends use
// for values. The second result is false for other locations. The emitter prints the name
// as a comment, like the public compiler.
func nameOf(l ir.Loc) (string, bool) {
	text, ok := strings.CutPrefix(string(l.AppendTo(nil)), `loc("`)
	text, ends := strings.CutSuffix(text, `")`)
	return text, ok && ends && !strings.Contains(text, `"`)
}

// commentText makes text safe for a line comment: a backslash at the end, or its
// trigraph, would continue the comment on the next line.
func commentText(text string) string { return commentEscapes.Replace(ir.Visible(text)) }

// commentEscapes replaces what a line comment must not contain.
var commentEscapes = strings.NewReplacer("??", "? ?", `\`, "_")

// directive writes a preprocessor directive, which is not indented.
func (f *function) directive(parts ...string) {
	depth := f.depth
	f.depth = 0
	f.line(parts...)
	f.depth = depth
}

// value returns the C++ expression for a value.
func (f *function) value(v *ir.Value) string {
	if name, ok := f.names[v]; ok {
		return name
	}
	// An error was reported where it should have been defined.
	return "missing"
}

// typeOf returns the C++ type of a value.
func (f *function) typeOf(v *ir.Value) string {
	if t, ok := pto.TileOf(v.Type()); ok {
		if s := f.storage(v, t); s != t {
			return f.tileType(s)
		}
	}
	if w := f.views[v]; w != nil {
		return w.cppType
	}
	return f.typeName(v.Type())
}

// define declares a C++ variable for the result v. The strings in expr are concatenated
// to the initializer of the variable.
func (f *function) define(v *ir.Value, expr ...string) {
	f.defineAs("", v, expr...)
}

// defineAs declares a C++ variable for the result v. The qualifier, such as const,
// precedes the type of the variable. The strings in expr are concatenated to the
// initializer.
func (f *function) defineAs(qualifier string, v *ir.Value, expr ...string) {
	t := f.typeOf(v)
	if t == "" {
		f.errorf(v.Op(), "returns a value of type %s, which the C++ emitter does not support", v.Type())
		return
	}
	name := f.nameFor(v)
	f.names[v] = name
	f.startLine()
	if f.shared[v] {
		f.declareOnTop(t, name)
	} else {
		f.b = append(append(append(f.b, qualifier...), t...), ' ')
	}
	f.b = append(append(f.b, name...), " = "...)
	for _, e := range expr {
		f.b = append(f.b, e...)
	}
	f.endLine(v.Op())
}

// declareOnTop declares a C++ variable with type t and the given name at the top of the
// function, without an initializer.
func (f *function) declareOnTop(t, name string) {
	f.onTop = append(append(append(append(append(f.onTop, "  "...), t...), ' '), name...), ";\n"...)
}

// local declares a temporary variable of type t, initialized with expr, and returns its
// name.
func (f *function) local(t, expr string) (name string) {
	name = f.number("v")
	f.line(t, " ", name, " = ", expr, ";")
	return name
}

// variable declares a variable for v, which is assigned later. It reports an error and
// returns false if the type of v has no C++ equivalent.
func (f *function) variable(v *ir.Value) bool {
	t := f.typeOf(v)
	if t == "" {
		f.errorf(f.op, "assigns a value of type %s on several branches, but no C++ variable can have this type", v.Type())
		return false
	}
	f.names[v] = f.nameFor(v)
	switch {
	case f.shared[v]:
		f.declareOnTop(t, f.names[v])
	case strings.HasPrefix(t, "GlobalTensor<"):
		f.line(t, " ", f.names[v], "(nullptr);")
	default:
		f.line(t, " ", f.names[v], ";")
	}
	return true
}

// launch appends a function to the text out, and returns the extended text. The function
// runs on the host and launches the kernel op.
func (m *module) launch(out []byte, op *ir.Op) []byte {
	if !m.isEntry(op) {
		return out
	}
	ins, _ := fn.TypeOf(op)
	kernel := m.functions.of[op]
	called := kernel
	if kernel == "blocks" || kernel == "stream" { // the parameter hides the kernel
		called = "::" + kernel
	}
	var params, args strings.Builder
	for i, t := range ins {
		name, cpp := identifier(fn.Body(op).Arg(i).Name()+"_"), m.typeName(t)
		if name == kernel {
			called = "::" + kernel
		}
		if i > 0 {
			args.WriteString(", ")
		}
		if strings.HasSuffix(cpp, "*") {
			params.WriteString(", void *" + name)
			args.WriteString("(" + cpp + ")" + name)
		} else {
			params.WriteString(", " + cpp + " " + name)
			args.WriteString(name)
		}
	}
	return append(out, "#ifndef __CPU_SIM\n"+`extern "C" void launch_`+kernel+"(uint32_t blocks, void *stream"+params.String()+") {\n  "+
		called+"<<<blocks, nullptr, stream>>>("+args.String()+");\n}\n#endif\n\n"...)
}
