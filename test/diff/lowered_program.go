package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// A lowered program is a random program of vmi instructions, which is compared with what
// the passes on them make of it. Vectors have 1 to 512 lanes.

const (
	rowInput = 16 << 10 // bytes of input; the second half holds small whole numbers
	rowSlot  = 4 << 10  // bytes of the output for one stored value
	rowSlots = 10
	rowFrom  = 64 << 10 // where output starts in the unified buffer
)

// rowElems lists the element types of vectors.
var rowElems = []string{"f32", "f16", "bf16", "i32", "ui32", "si32", "i16", "ui16", "si16", "i8", "ui8", "si8", "f8E4M3FN", "f8E5M2"}

// rowValue is a vector, or a mask if elem is "".
type rowValue struct {
	name  string
	lanes int
	elem  string
	// whole reports whether the elements are small integers, so that sums of them are
	// exact in every order of additions.
	whole bool
}

// typ returns the VMI type of the value as text.
func (v rowValue) typ() string {
	if v.elem == "" {
		return fmt.Sprintf("!pto.vmi.mask<%dxpred>", v.lanes)
	}
	return fmt.Sprintf("!pto.vmi.vreg<%dx%s>", v.lanes, v.elem)
}

// rowMaker generates random programs of VMI instructions.
type rowMaker struct {
	r      *rand.Rand
	b      strings.Builder
	n      int
	values []rowValue
	// stored holds the element types of the values that the program stores, one for each
	// used output slot.
	stored []string
	depth  int
	// counts holds the names of values of type index that are not constants, such as loop
	// counters.
	counts []string
	used   map[string]int
}

// lanes returns a random number of lanes for the vectors of the generated program.
func (m *rowMaker) lanes() int {
	common := []int{1, 2, 4, 8, 16, 32, 64, 64, 128, 128, 256, 256, 512, 100, 192, 384}
	if m.r.IntN(3) > 0 {
		return common[m.r.IntN(len(common))]
	}
	return 1 + m.r.IntN(512)
}

func (m *rowMaker) line(format string, args ...any) { fmt.Fprintf(&m.b, "  "+format+"\n", args...) }

func (m *rowMaker) fresh() string {
	m.n++
	return fmt.Sprintf("%%v%d", m.n)
}

// emit adds the instruction pto.vmi.NAME to the program and returns its result, a vector
// with the given number of lanes and element type. rest is a format string for the text
// after the name, and args are its arguments.
func (m *rowMaker) emit(lanes int, elem, name, rest string, args ...any) rowValue {
	v := rowValue{name: m.fresh(), lanes: lanes, elem: elem}
	m.used[name]++
	m.line("%s = pto.vmi.%s %s -> %s", v.name, name, fmt.Sprintf(rest, args...), v.typ())
	m.values = append(m.values, v)
	return v
}

// size returns the size in bytes of an element of the named type.
func size(elem string) int { return pto.ByteSize(elemType(elem)) }

// elemType returns the element type with the given name.
func elemType(elem string) ir.Type {
	if f, ok := num.ParseFormat(elem); ok && f.IsInt() {
		sign := map[byte]ir.Sign{'s': ir.Signed, 'u': ir.Unsigned, 'i': ir.Signless}[elem[0]]
		return ir.TypeOf(ir.IntegerType{Width: uint32(f.Bits()), Sign: sign})
	}
	return ir.TypeOf(ir.FloatType{Name: elem})
}

// isInt reports whether elem names an integer type.
func isInt(elem string) bool {
	return strings.ContainsAny(elem[:1], "iu") || strings.HasPrefix(elem, "si")
}

// pick returns a random one of the given values.
func pick[T any](m *rowMaker, words ...T) T { return words[m.r.IntN(len(words))] }

// pointer adds a pointer into the unified buffer to the program and returns its name.
// elem is the element type, and at is the byte offset in the buffer.
func (m *rowMaker) pointer(elem string, at int) string {
	n, p := m.fresh(), m.fresh()
	m.line("%s = arith.constant %d : i64", n, at)
	m.line("%s = pto.castptr %s : i64 -> !pto.ptr<%s, ub>", p, n, elem)
	return p
}

// index returns the name of a constant of type index with the value k, and adds the
// constant to the program.
func (m *rowMaker) index(k int) string {
	n := m.fresh()
	m.line("%s = arith.constant %d : index", n, k)
	return n
}

// load adds a load instruction to the generated program and returns the loaded vector.
// The vector has the given number of lanes and element type, and is loaded from a random
// offset of the input.
func (m *rowMaker) load(lanes int, elem string) rowValue {
	at := 32 * m.r.IntN((rowInput/2-2304)/32)
	whole := m.r.IntN(3) == 0 && slices.Contains(floatElems, elem)
	if whole {
		at = rowInput/2 + rowInput/4*slices.Index(floatElems, elem) + 32*m.r.IntN((rowInput/4-2304)/32)
	}
	v := m.emit(lanes, elem, "vload", "%s[%%c0] : !pto.ptr<%s, ub>", m.pointer(elem, at), elem)
	v.whole = whole
	m.values[len(m.values)-1] = v
	return v
}

// vector returns a vector with the given lanes and element type: usually an existing one,
// otherwise a newly loaded one.
func (m *rowMaker) vector(lanes int, elem string) rowValue {
	var fit []rowValue
	for _, v := range m.values {
		if v.lanes == lanes && v.elem == elem {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 && m.r.IntN(4) > 0 {
		return fit[m.r.IntN(len(fit))]
	}
	return m.load(lanes, elem)
}

// any returns a vector whose element type is one of elems.
func (m *rowMaker) any(elems ...string) rowValue {
	var fit []rowValue
	for _, v := range m.values {
		if slices.Contains(elems, v.elem) {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 && m.r.IntN(4) > 0 {
		return fit[m.r.IntN(len(fit))]
	}
	return m.load(m.lanes(), pick(m, elems...))
}

// mask returns a mask with the given number of lanes: usually one that the program
// already has, otherwise a new one.
func (m *rowMaker) mask(lanes int) rowValue {
	var fit []rowValue
	for _, v := range m.values {
		if v.lanes == lanes && v.elem == "" {
			fit = append(fit, v)
		}
	}
	if len(fit) > 0 && m.r.IntN(3) > 0 {
		return fit[m.r.IntN(len(fit))]
	}
	switch m.r.IntN(6) {
	case 0:
		v := rowValue{name: m.fresh(), lanes: lanes}
		m.line("%s = pto.vmi.pset \"PAT_ALL\" : %s", v.name, v.typ())
		m.values = append(m.values, v)
		return v
	case 1:
		groups := m.groups(lanes)
		return m.emit(lanes, "", "create_group_mask", "%s {num_groups = %d : i64, group_size = %d : i64} : index", m.count(lanes/groups), groups, lanes/groups)
	case 2:
		v := rowValue{name: m.fresh(), lanes: lanes}
		bits := make([]string, lanes)
		for i := range bits {
			bits[i] = pick(m, "true", "false", "false")
		}
		m.line("%s = \"pto.vmi.constant_mask\"() <{value = dense<[%s]> : vector<%dxi1>}> : () -> %s", v.name, strings.Join(bits, ", "), lanes, v.typ())
		m.values = append(m.values, v)
		return v
	case 3:
		x := m.vector(lanes, pick(m, "f32", "f16", "ui16", "si32", "ui8"))
		y := m.vector(lanes, x.elem)
		return m.compare(x, y, m.prefix(lanes))
	}
	return m.prefix(lanes)
}

// compare adds a comparison of the vectors x and y to the program and returns the
// resulting mask. Only lanes that the mask seed selects are compared; the others are
// clear in the result.
func (m *rowMaker) compare(x, y, seed rowValue) rowValue {
	relations := []string{"eq", "ne", "lt", "le", "gt", "ge"}
	if !isInt(x.elem) {
		relations = append(relations, "oeq", "one", "olt", "ole", "ogt", "oge")
	}
	return m.emit(x.lanes, "", "vcmp", "%s, %s, %s {cmp = %q} : %s, %s, %s", x.name, y.name, seed.name, pick(m, relations...), x.typ(), y.typ(), seed.typ())
}

// prefix adds an instruction to the generated program and returns its result, a mask for
// vectors with the given number of lanes. The mask selects a random number of lanes,
// starting with the first one.
func (m *rowMaker) prefix(lanes int) rowValue {
	return m.emit(lanes, "", "create_mask", "%s : index", m.count(lanes))
}

// count returns the name of a value of type index. An instruction uses this value as the
// number of lanes to select from a vector with n lanes. The value is either a random
// constant from 0 to n + 1, so that numbers out of range are tested too, or a value that
// is not constant.
func (m *rowMaker) count(n int) string {
	if len(m.counts) > 0 && m.r.IntN(2) == 0 {
		return pick(m, m.counts...)
	}
	return m.index(m.r.IntN(n + 2))
}

// groups returns a random number of groups that divides the number of lanes.
func (m *rowMaker) groups(lanes int) int {
	var ds []int
	for g := 1; g <= min(lanes, 64); g++ {
		if lanes%g == 0 {
			ds = append(ds, g)
		}
	}
	return pick(m, ds...)
}

// step adds one random instruction to the program.
func (m *rowMaker) step() {
	steps := []func(){
		m.arithmetic, m.arithmetic, m.arithmetic, m.masked, m.masked, m.withScalar, m.choose, m.masksLogic, m.convert, m.convert, m.reduce, m.reduce,
		m.broadcast, m.broadcast, m.count2, m.rearrange, m.shuffle, m.channels, m.groupLoad, m.groupStore, m.specialLoad, m.special, m.gather, m.storeOne,
	}
	if m.depth < 2 {
		steps = append(steps, m.loop, m.branch)
	}
	pick(m, steps...)()
}

var (
	arithElems = []string{"f32", "f16", "bf16", "i32", "ui32", "si32", "i16", "ui16", "si16", "i8", "ui8", "si8"}
	floatElems = []string{"f32", "f16"}
)

// function returns the name of an elementwise instruction that supports elements of type
// elem, and the number of its vector operands.
func (m *rowMaker) function(elem string) (string, int) {
	names := []string{"vadd", "vsub", "vmax", "vmin"}
	unary := []string{}
	if size(elem) > 1 {
		names = append(names, "vmul")
	}
	if slices.Contains(floatElems, elem) {
		names = append(names, "vdiv")
		unary = append(unary, "vneg", "vabs", "vsqrt", "vexp", "vln", "vrelu")
	}
	if isInt(elem) {
		names = append(names, "vand", "vor", "vxor", "vshl", "vshr")
		unary = append(unary, "vneg", "vnot")
		if strings.HasPrefix(elem, "s") {
			unary = append(unary, "vabs")
		}
	}
	if len(unary) > 0 && m.r.IntN(3) == 0 {
		return pick(m, unary...), 1
	}
	return pick(m, names...), 2
}

// arithmetic adds an elementwise instruction on all lanes of its operands to the program.
func (m *rowMaker) arithmetic() {
	x := m.any(arithElems...)
	name, n := m.function(x.elem)
	if n == 1 {
		m.emit(x.lanes, x.elem, name, "%s : %s", x.name, x.typ())
		return
	}
	y := m.vector(x.lanes, x.elem)
	m.emit(x.lanes, x.elem, name, "%s, %s : %s, %s", x.name, y.name, x.typ(), y.typ())
}

// mode returns the text of attribute pmode, which determines the value of lanes that a
// mask does not select. The text is "" in a third of the cases, because the attribute is
// optional.
func (m *rowMaker) mode() string { return pick(m, "", ` {pmode = "zero"}`, ` {pmode = "merge"}`) }

// masked adds an elementwise instruction with a mask to the program.
func (m *rowMaker) masked() {
	x := m.any(arithElems...)
	name, n := m.function(x.elem)
	mask := m.mask(x.lanes)
	if n == 1 {
		m.emit(x.lanes, x.elem, name, "%s, %s%s : %s, %s", x.name, mask.name, m.mode(), x.typ(), mask.typ())
		return
	}
	y := m.vector(x.lanes, x.elem)
	m.emit(x.lanes, x.elem, name, "%s, %s, %s%s : %s, %s, %s", x.name, y.name, mask.name, m.mode(), x.typ(), y.typ(), mask.typ())
}

// scalar adds a random scalar constant to the program, as an operand for vectors with
// elements of type elem. It returns the name and the type of the constant. For integer
// elements, this type is signless.
func (m *rowMaker) scalar(elem string) (name, typ string) {
	typ = strings.TrimLeft(elem, "us")
	if !isInt(elem) {
		typ = elem
	}
	f, _ := num.ParseFormat(typ)
	name = m.fresh()
	m.line("%s = arith.constant %s : %s", name, constantText(f, value(m.r, f)), typ)
	return name, typ
}

// withScalar adds an elementwise instruction on a vector and a scalar to the program.
func (m *rowMaker) withScalar() {
	x := m.any(arithElems...)
	names := []string{"vadds", "vmaxs", "vmins"}
	if size(x.elem) > 1 && x.elem != "bf16" {
		names = append(names, "vmuls")
	}
	if isInt(x.elem) {
		names = append(names, "vshls", "vshrs")
	}
	name := pick(m, names...)
	s, t := m.scalar(x.elem)
	if strings.HasPrefix(name, "vsh") {
		s, t = m.fresh(), "i16"
		m.line("%s = arith.constant %d : i16", s, m.r.IntN(8*size(x.elem)))
	}
	mask := m.mask(x.lanes)
	m.emit(x.lanes, x.elem, name, "%s, %s, %s%s : %s, %s, %s", x.name, s, mask.name, m.mode(), x.typ(), t, mask.typ())
}

// choose adds an instruction to the program that selects each lane from one of two
// vectors.
func (m *rowMaker) choose() {
	x := m.any(rowElems...)
	y, mask := m.vector(x.lanes, x.elem), m.mask(x.lanes)
	m.emit(x.lanes, x.elem, "vsel", "%s, %s, %s : %s, %s, %s", mask.name, x.name, y.name, mask.typ(), x.typ(), y.typ())
}

// masksLogic adds an instruction to the program that combines masks bit by bit, or that
// compares a vector with a scalar.
func (m *rowMaker) masksLogic() {
	x := m.mask(m.any(arithElems...).lanes)
	if m.r.IntN(3) == 0 {
		v := m.vector(x.lanes, pick(m, "f32", "f16", "ui16", "i32", "si8"))
		s, t := m.scalar(v.elem)
		m.emit(x.lanes, "", "vcmps", "%s, %s, %s {cmp = %q} : %s, %s, %s", v.name, s, x.name, pick(m, "lt", "ge", "eq", "ne"), v.typ(), t, x.typ())
		return
	}
	if name := pick(m, "vand", "vor", "vxor", "vnot"); name != "vnot" {
		y := m.mask(x.lanes)
		m.emit(x.lanes, "", name, "%s, %s : %s, %s", x.name, y.name, x.typ(), y.typ())
	} else {
		m.emit(x.lanes, "", name, "%s : %s", x.name, x.typ())
	}
}

// conversions lists the legal conversions: source type, destination type and attributes.
var conversions = [][3]string{
	{"f16", "f32", ""}, {"bf16", "f32", ""}, {"f32", "f16", `rounding = "R", saturate = "SAT"`}, {"f32", "f16", `rounding = "Z", saturate = "NOSAT"`},
	{"f32", "bf16", `saturate = "SAT"`}, {"f32", "f8E4M3FN", `saturate = "SAT"`}, {"f8E4M3FN", "f32", ""}, {"f8E5M2", "f32", ""}, {"f32", "f8E5M2", `saturate = "SAT"`},
	{"f32", "si32", `saturate = "SAT"`}, {"f32", "si16", `saturate = "SAT"`}, {"f16", "si32", ""}, {"f16", "si16", `saturate = "NOSAT"`}, {"f16", "si8", `saturate = "SAT"`},
	{"f16", "ui8", `saturate = "SAT"`}, {"si32", "f32", ""}, {"si16", "f32", ""}, {"bf16", "si32", `saturate = "SAT"`}, {"bf16", "f16", `saturate = "SAT"`},
	{"si8", "si16", ""}, {"si8", "si32", ""}, {"ui8", "ui16", ""}, {"ui8", "ui32", ""}, {"i8", "i16", ""}, {"i16", "i32", ""}, {"ui16", "ui32", ""}, {"si16", "si32", ""},
	{"i32", "i16", `saturate = "NOSAT"`}, {"i32", "i8", `saturate = "NOSAT"`}, {"ui32", "ui8", `saturate = "SAT"`}, {"ui32", "ui16", `saturate = "SAT"`},
	{"si32", "si16", `saturate = "SAT"`}, {"si32", "ui8", `saturate = "SAT"`}, {"ui16", "ui8", `saturate = "NOSAT"`}, {"si16", "ui8", `saturate = "SAT"`},
	{"si8", "f16", ""}, {"si8", "f32", ""}, {"si16", "f16", ""}, {"si32", "f16", ""}, {"si32", "bf16", ""}, {"f8E4M3FN", "f16", ""}, {"bf16", "f8E4M3FN", `saturate = "SAT"`},
	{"i32", "ui16", `saturate = "SAT"`}, {"i16", "ui8", `saturate = "SAT"`}, {"ui8", "si16", ""},
}

// convert adds an instruction to the program that converts a vector to another element
// type.
func (m *rowMaker) convert() {
	c := pick(m, conversions...)
	x := m.any(c[0])
	attrs := ""
	if c[2] != "" {
		attrs = " {" + c[2] + "}"
	}
	m.emit(x.lanes, c[1], "vcvt", "%s%s : %s", x.name, attrs, x.typ())
}

// loop adds a loop to the generated program. The loop carries a vector and a mask from
// one iteration to the next.
func (m *rowMaker) loop() {
	x := m.any(arithElems...)
	mask := m.mask(x.lanes)
	v, w := rowValue{m.fresh(), x.lanes, x.elem, false}, rowValue{m.fresh(), x.lanes, "", false}
	i, a, b := m.fresh(), m.fresh(), m.fresh()
	m.line("%s, %s = scf.for %s = %%c0 to %%c3 step %%c1 iter_args(%s = %s, %s = %s) -> (%s, %s) {", v.name, w.name, i, a, x.name, b, mask.name, x.typ(), mask.typ())
	outer := len(m.values)
	m.values = append(m.values, rowValue{a, x.lanes, x.elem, false}, rowValue{b, x.lanes, "", false})
	m.counts = append(m.counts, i)
	out := m.inside(x.lanes, x.elem)
	next := rowValue{b, x.lanes, "", false}
	m.line("scf.yield %s, %s : %s, %s", out.name, next.name, out.typ(), next.typ())
	m.line("}")
	m.values, m.counts = append(m.values[:outer:outer], v, w), m.counts[:len(m.counts)-1]
}

// branch adds an if operation to the program. Each of the two regions of this operation
// yields a vector.
func (m *rowMaker) branch() {
	x := m.any(arithElems...)
	v := rowValue{m.fresh(), x.lanes, x.elem, false}
	c := m.fresh()
	m.line("%s = arith.constant %s", c, pick(m, "true", "false"))
	m.line("%s = scf.if %s -> (%s) {", v.name, c, v.typ())
	for k := range 2 {
		out := m.inside(x.lanes, x.elem)
		m.line("scf.yield %s : %s", out.name, out.typ())
		if k == 0 {
			m.line("} else {")
		}
	}
	m.line("}")
	m.values = append(m.values, v)
}

// kernel generates a program with the given name.
func (m *rowMaker) kernel(name string) vectorKernel {
	m.b.Reset()
	m.values, m.stored, m.n, m.counts = nil, nil, 0, nil
	for range 2 + m.r.IntN(10) {
		m.step()
	}
	for !m.full() && len(m.values) > 0 {
		x := m.values[max(0, len(m.values)-1-m.r.IntN(rowSlots))]
		if x.elem == "" {
			one, zero := m.vector(x.lanes, "ui8"), m.vector(x.lanes, "ui8")
			x = m.emit(x.lanes, "ui8", "vsel", "%s, %s, %s : %s, %s, %s", x.name, one.name, zero.name, x.typ(), one.typ(), zero.typ())
		}
		m.line("pto.vmi.vstore %s, %s[%%c0] : %s, !pto.ptr<%s, ub>", x.name, m.pointer(x.elem, m.slot(x.elem)), x.typ(), x.elem)
	}
	k := vectorKernel{name: name, input: m.data(), results: slices.Clone(m.stored)}
	k.text = framed(name, m.b.String())
	return k
}

// framed returns the text of a kernel with the given name. The kernel copies its input to
// the unified buffer, executes the instructions body, and copies the output back.
func framed(name, body string) string {
	return fmt.Sprintf(`func.func @%s(%%in: !pto.ptr<ui8>, %%out: !pto.ptr<ui8>) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c3 = arith.constant 3 : index
  %%c1024 = arith.constant 1024 : index
  %%zero = arith.constant 0 : i64
  %%one = arith.constant 1 : i64
  %%size = arith.constant %d : i64
  %%room = arith.constant %d : i64
  %%from = arith.constant %d : i64
  %%ub = pto.castptr %%zero : i64 -> !pto.ptr<ui8, ub>
  %%to = pto.castptr %%from : i64 -> !pto.ptr<ui8, ub>
  pto.mte_gm_ub %%in, %%ub, %%zero, %%size nburst(%%one, %%size, %%size) : !pto.ptr<ui8>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
%s  }
  pto.mte_ub_gm %%to, %%out, %%room nburst(%%one, %%room, %%room) : !pto.ptr<ui8, ub>, !pto.ptr<ui8>, i64, i64, i64, i64
  return
}
`, name, rowInput, rowSlot*rowSlots, rowFrom, body)
}

// data generates the contents of the input buffer of the random program: random numbers
// in the first half, small integers in the second half.
func (m *rowMaker) data() []byte {
	b := make([]byte, rowInput)
	for i := 0; i < len(b); i += 64 {
		f, _ := num.ParseFormat(pick(m, "f32", "f16", "bf16", "i32", "i16", "i8"))
		x := func() uint64 { return value(m.r, f) }
		if i >= rowInput/2 {
			f, _ = num.ParseFormat(floatElems[(i-rowInput/2)/(rowInput/4)])
			x = func() uint64 { return num.Encode(f, float64(m.r.IntN(9)-4), num.NearestEven, false) }
		}
		for k := i; k < i+64; k += f.Bytes() {
			num.Store(f, b[k:], x())
		}
	}
	return b
}
