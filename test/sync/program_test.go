package sync

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator generates a random program with loads, stores, and instructions of the vector
// and scalar units. These access overlapping tiles, their rows, slots of a ring, and
// tiles carried by loops, in loops and branches of all kinds and in a function.
//
// A plain program has no while, select or call. For while and select, the static proof
// considers paths that never execute; barriers at calls always remain.
type generator struct {
	*rand.Rand
	b     strings.Builder
	names int
	plain bool
	// slots is the number of slots of the ring.
	slots int
	// loops holds the counters of the enclosing loops.
	loops []string
	// tiles holds the tiles that loops carry from iteration to iteration.
	tiles []string
}

func program(r *rand.Rand, plain bool) string {
	g := &generator{Rand: r, plain: plain, slots: 2 + r.IntN(4)}
	g.writef(`!tile = !pto.tile_buf<vec, 8x64xf32>
!row = !pto.tile_buf<vec, 1x64xf32>
!ring = !pto.multi_tile_buf<vec, 8x64xf32, count=%d>
!view = !pto.tensor_view<64x64xf32>
!part = !pto.partition_tensor_view<8x64xf32>
!line = !pto.partition_tensor_view<1x64xf32>
%sfunc.func @k(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%n: index) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c2 = arith.constant 2 : index
  %%c5 = arith.constant 5 : index
  %%c8 = arith.constant 8 : index
  %%c64 = arith.constant 64 : index
  %%slots = arith.constant %d : index
  %%xv = pto.make_tensor_view %%x, shape = [%%c64, %%c64], strides = [%%c64, %%c1] : !view
  %%yv = pto.make_tensor_view %%y, shape = [%%c64, %%c64], strides = [%%c64, %%c1] : !view
`, g.slots, g.helper(), g.slots)
	for i := range 5 { // the last two share bytes with others: all, or some
		at := i * 2048
		switch i {
		case 3:
			at = r.IntN(3) * 2048
		case 4:
			at = r.IntN(12) * 512
		}
		g.writef("  %%a%d = arith.constant %d : i64\n  %%t%d = pto.alloc_tile addr = %%a%d : !tile\n", i, at, i, i)
	}
	g.writef("  %%ar = arith.constant 16384 : i64\n  %%ring = pto.alloc_multi_tile addr = %%ar : !ring\n")
	g.writef("  %%q = pto.partition_view %%xv, offsets = [%%c0, %%c0], sizes = [%%c8, %%c64] : !view -> !part\n")
	for i := range 5 {
		g.writef("  pto.tload ins(%%q : !part) outs(%%t%d : !tile)\n", i)
	}
	for i := range g.slots {
		g.writef("  %%k%d = arith.constant %d : index\n  %%u%d = pto.multi_tile_get %%ring[%%k%d] : !ring -> !tile\n  pto.tload ins(%%q : !part) outs(%%u%d : !tile)\n", i, i, i, i, i)
	}
	if !plain { // a function without callers would be a kernel of its own
		g.writef("  func.call @help(%%t0, %%t2, %%q) : (!tile, !tile, !part) -> ()\n")
	}
	g.block(3 + r.IntN(6))
	g.writef("  return\n}\n")
	return g.b.String()
}

func (g *generator) helper() string {
	if g.plain {
		return ""
	}
	return `func.func private @help(%a: !tile, %b: !tile, %p: !part) {
  pto.tmax ins(%a, %b : !tile, !tile) outs(%b : !tile)
  pto.tload ins(%p : !part) outs(%a : !tile)
  return
}
`
}

func (g *generator) writef(format string, args ...any) { fmt.Fprintf(&g.b, format, args...) }

func (g *generator) name(s string) string {
	g.names++
	return fmt.Sprintf("%%%s%d", s, g.names)
}

func (g *generator) block(n int) {
	for range n {
		switch k := g.IntN(20); {
		case k < 3 && len(g.loops) < 3:
			g.loop()
		case k == 3 && len(g.loops) < 2 && !g.plain:
			g.while()
		case k < 6:
			g.branch()
		default:
			g.instruction()
		}
	}
}

// loop writes a loop with an unknown number of iterations, or with five. Some loops carry
// two tiles that are exchanged in each iteration, as in double buffering.
func (g *generator) loop() {
	iv, end, tiles := g.name("i"), "%n", len(g.tiles)
	if g.IntN(4) == 0 && len(g.loops) == 0 {
		end = "%c5"
	}
	swaps := g.IntN(4) == 0 && tiles == 0
	if swaps {
		a, b := g.name("h"), g.name("h")
		g.writef("  %s:2 = scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %%t%d, %s = %%t%d) -> (!tile, !tile) {\n", g.name("o"), iv, end, a, g.IntN(2), b, 2+g.IntN(2))
		g.tiles = append(g.tiles, a, b)
	} else {
		g.writef("  scf.for %s = %%c0 to %s step %%c1 {\n", iv, end)
	}
	g.body(iv, 2+g.IntN(4))
	if swaps {
		g.writef("  scf.yield %s, %s : !tile, !tile\n", g.tiles[tiles+1], g.tiles[tiles])
	}
	g.tiles = g.tiles[:tiles]
	g.writef("  }\n")
}

func (g *generator) body(counter string, n int) {
	g.loops = append(g.loops, counter)
	g.block(n)
	g.loops = g.loops[:len(g.loops)-1]
}

func (g *generator) while() {
	before, after, goes, next := g.name("w"), g.name("w"), g.name("g"), g.name("e")
	g.writef("  %s = scf.while (%s = %%c0) : (index) -> index {\n  %s = arith.cmpi ult, %s, %%n : index\n  scf.condition(%s) %s : index\n  } do {\n  ^bb0(%s: index):\n", g.name("o"), before, goes, before, goes, before, after)
	g.body(after, 1+g.IntN(3))
	g.writef("  %s = arith.addi %s, %%c1 : index\n  scf.yield %s : index\n  }\n", next, after, next)
}

func (g *generator) branch() {
	g.writef("  scf.if %s {\n", g.condition())
	g.block(1 + g.IntN(2))
	if g.IntN(2) == 0 {
		g.writef("  } else {\n")
		g.block(1 + g.IntN(2))
	}
	g.writef("  }\n")
}

func (g *generator) condition() string {
	c := g.name("if")
	g.writef("  %s = arith.cmpi eq, %s, %%c1 : index\n", c, g.index())
	return c
}

// index returns the counter of an enclosing loop or, outside of loops, the number of
// iterations.
func (g *generator) index() string {
	if len(g.loops) == 0 {
		return "%n"
	}
	return g.loops[g.IntN(len(g.loops))]
}

// tile returns one of the first n tiles, a tile that a loop carries, one of two tiles
// selected by a condition, or a slot of the ring.
func (g *generator) tile(n int) string {
	switch k := g.IntN(12); {
	case k < 2 && len(g.tiles) > 0:
		return g.tiles[g.IntN(len(g.tiles))]
	case k == 2 && n == 5 && !g.plain:
		c, t := g.condition(), g.name("m")
		g.writef("  %s = arith.select %s, %%t%d, %%t%d : !tile\n", t, c, g.IntN(2), 2)
		return t
	case k < 6 && len(g.loops) > 0:
		return g.slot()
	}
	return fmt.Sprintf("%%t%d", g.IntN(n))
}

func (g *generator) slot() string {
	i, slot, t := g.loops[len(g.loops)-1], g.name("s"), g.name("r")
	if g.IntN(2) == 0 {
		later := g.name("e")
		g.writef("  %s = arith.addi %s, %%c%d : index\n", later, i, 1+g.IntN(2))
		i = later
	}
	g.writef("  %s = arith.remui %s, %%slots : index\n  %s = pto.multi_tile_get %%ring[%s] : !ring -> !tile\n", slot, i, t, slot)
	return t
}

// row writes and returns a row of a tile: a fixed one, or one that depends on a loop
// counter.
func (g *generator) row() string {
	at, r := []string{"%c1", "%c2", "%c5"}[g.IntN(3)], g.name("l")
	if g.IntN(2) == 0 && len(g.loops) > 0 {
		at = g.index()
	}
	g.writef("  %s = pto.subview %%t%d[%s, %%c0] sizes [1, 64] : !tile -> !row\n", r, g.IntN(3), at)
	return r
}

// part writes and returns the range of global memory that a tile or row is loaded from or
// stored to: a fixed one, or one that depends on a loop counter.
func (g *generator) part(view, rows, typ string) string {
	at, p := "%c0", g.name("p")
	switch k := g.IntN(3); {
	case k == 0:
		at = "%c8"
	case k == 1 && len(g.loops) > 0:
		at = g.name("o")
		g.writef("  %s = arith.muli %s, %s : index\n", at, g.index(), rows)
	}
	g.writef("  %s = pto.partition_view %s, offsets = [%s, %%c0], sizes = [%s, %%c64] : !view -> %s\n", p, view, at, rows, typ)
	return p
}

func (g *generator) view() string { return []string{"%xv", "%yv"}[g.IntN(2)] }

func (g *generator) instruction() {
	switch g.IntN(12) {
	case 0, 1:
		g.writef("  pto.tload ins(%s : !part) outs(%s : !tile)\n", g.part(g.view(), "%c8", "!part"), g.tile(5))
	case 2, 3:
		p := g.part("%yv", "%c8", "!part")
		g.writef("  pto.tstore ins(%s : !tile) outs(%s : !part)\n", g.tile(5), p)
	case 4:
		g.writef("  pto.tload ins(%s : !line) outs(%s : !row)\n", g.part(g.view(), "%c1", "!line"), g.row())
	case 5:
		p := g.part("%yv", "%c1", "!line")
		g.writef("  pto.tstore ins(%s : !row) outs(%s : !line)\n", g.row(), p)
	case 6:
		a := g.row()
		g.writef("  pto.tmuls ins(%s, %s : !row, f32) outs(%s : !row)\n", a, g.scalar(), a)
	case 7:
		s := g.scalar()
		g.writef("  pto.tsetval ins(%%c%d, %s : index, f32) outs(%s : !tile)\n", []int{0, 64}[g.IntN(2)], s, g.tile(4))
	case 8:
		if g.plain {
			break
		}
		p := g.part(g.view(), "%c8", "!part")
		g.writef("  func.call @help(%%t%d, %%t2, %s) : (!tile, !tile, !part) -> ()\n", g.IntN(2), p)
	default:
		// An instruction may write over what it reads only as a whole.
		a, b, c := g.tile(4), g.tile(4), g.tile(4)
		g.writef("  pto.tmax ins(%s, %s : !tile, !tile) outs(%s : !tile)\n", a, b, c)
	}
}

// scalar returns a number that the scalar unit reads from a tile, or a constant.
func (g *generator) scalar() string {
	s := g.name("f")
	if g.IntN(2) == 0 {
		g.writef("  %s = arith.constant 0.5 : f32\n", s)
	} else {
		g.writef("  %s = pto.tgetval ins(%s, %%c0 : !tile, index) outs : f32\n", s, g.tile(4))
	}
	return s
}
