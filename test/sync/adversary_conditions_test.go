package sync

import "math"

var nan = float32(math.NaN())

// integer types of conditions and addresses.
var integers = []string{"i1", "i8", "i16", "i32", "i64", "index"}

var integerWidths = map[string]int{"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}

// scalar returns an unknown integer of a type: an argument or a loop counter, converted.
func (g *adversary) scalar(typ string) string {
	name, from := "%a", "i32"
	switch k := g.IntN(6); {
	case k == 0:
		name = "%b"
	case k == 1:
		name, from = "%w", "i64"
	case k == 2:
		name, from = "%n", "index"
	case k == 3 && len(g.loops) > 0:
		name, from = g.loops[g.IntN(len(g.loops))], "index"
	}
	return g.convert(name, from, typ)
}

// convert converts an integer to another type, by a signed or an unsigned conversion.
func (g *adversary) convert(v, from, to string) string {
	if from == to {
		return v
	}
	r := g.name("z")
	signed := g.IntN(2) == 0
	pick := func(s, u string) string {
		if signed {
			return s
		}
		return u
	}
	op := "trunci"
	switch {
	case from == "index" || to == "index":
		op = pick("index_cast", "index_castui")
	case integerWidths[to] > integerWidths[from]:
		op = pick("extsi", "extui")
	}
	g.put("%s = arith.%s %s : %s to %s", r, op, v, from, to)
	return r
}

func (g *adversary) binary(op, a, b, typ string) string {
	r := g.name("e")
	g.put("%s = arith.%s %s, %s : %s", r, op, a, b, typ)
	return r
}

func (g *adversary) compare(pred, a, b, typ string) string {
	r := g.name("c")
	g.put("%s = arith.cmpi %s, %s, %s : %s", r, pred, a, b, typ)
	return r
}

// expression returns an expression over unknown integers.
func (g *adversary) expression(typ string, depth int) string {
	if depth == 0 {
		return g.scalar(typ)
	}
	x := g.expression(typ, depth-1)
	ops := []string{"addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrui", "shrsi", "minsi", "maxui", "remui", "divsi"}
	op := ops[g.IntN(len(ops))]
	k := g.constant(typ)
	switch op {
	case "shli", "shrui", "shrsi":
		k = int64(g.IntN(integerWidths[typ]))
	case "remui", "divsi":
		k = int64(2 + g.IntN(5))
	}
	if typ == "i1" {
		op, k = []string{"addi", "xori", "andi", "ori"}[g.IntN(4)], int64(g.IntN(2))
	}
	if depth > 1 && g.IntN(3) == 0 && op != "remui" && op != "divsi" {
		return g.binary(op, x, g.expression(typ, depth-2), typ)
	}
	return g.binary(op, x, g.literal(k, typ), typ)
}

// literal returns a constant; that of i1 is written as a bool.
func (g *adversary) literal(v int64, typ string) string {
	if typ == "i1" {
		name := map[bool]string{true: "%true", false: "%false"}[v&1 == 1]
		g.consts[name] = "arith.constant " + name[1:]
		return name
	}
	return g.typed(v, typ)
}

// constant returns a number of a type, often one near a bound.
func (g *adversary) constant(typ string) int64 {
	w := integerWidths[typ]
	if w == 1 {
		return int64(g.IntN(2))
	}
	switch g.IntN(5) {
	case 0:
		return int64(-1) << (w - 1)
	case 1:
		return int64(1)<<(w-1) - 1
	case 2:
		return -int64(1 + g.IntN(3))
	}
	return int64(g.IntN(60))
}

var predicates = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

var opposite = map[string]string{"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sle": "sgt", "sgt": "sle", "ult": "uge", "uge": "ult", "ule": "ugt", "ugt": "ule"}

var swapped = map[string]string{"eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle", "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule"}

// conditions returns the condition of synchronization and the condition of an access. With
// elsewhere, synchronization is in the else branch. Half of the pairs are in order by
// construction.
func (g *adversary) conditions() (sync, access string, elsewhere bool) {
	typ := integers[g.IntN(len(integers))]
	if g.IntN(6) == 0 {
		return g.floatConditions()
	}
	pred := predicates[g.IntN(len(predicates))]
	x := g.expression(typ, g.IntN(3))
	k := g.constant(typ)
	y := g.literal(k, typ)
	if g.IntN(3) == 0 {
		y = g.expression(typ, g.IntN(2))
	}
	c := g.compare(pred, x, y, typ)
	if g.point() { // another predicate
		c = g.compare(predicates[g.IntN(len(predicates))], x, y, typ)
		return c, g.compare(pred, x, y, typ), false
	}
	switch g.IntN(9) {
	case 0: // operands exchanged
		return g.compare(swapped[pred], y, x, typ), c, false
	case 1: // the complement, and the else branch
		return g.compare(opposite[pred], x, y, typ), c, true
	case 2: // a conjunction implies its parts
		d := g.compare(predicates[g.IntN(10)], g.scalar("i32"), g.typed(int64(g.IntN(20)), "i32"), "i32")
		return c, g.binary("andi", c, d, "i1"), false
	case 3: // a part implies a disjunction
		d := g.compare(predicates[g.IntN(10)], g.scalar("i32"), g.typed(int64(g.IntN(20)), "i32"), "i32")
		return g.binary("ori", c, d, "i1"), c, false
	case 4: // a smaller bound
		lo, hi := int64(g.IntN(30)), int64(30+g.IntN(30))
		if typ == "i1" {
			lo, hi = 0, 1
		}
		p := []string{"slt", "ult", "sle", "ule"}[g.IntN(4)]
		return g.compare(p, x, g.literal(hi, typ), typ), g.compare(p, x, g.literal(lo, typ), typ), false
	case 5: // the same after widening
		if w := integerWidths[typ]; w < 64 && typ != "index" {
			ext := []string{"extsi", "extui"}[g.IntN(2)]
			u, v := g.name("z"), g.name("z")
			g.put("%s = arith.%s %s : %s to i64", u, ext, x, typ)
			g.put("%s = arith.%s %s : %s to i64", v, ext, y, typ)
			return g.compare(pred, u, v, "i64"), c, false
		}
	case 6: // an offset, which can wrap
		d := g.literal(g.constant(typ), typ)
		return g.compare(pred, g.binary("addi", x, d, typ), g.binary("addi", y, d, typ), typ), c, false
	case 7: // narrow
		if typ == "i32" || typ == "i64" {
			u, v := g.name("z"), g.name("z")
			g.put("%s = arith.trunci %s : %s to i8", u, x, typ)
			g.put("%s = arith.trunci %s : %s to i8", v, g.binary("addi", x, g.literal([]int64{256, 512, 128, 1}[g.IntN(4)], typ), typ), typ)
			return g.compare("eq", u, v, "i8"), c, false
		}
	}
	return c, c, false
}

// floatConditions returns conditions on floats, which can be NaN.
func (g *adversary) floatConditions() (sync, access string, elsewhere bool) {
	preds := []string{"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"}
	not := map[string]string{"oeq": "une", "une": "oeq", "ogt": "ule", "ule": "ogt", "oge": "ult", "ult": "oge", "olt": "uge", "uge": "olt",
		"ole": "ugt", "ugt": "ole", "one": "ueq", "ueq": "one", "ord": "uno", "uno": "ord"}
	cmp := func(p, a, b string) string {
		r := g.name("c")
		g.put("%s = arith.cmpf %s, %s, %s : f32", r, p, a, b)
		return r
	}
	p := preds[g.IntN(len(preds))]
	c := cmp(p, "%f", "%h")
	if g.point() {
		return cmp(preds[g.IntN(len(preds))], "%f", "%h"), c, false
	}
	switch g.IntN(4) {
	case 0:
		return cmp(not[p], "%f", "%h"), c, true
	case 1:
		weaker := map[string]string{"olt": "ole", "ogt": "oge", "oeq": "ole", "one": "ord", "ult": "ule", "ugt": "uge"}[p]
		if weaker != "" {
			return cmp(weaker, "%f", "%h"), c, false
		}
	case 2: // exchanged operands
		turned := map[string]string{"olt": "ogt", "ogt": "olt", "ole": "oge", "oge": "ole", "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule"}[p]
		if turned != "" {
			return cmp(turned, "%h", "%f"), c, false
		}
	}
	return cmp(p, "%f", "%h"), c, false
}

// places returns two rows below 64 that are different, as far as the generator can tell.
func (g *adversary) places() (r, s string) {
	typ := []string{"i8", "i16", "i32", "i64", "index"}[g.IntN(5)]
	x := g.expression(typ, g.IntN(3))
	low := func(v string, m int64) string { return g.binary("andi", v, g.literal(m, typ), typ) }
	one := g.literal(1, typ)
	switch g.IntN(6) {
	case 0: // even and odd
		e := g.binary("shli", low(x, 31), one, typ)
		y := g.binary("shli", low(g.expression(typ, g.IntN(2)), 31), one, typ)
		return g.index(e, typ), g.index(g.binary("ori", y, one, typ), typ)
	case 1: // the partner in a pair
		e := low(x, 63)
		return g.index(e, typ), g.index(g.binary("xori", e, g.literal(g.number(1+int64(g.IntN(7)), 0), typ), typ), typ)
	case 2: // lower and upper half
		return g.index(low(x, 31), typ), g.index(g.binary("addi", low(g.expression(typ, 1), 31), g.literal(g.number(32, 31, 1), typ), typ), typ)
	case 3: // a neighbour in a ring
		y := g.binary("addi", x, one, typ)
		m := g.literal(g.number(int64(2+g.IntN(5)), 1), typ)
		return g.index(g.binary("remui", x, m, typ), typ), g.index(g.binary("remui", y, m, typ), typ)
	case 4: // quotients
		k := int64(2 + g.IntN(4))
		a := g.binary("divui", low(x, 31), g.literal(k, typ), typ)
		b := g.binary("divui", g.binary("addi", low(x, 31), g.literal(g.number(k, k-1, 1), typ), typ), g.literal(k, typ), typ)
		return g.index(a, typ), g.index(b, typ)
	}
	// a minimum and a number above it
	m := g.binary("minui", low(x, 63), g.literal(20, typ), typ)
	return g.index(m, typ), g.index(g.literal(g.number(21+int64(g.IntN(9)), 20), typ), typ)
}

// index converts an integer below 64 to index.
func (g *adversary) index(v, typ string) string {
	if typ == "index" {
		return v
	}
	r := g.name("z")
	g.put("%s = arith.index_cast %s : %s to index", r, v, typ)
	return r
}
