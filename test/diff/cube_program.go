package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"ptogo/ir/num"
)

// A cube program copies both operands, their scales, biases and the factors of columns
// from %in to L1. It then loads the operands, multiplies them, and stores the product, each
// by randomly chosen instructions. If it accesses addresses outside a memory, the Go
// runtime reports a fault, and the program does not count.

// The byte offsets of the input data in the argument %in, and the sizes of the arguments
// in bytes. The program copies the input data to L1 at the same offsets. An exception is
// the data at fracAt, a second left operand, which the program copies to the offset
// leftAt.
const (
	leftAt    = 0
	rightAt   = 64 << 10
	scalesAt  = 128 << 10
	biasAt    = 132 << 10
	factorsAt = 136 << 10
	slopesAt  = 138 << 10
	fracAt    = 140 << 10
	fracBytes = 32 << 10
	cubeIn    = fracAt + fracBytes
	cubeOut   = 64 << 10
)

// cubeProduct is a legal combination of element types of a matrix product: those of the
// left operand, of the right operand and of the accumulator.
type cubeProduct struct {
	lhs, rhs, acc string
	scaled        bool
}

var cubeProducts = []cubeProduct{
	{"f16", "f16", "f32", false}, {"bf16", "bf16", "f32", false}, {"f32", "f32", "f32", false},
	{"f8E4M3FN", "f8E5M2", "f32", false}, {"!pto.hif8", "!pto.hif8", "f32", false},
	{"i8", "i8", "i32", false}, {"ui8", "ui8", "i32", false},
	{"f8E5M2", "f8E4M3FN", "f32", true}, {"!pto.f4E2M1x2", "!pto.f4E1M2x2", "f32", true},
}

// cubeStore is a conversion of elements that a program copies out of the accumulator: the
// name of the conversion, and the source and destination element types.
type cubeStore struct{ mode, from, to string }

var cubeStores = []cubeStore{
	{"", "f32", "f32"}, {"", "f32", "f32"}, {"", "i32", "i32"},
	{"f32_f16", "f32", "f16"}, {"f32_bf16", "f32", "bf16"},
	{"qf322f16_pre", "f32", "f16"}, {"qf322bf16_pre", "f32", "bf16"}, {"qf322f32_pre", "f32", "f32"},
	{"qf322hif8_pre", "f32", "!pto.hif8"}, {"qf322fp8_pre", "f32", "f8E4M3FN"}, {"qf322fp8_pre", "f32", "f8E5M2"},
	{"qf322b8_pre", "f32", "i8"}, {"qf322b8_pre", "f32", "ui8"}, {"qf162b8_pre", "f32", "i8"}, {"qf322s4_pre", "f32", "i4"},
	{"deqs32_int", "i32", "i32"}, {"deqs16", "i32", "i16"}, {"req8", "i32", "ui8"}, {"req4", "i32", "i4"},
	{"deqf16", "i32", "f16"}, {"qs322bf16_pre", "i32", "bf16"},
}

// cubeMaker generates random programs for the cube unit.
type cubeMaker struct {
	r *rand.Rand
	b strings.Builder
	// used is the set of the names of constants and pointers that the program already
	// defines.
	used    map[string]bool
	m, n, k int
	p       cubeProduct
	to      string
}

// cubeKernel is a generated program for the cube unit, with its input data and the format
// of its output.
type cubeKernel struct {
	name, text string
	input      []byte
	// f is the number format of the output.
	f num.Format
}

func newCubeMaker(seed uint64) *cubeMaker { return &cubeMaker{r: rand.New(rand.NewPCG(seed, 3))} }

func (g *cubeMaker) line(format string, args ...any) { fmt.Fprintf(&g.b, "  "+format+"\n", args...) }

func (g *cubeMaker) coin() bool { return g.r.IntN(2) == 0 }

func (g *cubeMaker) oneOf(texts ...string) string { return texts[g.r.IntN(len(texts))] }

// num returns the name of a constant of type i64 with the value n. It adds the constant
// to the program if the program does not have it yet.
func (g *cubeMaker) num(n int) string {
	name := fmt.Sprintf("%%c%d", n)
	if !g.used[name] {
		g.used[name] = true
		g.line("%s = arith.constant %d : i64", name, n)
	}
	return name
}

// nums returns the names and the types of i64 constants with the values ns, as text for
// an operand list. It adds the constants that the program does not have yet.
func (g *cubeMaker) nums(ns ...int) (names, types string) {
	for _, n := range ns {
		names += ", " + g.num(n)
		types += ", i64"
	}
	return names, types
}

// ptr returns the name and the type of a pointer into a local memory of the core. elem is
// the element type, the parameter space is the name of the memory, and at is the byte
// offset in it. If the program does not have the pointer yet, ptr adds it.
func (g *cubeMaker) ptr(elem, space string, at int) (name, typ string) {
	typ = fmt.Sprintf("!pto.ptr<%s, %s>", elem, space)
	name = fmt.Sprintf("%%%s_%s_%d", space, strings.Trim(elem, "!pto."), at)
	if !g.used[name] {
		from := g.num(at)
		g.used[name] = true
		g.line("%s = pto.castptr %s : i64 -> %s", name, from, typ)
	}
	return name, typ
}

// global returns the name and the type of a pointer into global memory. elem is its
// element type, base is the kernel argument (in or out), and at is the byte offset from
// that argument. If the program does not have the pointer yet, global adds it.
func (g *cubeMaker) global(elem, base string, at int) (name, typ string) {
	typ = fmt.Sprintf("!pto.ptr<%s>", elem)
	name = fmt.Sprintf("%%%s_%s_%d", base, strings.Trim(elem, "!pto."), at)
	if !g.used[name] {
		g.used[name] = true
		g.line("%s_x = arith.constant %d : index", name, at)
		g.line("%s_p = pto.addptr %%%s, %s_x : !pto.ptr<ui8> -> !pto.ptr<ui8>", name, base, name)
		g.line("%s = pto.castptr %s_p : !pto.ptr<ui8> -> %s", name, name, typ)
	}
	return name, typ
}

// kernel generates a random program with the given kernel name.
func (g *cubeMaker) kernel(name string) cubeKernel {
	g.b.Reset()
	g.used = map[string]bool{}
	g.p = cubeProducts[g.r.IntN(len(cubeProducts))]
	g.m, g.n, g.k = 1+g.r.IntN(70), 1+g.r.IntN(70), 1+g.r.IntN(100)
	if g.r.IntN(6) == 0 {
		g.m = 1
	}
	in, inType := g.global("ui8", "in", 0)
	l1, l1Type := g.ptr("ui8", "l1", 0)
	size, one := g.num(cubeIn), g.num(1)
	g.line("pto.mte_gm_l1 %s, %s, %s nburst(%s, %s, %s) : %s, %s, i64, i64, i64, i64", in, l1, size, one, size, size, inType, l1Type)
	if !strings.Contains(g.p.lhs, "x2") && g.coin() {
		g.fractals()
	}
	g.fill()
	g.operand("l0a", g.p.lhs, leftAt, g.m)
	g.operand("l0b", g.p.rhs, rightAt, g.n)
	g.params()
	g.mad()
	g.store()
	text := fmt.Sprintf("func.func @%s(%%in: !pto.ptr<ui8>, %%out: !pto.ptr<ui8>) attributes {pto.kernel} {\n%s  return\n}\n", name, g.b.String())
	return cubeKernel{name: name, text: text, input: g.data(), f: formatOf(g.to)}
}

func formatOf(elem string) num.Format {
	if f, ok := num.ParseFormat(strings.TrimSuffix(strings.TrimPrefix(elem, "!pto."), "x2")); ok {
		return f
	}
	panic("no format " + elem)
}

// fractals adds an instruction that copies the left operand from global memory to L1 once
// more, and thereby arranges it in fractals (blocks of 16 rows of 32 bytes). At random,
// the instruction treats the source as stored row by row or column by column.
func (g *cubeMaker) fractals() {
	gm, gmType := g.global(g.p.lhs, "in", fracAt)
	l1, l1Type := g.ptr(g.p.lhs, "l1", leftAt)
	size := formatOf(g.p.lhs).Bytes()
	mode, inner := "nd2nz", g.k*size+g.r.IntN(3)*size
	if g.coin() {
		mode, inner = "dn2nz", g.m*size+g.r.IntN(3)*size
	}
	d, small := g.k, "false"
	if g.r.IntN(5) == 0 {
		d, small = 1+g.r.IntN(4), "true"
	}
	n := map[string]string{}
	for name, x := range map[string]int{"n": g.m, "d": d, "inner": inner, "outer": 64, "count": 1 + g.r.IntN(2), "one": 1, "pitch": (g.m + 15) / 16 * 16, "next": 64 * g.r.IntN(3), "zero": 0} {
		n[name] = g.num(x)
	}
	if !g.used["%"+small] {
		g.used["%"+small] = true
		g.line("%%%s = arith.constant %s", small, small)
	}
	g.line("pto.mte_gm_l1_frac %s, %s, %s, shape(%s, %s), src_layout(%s, %s), dst_group(%s, %s, %s, %s), ctrl(%s, %%%s) : %s, %s, %s, shape i64, i64, src_layout(i64, i64), dst_group i64, i64, i64, i64, ctrl i64, i1",
		gm, l1, mode, n["n"], n["d"], n["inner"], n["outer"], n["count"], n["one"], n["pitch"], n["next"], n["zero"], small, gmType, l1Type, mode)
}

// fill sometimes adds an instruction that fills a random range of the right operand with
// a constant 16-bit word.
func (g *cubeMaker) fill() {
	if g.coin() {
		return
	}
	l1, l1Type := g.ptr("ui16", "l1", rightAt)
	names, types := g.nums(g.r.IntN(4), 1+g.r.IntN(3), g.r.IntN(3))
	offset := g.num(32 * g.r.IntN(8))
	g.line("%%word = arith.constant 1006648320 : i32") // ones of f16
	g.line("pto.raw_fill_l1 %s, %s, %%word%s {fill_word_bits = %s : i64} : %s, i64, i32%s", l1, offset, names, g.oneOf("16", "32"), l1Type, types)
}

// operand adds an instruction to the program that loads one operand of the product from
// L1 to an operand buffer. space is the name of that buffer (l0a or l0b), and elem is the
// element type. at is the byte offset of the operand in L1, and rows is its number of
// rows.
func (g *cubeMaker) operand(space, elem string, at, rows int) {
	from, fromType := g.ptr(elem, "l1", at)
	to, toType := g.ptr(elem, space, 0)
	unit := 256 / formatOf(elem).Bits()
	turned := g.oneOf("", " {transpose = true}")
	x, y := rows, g.k
	if space == "l0b" {
		x, y = g.k, rows
	}
	names, types := g.nums(x, y, 16*g.r.IntN(2), unit*g.r.IntN(2))
	if g.r.IntN(3) == 0 { // fractal by fractal
		high, wide := (rows+15)/16, (g.k+unit-1)/unit
		names, types = g.nums(g.r.IntN(2), g.r.IntN(2), high, wide, high+g.r.IntN(2), high)
	}
	g.line("pto.mte_l1_%s %s, %s%s%s : %s, %s%s", space, from, to, names, turned, fromType, toType, types)
	if g.p.scaled {
		scales, scalesType := g.ptr(elem, "l1", scalesAt+2048*len(space[3:])*strings.Index("ab", space[2:]))
		names, types := g.nums(x, y)
		if g.r.IntN(3) == 0 { // fractal by fractal
			bands, pairs := (rows+15)/16, (g.k+63)/64
			names, types = g.nums(g.r.IntN(2), g.r.IntN(2), bands, pairs, pairs+g.r.IntN(2), pairs)
		}
		g.line("pto.mte_l1_%s_mx %s, %s%s : %s, %s%s", space, scales, to, names, scalesType, toType, types)
	}
}

// params adds two instructions to the program. They copy biases, and quantization factors
// of the columns, from L1 to the parameter memories of the cube core.
func (g *cubeMaker) params() {
	bias, biasType := g.ptr(g.p.acc, "l1", biasAt)
	bt, btType := g.ptr(g.p.acc, "bt", 0)
	factors, factorsType := g.ptr("f32", "l1", factorsAt)
	fb, fbType := g.ptr("f32", "fb", 0)
	one, zero, n, many := g.num(1), g.num(0), g.num(16), g.num(48)
	g.line("pto.mte_l1_bt %s, %s, %s nburst(%s, %s, %s) : %s, %s, i64, i64, i64, i64", bias, bt, n, one, zero, zero, biasType, btType)
	g.line("pto.mte_l1_fb %s, %s, %s nburst(%s, %s, %s) : %s, %s, i64, i64, i64, i64", factors, fb, many, one, zero, zero, factorsType, fbType)
}

// mad adds instructions for one or two matrix products to the program.
func (g *cubeMaker) mad() {
	a, aType := g.ptr(g.p.lhs, "l0a", 0)
	b, bType := g.ptr(g.p.rhs, "l0b", 0)
	c, cType := g.ptr(g.p.acc, "l0c", 0)
	d, dType := g.ptr(g.p.acc, "bt", 0)
	if g.r.IntN(4) == 0 && g.p.lhs != "ui8" { // which tiles of products do not have
		g.tileProduct()
		return
	}
	names, types := g.nums(g.m, g.n, g.k)
	name := "pto.mad"
	if g.p.scaled {
		name += "_mx"
	}
	rules := g.oneOf("", " disable_gemv")
	if g.p.acc == "f32" {
		rules += g.oneOf("", "", " sat")
	}
	if g.p.lhs == "f32" {
		rules += g.oneOf("", " tf32_mode(round_even)", " tf32_mode(round_away)")
	}
	if g.coin() {
		g.line("%s %s, %s, %s%s%s : %s, %s, %s%s", name, a, b, c, names, rules, aType, bType, cType, types)
		if g.coin() {
			g.line("%s_acc %s, %s, %s%s%s : %s, %s, %s%s", name, a, b, c, names, rules, aType, bType, cType, types)
		}
		return
	}
	g.line("%s_bias %s, %s, %s, %s%s%s : %s, %s, %s, %s%s", name, a, b, c, d, names, rules, aType, bType, cType, dType, types)
}

// tileProduct adds a tile instruction for a matrix product to the program, in place of
// the product instruction on pointers that mad would otherwise add. The tiles have the
// addresses of the operands of that instruction.
func (g *cubeMaker) tileProduct() {
	up := func(n, unit int) int { return (n + unit - 1) / unit * unit }
	unit, groups := 256/formatOf(g.p.lhs).Bits(), (g.k+31)/32
	if g.p.scaled {
		unit = 64
	}
	tile := func(name, loc, elem string, rows, cols, vrows, vcols int, layout string) (string, string) {
		typ := fmt.Sprintf("!pto.tile_buf<%s, %dx%dx%s, valid=%dx%d, %s>", loc, rows, cols, elem, vrows, vcols, layout)
		zero := g.num(0)
		g.line("%%%s = pto.alloc_tile addr = %s : %s", name, zero, typ)
		return "%" + name, typ
	}
	const byRow, byCol = "blayout=col_major, slayout=row_major", "slayout=col_major"
	a, aType := tile("ta", "left", g.p.lhs, up(g.m, 16), up(g.k, unit), g.m, g.k, byRow)
	b, bType := tile("tb", "right", g.p.rhs, up(g.k, unit), up(g.n, 16), g.k, g.n, byCol)
	c, cType := tile("tc", "acc", g.p.acc, up(g.m, 16), up(g.n, 16), g.m, g.n, byRow+", fractal=1024")
	if !g.p.scaled {
		g.line("pto.tmatmul ins(%s, %s : %s, %s) outs(%s : %s)", a, b, aType, bType, c, cType)
		return
	}
	x, xType := tile("tx", "scaling", "f16", up(g.m, 16), up(groups, 2), g.m, groups, "slayout=row_major, fractal=32")
	y, yType := tile("ty", "scaling", "f16", up(groups, 2), up(g.n, 16), groups, g.n, "blayout=col_major, slayout=col_major, fractal=32")
	g.line("pto.tmatmul.mx ins(%s, %s, %s, %s : %s, %s, %s, %s) outs(%s : %s)", a, x, b, y, aType, xType, bType, yType, c, cType)
}

// store adds an instruction that copies the product out of the accumulator.
func (g *cubeMaker) store() {
	s := cubeStores[g.r.IntN(len(cubeStores))]
	for s.from != g.p.acc {
		s = cubeStores[g.r.IntN(len(cubeStores))]
	}
	g.to = s.to
	c, cType := g.ptr(g.p.acc, "l0c", 0)
	out, outType := g.global(s.to, "out", 0)
	pitch := (g.m + 15) / 16 * 16
	names, types := g.nums(g.m, g.n, pitch, max(g.m, g.n)+g.r.IntN(3), 0, 0)
	clauses := g.conversion(s, &types)
	mode := g.oneOf("", ", nz2nd", ", nz2dn")
	switch {
	case mode == ", nz2dn":
		mode, types = fmt.Sprintf(", nz2dn(%s)", g.num(1)), types+", i64"
	case s.to == "f32" && g.coin():
		mode, types = fmt.Sprintf(", nz2nz(%s)", g.num(g.r.IntN(2))), types+", i64"
	}
	if mode != "" && !strings.Contains(mode, "nz2nz") && g.r.IntN(3) == 0 {
		mode, types = mode+fmt.Sprintf(", loop3(%s, %s, %s)", g.num(2), g.num(1), g.num(2*g.r.IntN(100))), types+", i64, i64, i64"
	}
	sat := g.oneOf("", ", sat", ", nosat", ", sat(preserve_nan)")
	if s.to == "f32" && g.r.IntN(3) == 0 {
		sat += ", atomic(type = f32, op = " + g.oneOf("add", "max", "min") + ")"
	}
	g.line("pto.mte_l0c_gm %s, %s%s%s%s%s : %s, %s%s", c, out, names, clauses, mode, sat, cType, outType, types)
}

// conversion returns the text of random clauses that describe how the store s converts
// elements. It adds the operands of these clauses to the program, and appends the types
// of the operands to the text that the parameter types points to.
func (g *cubeMaker) conversion(s cubeStore, types *string) (clauses string) {
	g.line("%%factor = arith.constant %e : f32", math.Ldexp(1+g.r.Float64(), g.r.IntN(6)-4))
	fb, fbType := g.ptr("f32", "fb", 0)
	slopes, slopesType := g.ptr("f32", "fb", slopesAt-factorsAt)
	quant := ""
	switch {
	case s.mode == "":
	case strings.HasPrefix(s.mode, "f32_"):
		quant, *types = fmt.Sprintf(", pre_quant(%%factor, mode = %s)", s.mode), *types+", f32"
	case g.coin():
		quant, *types = fmt.Sprintf(", pre_quant(%%factor, mode = %s_scalar)", s.mode), *types+", f32"
	default:
		quant, *types = fmt.Sprintf(", pre_quant(%s, mode = %s_vec)", fb, s.mode), *types+", "+fbType
	}
	relu, clip := "", ""
	if s.to == "f16" && g.coin() {
		g.line("%%clip = arith.constant 6.0 : f16")
		clip = ", clip = %clip"
	}
	switch g.r.IntN(4) {
	case 0:
		relu = ", pre_relu(mode = normal_relu" + clip + ")"
	case 1:
		relu, *types = ", pre_relu(%factor, mode = scalar_relu"+clip+")", *types+", f32"
	case 2:
		relu, *types = fmt.Sprintf(", pre_relu(%s, mode = vector_relu%s)", slopes, clip), *types+", "+slopesType
	default:
		clip = ""
	}
	if clip != "" {
		*types += ", f16"
	}
	return quant + relu
}

// data generates random elements for all inputs.
func (g *cubeMaker) data() []byte {
	b := make([]byte, cubeIn)
	put := func(elem string, from, to int) {
		f := formatOf(elem)
		for at := from; at < to; at += f.Bytes() {
			num.Store(f, b[at:], g.element(f))
		}
	}
	put(g.p.lhs, leftAt, rightAt)
	put(g.p.rhs, rightAt, scalesAt)
	put(g.p.acc, biasAt, factorsAt)
	put("f32", factorsAt, fracAt)
	put(g.p.lhs, fracAt, cubeIn)
	for at := scalesAt; at < biasAt; at++ {
		b[at] = byte(120 + g.r.IntN(14))
	}
	for at := factorsAt + 4; at < slopesAt; at += 8 { // the upper half of the words of columns
		num.Store(num.U32, b[at:], uint64(g.r.Uint32()))
	}
	return b
}

// element returns the bits of a random number, usually of moderate size and rarely a
// special value.
func (g *cubeMaker) element(f num.Format) uint64 {
	if f.Bits() == 4 {
		return g.r.Uint64() // two of them, whatever they are
	}
	if g.r.IntN(400) == 0 {
		return value(g.r, f)
	}
	if f.IsInt() {
		return g.r.Uint64() & f.Mask()
	}
	return num.Encode(f, math.Ldexp(g.r.NormFloat64(), g.r.IntN(4)), num.NearestEven, false)
}

// same returns an error if got and want, the outputs of two runs, differ. All NaNs of f32
// count as equal.
func (k *cubeKernel) same(got, want []byte) error {
	for at := 0; at < cubeOut; at += 4 {
		g, w := num.Load(num.U32, got[at:]), num.Load(num.U32, want[at:])
		if !alike(k.f, g, w) {
			return fmt.Errorf("the word at byte %d is %#x, want %#x", at, g, w)
		}
	}
	return nil
}
