package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// instruction is a tile instruction with the types of its operands: 't' for a
// tile, 's' for a scalar of its element type.
type instruction struct {
	def   *ir.Def
	elem  string
	kinds string
}

// Shapes of the tiles of generated programs.
const (
	rows = 7
	cols = 32
	size = rows * cols
)

// elems are the element types that programs are made of.
var elems = []string{"f32", "f16", "bf16", "i32", "i16", "i8", "ui8", "ui16", "ui32"}

// instructions returns every elementwise instruction with every combination
// of types that is legal on a profile.
func instructions(profile string) []instruction {
	if all, ok := instructionsOf.Load(profile); ok {
		return all.([]instruction)
	}
	all := legalInstructions(profile)
	instructionsOf.Store(profile, all)
	return all
}

// instructionsOf remembers the instructions of each profile.
var instructionsOf sync.Map

// legalInstructions finds them. The verifier is asked, so nothing here knows
// an instruction.
func legalInstructions(profile string) []instruction {
	var list []instruction
	for _, d := range pto.Dialect.Defs {
		if _, ok := d.Sem.(pto.TileMap); !ok || d.Form(ir.SSA) == nil || len(d.Form(ir.SSA).Results) != 1 {
			continue
		}
		n := len(d.Form(ir.SSA).Operands)
		for _, e := range elems {
			for mask := range 1 << n {
				in := instruction{d, e, ""}
				for k := range n {
					in.kinds += string("ts"[mask>>k&1])
				}
				if legal(profile, in) {
					list = append(list, in)
				}
			}
		}
	}
	return list
}

// legal reports whether an instruction verifies in a function of its own.
func legal(profile string, in instruction) bool {
	g := &generator{profile: profile}
	g.kernel("f", in.elem, []instruction{in})
	var diags ir.Diags
	m := ir.Parse(&ir.Source{Name: "legal", Text: g.text()}, ir.ParseOptions{Sequential: true}, &diags)
	return m != nil && ir.Verify(m, ir.VerifyOptions{Sequential: true}, &diags)
}

// generator writes a module of kernels. Each loads a tile, applies a few
// instructions and stores the result; each instruction has a scalar of its
// own among the parameters.
type generator struct {
	profile string
	body    strings.Builder
	r       *rand.Rand
}

func (g *generator) text() string {
	return fmt.Sprintf("module attributes {pto.target_arch = \"%s\"} {\n%s}\n", g.profile, g.body.String())
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.body, format+"\n", args...) }

func (g *generator) kernel(name, elem string, ins []instruction) {
	scalar := scalarType(elem)
	g.body.WriteString("func.func @" + name + "(%x: !pto.ptr<" + elem + ">, %y: !pto.ptr<" + elem + ">")
	for i := range ins {
		fmt.Fprintf(&g.body, ", %%s%d: %s", i, scalar)
	}
	g.line(") attributes {pto.kernel} {")
	view, part := fmt.Sprintf("!pto.tensor_view<%dx%dx%s>", rows, cols, elem), fmt.Sprintf("!pto.partition_tensor_view<%dx%dx%s>", rows, cols, elem)
	tile := fmt.Sprintf("!pto.tile<%dx%dx%s>", rows, cols, elem)
	g.line("  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index")
	g.line("  %%rows = arith.constant %d : index\n  %%cols = arith.constant %d : index", rows, cols)
	for _, v := range []string{"x", "y"} {
		g.line("  %%v%s = pto.make_tensor_view %%%s, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : %s", v, v, view)
		g.line("  %%p%s = pto.partition_view %%v%s, offsets = [%%c0, %%c0], sizes = [%%rows, %%cols] : %s -> %s", v, v, view, part)
	}
	g.line("  %%t0 = pto.tload %%px : %s -> %s", part, tile)
	for i, in := range ins {
		var operands, types []string
		for _, k := range in.kinds {
			if k == 't' {
				operands, types = append(operands, fmt.Sprintf("%%t%d", g.pick(i+1))), append(types, tile)
			} else {
				operands, types = append(operands, fmt.Sprintf("%%s%d", i)), append(types, scalar)
			}
		}
		g.line("  %%t%d = %s %s : (%s) -> %s", i+1, in.def.Name, strings.Join(operands, ", "), strings.Join(types, ", "), tile)
	}
	g.line("  pto.tstore %%t%d, %%py : (%s, %s) -> ()\n  return\n}", len(ins), tile, part)
}

// pick chooses one of the first n tiles, more often a late one.
func (g *generator) pick(n int) int {
	if g.r == nil {
		return n - 1
	}
	return n - 1 - g.r.IntN(1+g.r.IntN(n))
}

// scalarType is the type of scalars beside tiles of a type: arith knows only
// signless integers.
func scalarType(elem string) string { return strings.TrimPrefix(elem, "u") }

// value returns the bits of an element: often an edge, else random. Integers
// are never zero, since a division would fault.
func value(r *rand.Rand, f num.Format) uint64 {
	if f.IsInt() {
		edges := []uint64{1, f.Mask(), f.SignBit(), f.SignBit() - 1, 2, 7}
		if r.IntN(3) == 0 {
			return edges[r.IntN(len(edges))] & f.Mask()
		}
		return max(r.Uint64()&f.Mask(), 1)
	}
	switch r.IntN(8) {
	case 0:
		inf := num.Encode(f, math.Inf(1), num.NearestEven, false)
		nan := num.Encode(f, math.NaN(), num.NearestEven, false)
		edges := []uint64{0, f.SignBit(), inf, inf | f.SignBit(), nan, 1, f.SignBit() | 1, inf - 1}
		return edges[r.IntN(len(edges))]
	case 1:
		return r.Uint64() & f.Mask()
	}
	return num.Encode(f, r.NormFloat64()*4, num.NearestEven, false)
}
