package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random programs of Level 1, all legal.
type generator struct {
	*rand.Rand
	b          strings.Builder
	names      int
	tiles      []string // visible here
	ints       []string
	funcs      []string // that may be called, each taking two tiles and giving two
	depth      int
	allocation int // statements left
}

const tile = "!pto.tile<16x64xf32>"

// program returns the text of a program whose function @main is deterministic
// except for test.cond.
func program(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), allocation: 40}
	for i := range g.IntN(2) {
		name := fmt.Sprintf("callee%d", i)
		g.function(name, g.allocation/4)
		g.funcs = append(g.funcs, name)
	}
	g.function("main", g.allocation)
	return g.b.String()
}

func (g *generator) function(name string, allocation int) {
	g.tiles, g.ints, g.allocation = []string{"%p", "%q"}, nil, allocation
	g.printf("func.func @%s(%%p: %s, %%q: %s) -> (%s, %s) attributes {params = 2 : i64} {\n", name, tile, tile, tile, tile)
	if g.IntN(3) == 0 {
		g.jumps()
	} else {
		g.statements()
		g.printf("return %s, %s : %s, %s\n", g.any(), g.any(), tile, tile)
	}
	g.printf("}\n")
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.b, format, args...) }

func (g *generator) fresh() string {
	g.names++
	return fmt.Sprintf("%%v%d", g.names)
}

// any returns a tile that is visible, more often a recent one.
func (g *generator) any() string {
	n := len(g.tiles)
	if g.IntN(2) == 0 {
		return g.tiles[n-1-g.IntN(min(n, 3))]
	}
	return g.tiles[g.IntN(n)]
}

// cond returns a condition that nobody knows, so that loops come to an end.
func (g *generator) cond() string {
	c := g.fresh()
	g.printf("%s = test.cond\n", c)
	return c
}

// choice returns a condition that may follow from numbers.
func (g *generator) choice() string {
	if g.IntN(3) > 0 {
		return g.cond()
	}
	a, b, c := g.int(), g.int(), g.fresh()
	g.printf("%s = arith.cmpi %s, %s, %s : i32\n", c, []string{"eq", "ne", "slt", "uge"}[g.IntN(4)], a, b)
	return c
}

// int returns a number that is visible, or a constant.
func (g *generator) int() string {
	if len(g.ints) > 0 && g.IntN(3) > 0 {
		return g.ints[g.IntN(len(g.ints))]
	}
	c := g.fresh()
	g.printf("%s = arith.constant %d : i32\n", c, g.IntN(3))
	return c
}

// number writes an operation on numbers, or looks at one.
func (g *generator) number(r string) {
	if g.IntN(4) == 0 {
		g.printf("test.note %s : i32\n", g.int())
		return
	}
	a, b := g.int(), g.int()
	g.printf("%s = arith.%s %s, %s : i32\n", r, []string{"addi", "subi", "muli", "xori", "minsi"}[g.IntN(5)], a, b)
	g.ints = append(g.ints, r)
}

// scope writes text in which tiles of its own are visible.
func (g *generator) scope(args []string, text func()) {
	mark, ints := len(g.tiles), len(g.ints)
	g.tiles = append(g.tiles, args...)
	g.depth++
	text()
	g.depth--
	g.tiles, g.ints = g.tiles[:mark], g.ints[:ints]
}

func (g *generator) statements() {
	for range 1 + g.IntN(6) {
		if g.allocation--; g.allocation < 0 {
			return
		}
		g.statement()
	}
}

func (g *generator) statement() {
	kind := g.IntN(17)
	if g.depth > 3 && kind > 8 && kind < 14 {
		kind = g.IntN(8)
	}
	r := g.fresh()
	if kind >= 14 {
		g.number(r)
		return
	}
	switch kind {
	case 0:
		g.printf("%s = test.make {number = %d : i64} : () -> %s\n", r, g.names, tile)
	case 1, 2:
		g.printf("%s = test.mix %s, %s : (%s, %s) -> %s\n", r, g.any(), g.any(), tile, tile, tile)
	case 3, 4:
		g.printf("%s = test.map %s, %s : (%s, %s) -> %s\n", r, g.any(), g.any(), tile, tile, tile)
	case 5:
		g.printf("%s = test.acc %s, %s : (%s, %s) -> %s\n", r, g.any(), g.any(), tile, tile, tile)
	case 6:
		g.printf("%s = test.view %s : %s -> %s\n", r, g.any(), tile, tile)
	case 7:
		g.printf("test.use %s : %s\n", g.any(), tile)
		return
	case 8:
		s := g.fresh()
		g.printf("%s, %s = test.two %s : %s -> (%s, %s)\n", r, s, g.any(), tile, tile, tile)
		g.tiles = append(g.tiles, s)
	case 9:
		g.printf("%s = arith.select %s, %s, %s : %s\n", r, g.choice(), g.any(), g.any(), tile)
	case 10:
		g.ifElse(r)
	case 11:
		g.loop(r)
	case 12:
		g.while(r)
	case 13:
		if len(g.funcs) == 0 {
			g.printf("%s = test.make {number = %d : i64} : () -> %s\n", r, g.names, tile)
			break
		}
		s := g.fresh()
		g.printf("%s, %s = func.call @%s(%s, %s) : (%s, %s) -> (%s, %s)\n", r, s, g.funcs[0], g.any(), g.any(), tile, tile, tile, tile)
		g.tiles = append(g.tiles, s)
	}
	g.tiles = append(g.tiles, r)
}

func (g *generator) yield(n int) {
	names, types := make([]string, n), make([]string, n)
	for i := range names {
		names[i], types[i] = g.any(), tile
	}
	g.printf("scf.yield %s : %s\n", strings.Join(names, ", "), strings.Join(types, ", "))
}

func (g *generator) ifElse(r string) {
	c, s := g.choice(), g.fresh()
	g.printf("%s, %s = scf.if %s -> (%s, %s) {\n", r, s, c, tile, tile)
	for i := range 2 {
		if i > 0 {
			g.printf("} else {\n")
		}
		g.scope(nil, func() {
			g.statements()
			g.yield(2)
		})
	}
	g.printf("}\n")
	g.tiles = append(g.tiles, s)
}

func (g *generator) loop(r string) {
	lo, hi, i, a, b, s, n, m := g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh()
	g.printf("%s = arith.constant 1 : index\n%s = arith.constant %d : index\n", lo, hi, 1+g.IntN(4))
	first := g.int()
	g.printf("%s, %s, %s = scf.for %s = %s to %s step %s iter_args(%s = %s, %s = %s, %s = %s) -> (%s, %s, i32) {\n",
		r, s, m, i, lo, hi, lo, a, g.any(), b, g.any(), n, first, tile, tile)
	g.scope([]string{a, b}, func() {
		g.ints = append(g.ints, n)
		g.statements()
		x, y := g.any(), g.any()
		if g.IntN(3) == 0 { // what is carried changes places
			x, y = b, a
		}
		g.printf("scf.yield %s, %s, %s : %s, %s, i32\n", x, y, g.ints[g.IntN(len(g.ints))], tile, tile)
	})
	g.printf("}\n")
	g.tiles, g.ints = append(g.tiles, s), append(g.ints, m)
}

func (g *generator) while(r string) {
	a, b := g.fresh(), g.fresh()
	g.printf("%s = scf.while (%s = %s) : (%s) -> %s {\n", r, a, g.any(), tile, tile)
	g.scope([]string{a}, func() {
		g.statements()
		g.printf("scf.condition(%s) %s : %s\n", g.cond(), g.any(), tile)
	})
	g.printf("} do {\n^bb0(%s: %s):\n", b, tile)
	g.scope([]string{b}, func() {
		g.statements()
		g.yield(1)
	})
	g.printf("}\n")
}

// jumps writes blocks that go to each other. A block sees the tiles of the
// first block and its own.
func (g *generator) jumps() {
	g.scope(nil, func() {
		g.statements()
		n := 2 + g.IntN(3)
		base := g.names
		g.names += 2 * n
		arg := func(i, k int) string { return fmt.Sprintf("%%v%d", base+1+2*i+k) }
		to := func(i int) string {
			return fmt.Sprintf("^b%d_%d(%s, %s : %s, %s)", base, i, g.any(), g.any(), tile, tile)
		}
		g.printf("cf.br %s\n", to(0))
		for i := range n {
			g.printf("^b%d_%d(%s: %s, %s: %s):\n", base, i, arg(i, 0), tile, arg(i, 1), tile)
			g.scope([]string{arg(i, 0), arg(i, 1)}, func() {
				g.statements()
				switch {
				case i == n-1:
					g.printf("return %s, %s : %s, %s\n", g.any(), g.any(), tile, tile)
				case g.IntN(4) == 0:
					g.printf("cf.br %s\n", to(i+1))
				default:
					g.printf("cf.cond_br %s, %s, %s\n", g.cond(), to(g.IntN(n)), to(i+1))
				}
			})
		}
	})
}
