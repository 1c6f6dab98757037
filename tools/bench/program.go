// Package bench generates large programs with which the speed of the tools is measured.
// Program, Varied and Shapes generate different kinds of programs.
package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program returns MLIR text in generic form. size is the approximate length of the text
// in bytes. The functions in it have the mix of operations of public kernels: constants,
// index arithmetic, loops, conditions, and tile instructions with long types. The tile
// instructions belong to an unknown dialect "tile_ext", so that tools which do not
// support PTO do the same work.
func Program(size int) string {
	g := &generator{r: rand.New(rand.NewPCG(1, 2))}
	g.b.Grow(size + 1<<12)
	g.b.WriteString("\"builtin.module\"() ({\n")
	for n := 0; g.b.Len() < size; n++ {
		g.function(n)
	}
	g.b.WriteString("}) : () -> ()\n")
	return g.b.String()
}

type generator struct {
	b    strings.Builder
	r    *rand.Rand
	next int
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *generator) id() int { g.next++; return g.next }

const tileType = "!tile_ext.buf<loc=vec, dtype=f32, rows=32, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>"

func (g *generator) function(n int) {
	g.next = 0
	g.line(`  "func.func"() <{function_type = (index, index, f32) -> index, sym_name = "kernel_%d"}> ({`, n)
	g.line("  ^bb0(%%arg0: index, %%arg1: index, %%scale: f32):")
	g.line(`    %%zero = "arith.constant"() <{value = 0 : index}> : () -> index`)
	last := "%zero"
	for range 40 {
		last = g.statement(last)
	}
	g.line(`    "func.return"(%s) : (index) -> ()`, last)
	g.line("  }) {tile_ext.kernel, tile_ext.stage = %d : i32} : () -> ()", n%7)
}

func (g *generator) statement(last string) string {
	switch g.r.IntN(5) {
	case 0:
		c, s := g.id(), g.id()
		g.line(`    %%c%d = "arith.constant"() <{value = %d : index}> : () -> index`, c, g.r.IntN(4096))
		g.line(`    %%sum%d = "arith.addi"(%s, %%c%d) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index`, s, last, c)
		return fmt.Sprintf("%%sum%d", s)
	case 1:
		m := g.id()
		g.line(`    %%mul%d = "arith.muli"(%s, %%arg1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index`, m, last)
		return fmt.Sprintf("%%mul%d", m)
	case 2:
		return g.loop(last)
	}
	a, b := g.id(), g.id()
	g.line(`    %%tile%d = "tile_ext.alloc"(%s, %%arg1) : (index, index) -> %s`, a, last, tileType)
	g.line(`    %%tile%d = "tile_ext.alloc"(%s, %%arg1) : (index, index) -> %s`, b, last, tileType)
	g.line(`    "tile_ext.muls"(%%tile%d, %%scale, %%tile%d) {precision = "high", order = [0, 1]} : (%s, f32, %s) -> ()`, a, b, tileType, tileType)
	return last
}

func (g *generator) loop(last string) string {
	f, i, s, t := g.id(), g.id(), g.id(), g.id()
	g.line(`    %%for%d = "scf.for"(%%arg0, %%arg1, %%arg0, %s) ({`, f, last)
	g.line("    ^bb0(%%i%d: index, %%carry%d: index):", i, i)
	g.line(`      %%step%d = "arith.addi"(%%i%d, %%carry%d) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index`, s, i, i)
	g.line(`      %%less%d = "arith.cmpi"(%%step%d, %%arg1) <{predicate = 2 : i64}> : (index, index) -> i1`, t, s)
	g.line(`      %%next%d = "arith.select"(%%less%d, %%step%d, %%i%d) : (i1, index, index) -> index`, t, t, s, i)
	g.line(`      "scf.yield"(%%next%d) : (index) -> ()`, t)
	g.line("    }) : (index, index, index, index) -> index")
	return fmt.Sprintf("%%for%d", f)
}
