package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Varied returns about size bytes of MLIR in generic form with little repetition.
// Constants, types, attribute values, names and locations differ between operations, and
// the nesting differs between functions. A tool therefore cannot benefit from caching
// earlier text.
func Varied(size int) string {
	g := &varied{r: rand.New(rand.NewPCG(3, 4))}
	g.b.Grow(size + 1<<14)
	g.b.WriteString("\"builtin.module\"() ({\n")
	for n := 0; g.b.Len() < size; n++ {
		g.function(n)
	}
	g.b.WriteString("}) : () -> ()\n")
	return g.b.String()
}

type varied struct {
	b      strings.Builder
	r      *rand.Rand
	next   int
	line   int
	indent string
}

var syllables = []string{"acc", "row", "kv", "proj", "norm", "max", "idx", "blk", "q", "scale", "out", "tmp", "sum", "rope", "gate"}

// name returns a new unique name for a value, similar to the names that frontends print.
func (g *varied) name() string {
	g.next++
	a, b := syllables[g.r.IntN(len(syllables))], syllables[g.r.IntN(len(syllables))]
	return fmt.Sprintf("%%%s_%s__ssa_v%d", a, b, g.next)
}

// op writes one operation, followed by a location that no other operation has. The text
// of the operation is format, formatted with args.
func (g *varied) op(format string, args ...any) {
	g.b.WriteString(g.indent)
	fmt.Fprintf(&g.b, format, args...)
	g.loc()
}

func (g *varied) loc() {
	g.line += g.r.IntN(3)
	fmt.Fprintf(&g.b, " loc(\"models/%s_%d.py\":%d:%d)\n", syllables[g.line/400%len(syllables)], g.line/6000, g.line%6000+1, 4+g.r.IntN(60))
}

var elements = []string{"f32", "f16", "bf16", "i32", "i16", "i8", "ui32", "f8E4M3FN"}

// tile returns the text of a random tile type. There are so many possible types that two
// operations rarely have the same one.
func (g *varied) tile() string {
	rows, cols := 1+g.r.IntN(256), 8*(1+g.r.IntN(256))
	return fmt.Sprintf("!tile_ext.buf<loc=vec, dtype=%s, rows=%d, cols=%d, v_row=%d, v_col=?, blayout=row_major, slayout=none_box, fractal=%d, pad=%d>",
		elements[g.r.IntN(len(elements))], rows, cols, 1+g.r.IntN(rows), 32<<g.r.IntN(6), g.r.IntN(4))
}

func (g *varied) function(n int) {
	g.indent = "    "
	fmt.Fprintf(&g.b, "  \"func.func\"() <{function_type = (index, index, f32) -> index, sym_name = \"%s_%d\"}> ({\n", syllables[n%len(syllables)], n)
	g.b.WriteString("  ^bb0(%lo: index, %hi: index, %factor: f32):\n")
	last := "%lo"
	depth := 1 + g.r.IntN(4)
	for range 20 + g.r.IntN(60) {
		last = g.statement(last, depth)
	}
	g.op(`"func.return"(%s) : (index) -> ()`, last)
	fmt.Fprintf(&g.b, "  }) {tile_ext.cores = %d : i32, tile_ext.note = \"%x\"} : () -> ()", n, g.r.Uint64())
	g.loc()
}

func (g *varied) statement(last string, depth int) string {
	switch v := g.name(); g.r.IntN(6) {
	case 0:
		c := g.name()
		g.op(`%s = "arith.constant"() <{value = %d : index}> : () -> index`, c, g.r.Int64N(1<<40))
		g.op(`%s = "arith.addi"(%s, %s) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index`, v, last, c)
		return v
	case 1:
		g.op(`%s = "arith.muli"(%s, %%hi) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index`, v, last)
		return v
	case 2:
		if depth > 0 {
			return g.loop(last, depth-1)
		}
	}
	g.instruction(last)
	return last
}

// instruction writes a tile instruction, preceded by the allocations of its two tiles.
// last is the name of the value that the preceding operation has defined. Both
// allocations have this value as an operand, so that the operations form a chain.
func (g *varied) instruction(last string) {
	a, b, ta, tb := g.name(), g.name(), g.tile(), g.tile()
	g.op(`%s = "tile_ext.alloc"(%s, %%hi) {base = %d : i64} : (index, index) -> %s`, a, last, 32*g.r.IntN(6000), ta)
	g.op(`%s = "tile_ext.alloc"(%s, %%lo) {base = %d : i64} : (index, index) -> %s`, b, last, 32*g.r.IntN(6000), tb)
	g.op(`"tile_ext.muls"(%s, %%factor, %s) {precision = "%s", order = [%d, %d], seed = %d : i32} : (%s, f32, %s) -> ()`,
		a, b, []string{"high", "low"}[g.r.IntN(2)], g.r.IntN(8), g.r.IntN(8), g.r.IntN(1<<20), ta, tb)
}

func (g *varied) loop(last string, depth int) string {
	f, i, carry := g.name(), g.name(), g.name()
	outer := g.indent
	g.b.WriteString(outer)
	fmt.Fprintf(&g.b, "%s = \"scf.for\"(%%lo, %%hi, %%lo, %s) ({\n%s^bb0(%s: index, %s: index):\n", f, last, outer, i, carry)
	g.indent += "  "
	inner := carry
	for range 2 + g.r.IntN(5) {
		inner = g.statement(inner, depth)
	}
	g.op(`"scf.yield"(%s) : (index) -> ()`, inner)
	g.indent = outer
	g.b.WriteString(outer + "}) : (index, index, index, index) -> index")
	g.loc()
	return f
}
