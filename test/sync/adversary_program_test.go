package sync

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// adversary generates a small kernel in which a fault of synchronization is easy to miss:
// distances of many rounds, rings, carried state, conditions on narrow integers. The
// program is meant to be in order. With mutation k > 0, its mutation point k differs: a
// unit of synchronization is missing or a number is another one. With plain, the program
// has no synchronization at all.
//
// The generator shares no code with the proof. Whether a program is in order, runs decide.
type adversary struct {
	*rand.Rand
	target   ir.Target
	mutation int
	plain    bool

	body    strings.Builder
	helpers strings.Builder // functions that the kernel calls
	names   int
	points  int               // mutation points so far
	consts  map[string]string // lines that define constants, by name
	events  map[string]int    // next event of each pair of pipes
	rows    int               // next free row of the local memory
	numbers []int64           // numbers in the program, near which arguments are chosen
	loops   []string          // counters of enclosing loops
	class   string
	blocks  int
	vector  bool
	weak    bool // synchronization that is written now is mutated
}

// newAdversary returns a generator for the program with the given seed.
func newAdversary(seed uint64, mutation int, plain bool) *adversary {
	g := &adversary{Rand: rand.New(rand.NewPCG(seed, 77)), mutation: mutation, plain: plain,
		consts: map[string]string{}, events: map[string]int{}, blocks: 1, target: sem.A3}
	if g.IntN(2) == 0 {
		g.target = sem.A5
	}
	return g
}

// adversaryClass is a kind of programs.
type adversaryClass struct {
	name  string
	write func(g *adversary)
}

// scalarClasses synchronize the pipes of a core.
var scalarClasses = []adversaryClass{
	{"handshake", (*adversary).handshake},
	{"ahead", (*adversary).ahead},
	{"nested", (*adversary).nested},
	{"ring", (*adversary).ring},
	{"period", (*adversary).period},
	{"rounds", (*adversary).onlyRounds},
	{"after", (*adversary).after},
	{"guard", (*adversary).guard},
	{"address", (*adversary).address},
	{"state", (*adversary).state},
	{"phases", (*adversary).phases},
	{"buffers", (*adversary).buffers},
	{"scalars", (*adversary).scalars},
	{"blocks", (*adversary).blockRows},
	{"cube", (*adversary).cube},
	{"call", (*adversary).call},
	{"ladder", (*adversary).ladder},
	{"deep", (*adversary).deep},
}

// vectorClasses are vector functions, which only A5 has.
var vectorClasses = []adversaryClass{
	{"vector distance", (*adversary).vectorDistance},
	{"vector rows", (*adversary).vectorRows},
	{"vector guard", (*adversary).vectorGuard},
	{"vector random", (*adversary).vectorRandom},
	{"vector nested", (*adversary).vectorNested},
}

// program returns the text of the program.
func (g *adversary) program() string {
	c := scalarClasses[g.IntN(len(scalarClasses))]
	if g.vector = g.IntN(5) < 2; g.vector {
		c = vectorClasses[g.IntN(len(vectorClasses))]
	}
	g.class = c.name
	if g.vector || c.name == "buffers" {
		g.target = sem.A5
	}
	switch k := g.IntN(8); {
	case k == 0 && c.name != "blocks": // twice, in the same memory
		c.write(g)
		if !g.vector {
			g.unit(func() { g.sync("pto.barrier <PIPE_ALL>") })
		}
		g.rows = 0
		c.write(g)
	case k == 1: // in a loop
		g.loop(int64(1+g.IntN(3)), func(string) {
			c.write(g)
			if !g.vector {
				g.unit(func() { g.sync("pto.barrier <PIPE_ALL>") })
			}
		})
	default:
		c.write(g)
	}
	for _, v := range []int64{0, 1, 8, 256} { // those of the frame
		g.consts[fmt.Sprintf("%%K%d", v)] = fmt.Sprintf("arith.constant %d : index", v)
	}
	arch := map[bool]string{true: "a5", false: "a3"}[g.target == sem.A5]
	var b strings.Builder
	fmt.Fprintf(&b, `// %s, mutation %d of %d
module attributes {"pto.target_arch" = "%s"} {
func.func @k(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%q: !pto.ptr<i32>, %%n: index, %%a: i32, %%b: i32, %%w: i64, %%f: f32, %%h: f32) attributes {pto.kernel} {
`, g.class, g.mutation, g.points, arch)
	var names []string
	for n := range g.consts {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(&b, "  %s = %s\n", n, g.consts[n])
	}
	fmt.Fprintf(&b, "%s", g.frame())
	b.WriteString(g.body.String())
	b.WriteString("  return\n}\n" + g.helpers.String() + "}\n")
	return b.String()
}

const (
	tileType = "!pto.tile_buf<vec, 1x8xf32>"
	bigType  = "!pto.tile_buf<vec, 256x8xf32>"
	partType = "!pto.partition_tensor_view<1x8xf32>"
	viewType = "!pto.tensor_view<256x8xf32>"
)

// frame returns the views of arguments and the local memory.
func (g *adversary) frame() string {
	if g.vector || g.class == "cube" {
		return ""
	}
	return `  %xv = pto.make_tensor_view %x, shape = [%K256, %K8], strides = [%K8, %K1] : ` + viewType + `
  %yv = pto.make_tensor_view %y, shape = [%K256, %K8], strides = [%K8, %K1] : ` + viewType + `
  %xp = pto.partition_view %xv, offsets = [%K0, %K0], sizes = [%K1, %K8] : ` + viewType + ` -> ` + partType + `
  %at = arith.constant 0 : i64
  %big = pto.alloc_tile addr = %at : ` + bigType + `
`
}

func (g *adversary) put(format string, args ...any) {
	fmt.Fprintf(&g.body, "  "+format+"\n", args...)
}

func (g *adversary) name(s string) string {
	g.names++
	return fmt.Sprintf("%%%s%d", s, g.names)
}

// c returns an index constant.
func (g *adversary) c(v int64) string { return g.typed(v, "index") }

// typed returns a constant of an integer type.
func (g *adversary) typed(v int64, typ string) string {
	name := fmt.Sprintf("%%K%d", v)
	if v < 0 {
		name = fmt.Sprintf("%%Km%d", uint64(-v))
	}
	if typ != "index" {
		name += "_" + typ
	}
	g.consts[name] = fmt.Sprintf("arith.constant %d : %s", v, typ)
	g.numbers = append(g.numbers, v)
	return name
}

// point starts a mutation point and reports whether it is the one that differs.
func (g *adversary) point() bool {
	g.points++
	return g.points == g.mutation
}

// number returns a number, or another one if it is mutated.
func (g *adversary) number(right int64, wrong ...int64) int64 {
	if g.point() {
		return wrong[int(uint64(right)+uint64(g.points))%len(wrong)]
	}
	return right
}

// unit writes synchronization. If it is mutated, it is missing or weaker.
func (g *adversary) unit(write func()) {
	if g.point() {
		if g.points%3 != 0 {
			return
		}
		g.weak = true
		defer func() { g.weak = false }()
	}
	write()
}

// weaker maps parts of synchronization to others that order less.
var weaker = strings.NewReplacer("<PIPE_ALL>", "<PIPE_MTE2>", "<PIPE_MTE2>, <PIPE_V>", "<PIPE_MTE3>, <PIPE_V>",
	"<PIPE_V>, <PIPE_MTE2>", "<PIPE_V>, <PIPE_MTE3>", "<PIPE_V>, <PIPE_MTE3>", "<PIPE_MTE2>, <PIPE_MTE3>",
	"VV_ALL", "VLD_VST", "VST_VLD", "VST_VST")

// sync writes a line of synchronization that is not a mutation point of its own.
func (g *adversary) sync(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if g.weak {
		line = weaker.Replace(line)
	}
	if !g.plain {
		g.put("%s", line)
	}
}

func (g *adversary) barrier(pipe string) {
	if pipe == "V" && g.target == sem.A5 {
		return // in order
	}
	g.sync("pto.barrier <PIPE_%s>", pipe)
}

// event returns a new event of a pair of pipes.
func (g *adversary) event(pair string) int {
	e := g.events[pair]
	g.events[pair] = (e + 1) % 8
	return e
}

func (g *adversary) set(from, to string, e int) {
	g.sync("pto.set_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]", from, to, e)
}

func (g *adversary) wait(from, to string, e int) {
	g.sync("pto.wait_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]", from, to, e)
}

// flag writes set and wait of a new event as one unit.
func (g *adversary) flag(from, to string) {
	e := g.event(from + to)
	g.unit(func() {
		g.set(from, to, e)
		g.wait(from, to, e)
	})
}

// dynamic writes set and wait of the event with a computed number.
func (g *adversary) dynamic(from, to, e string) {
	for _, what := range []string{"set", "wait"} {
		g.sync("pto.%s_flag_dyn[<PIPE_%s>, <PIPE_%s>, %s]", what, from, to, e)
	}
}

// block returns the first of n free rows of the local memory.
func (g *adversary) block(n int) int {
	r := g.rows
	g.rows += n
	return r
}

// row returns the tile at a row of the local memory, given as an index value.
func (g *adversary) row(at string) string {
	t := g.name("t")
	g.put("%s = pto.subview %%big[%s, %s] sizes [1, 8] : %s -> %s", t, at, g.c(0), bigType, tileType)
	return t
}

// rowFrom returns the tile at row base + at.
func (g *adversary) rowFrom(base int, at string) string {
	if base == 0 {
		return g.row(at)
	}
	s := g.name("s")
	g.put("%s = arith.addi %s, %s : index", s, at, g.c(int64(base)))
	return g.row(s)
}

func (g *adversary) load(t string) {
	g.c(0)
	g.put("pto.tload ins(%%xp : %s) outs(%s : %s)", partType, t, tileType)
}

func (g *adversary) compute(src, dst string) {
	g.consts["%two"] = "arith.constant 2.0 : f32"
	g.put("pto.tmuls ins(%s, %%two : %s, f32) outs(%s : %s)", src, tileType, dst, tileType)
}

// read computes from src into a row of its own, and orders the writes of that row.
func (g *adversary) read(src string) {
	g.compute(src, g.row(g.c(255)))
	g.barrier("V")
}

// gm returns the view of a row of y.
func (g *adversary) gm(at string) string {
	v := g.name("p")
	g.put("%s = pto.partition_view %%yv, offsets = [%s, %s], sizes = [%s, %s] : %s -> %s", v, at, g.c(0), g.c(1), g.c(8), viewType, partType)
	return v
}

func (g *adversary) store(t, view string) {
	g.put("pto.tstore ins(%s : %s) outs(%s : %s)", t, tileType, view, partType)
}

// loop writes a loop with the given number of rounds, or with an unknown number for 0. The
// body receives the number of the round. Loops differ in their type, start and step.
func (g *adversary) loop(rounds int64, body func(i string)) {
	end := "%n"
	if rounds > 0 {
		end = g.c(rounds)
	}
	i := g.name("i")
	put := func(typ, from, to, step string) string {
		v := g.name("j")
		g.put("scf.for %s = %s to %s step %s %s{", v, from, to, step, typ)
		return v
	}
	switch k := g.IntN(16); {
	case k < 2 && rounds == 0:
		g.while(i, end, body)
		return
	case k == 2:
		last := g.name("z")
		g.put("%s = arith.index_cast %s : index to i32", last, end)
		v := put(": i32 ", g.typed(0, "i32"), last, g.typed(1, "i32"))
		g.put("%s = arith.index_cast %s : i32 to index", i, v)
	case k == 3:
		first := g.c(int64(1 + g.IntN(9)))
		v := put("", first, g.binary("addi", end, first, "index"), g.c(1))
		g.put("%s = arith.subi %s, %s : index", i, v, first)
	case k == 4:
		step := g.c(int64(2 + g.IntN(15)))
		v := put("", g.c(0), g.binary("muli", end, step, "index"), step)
		g.put("%s = arith.divui %s, %s : index", i, v, step)
	default:
		g.put("scf.for %s = %s to %s step %s {", i, g.c(0), end, g.c(1))
	}
	g.inside(i, body)
	g.put("}")
}

func (g *adversary) inside(i string, body func(i string)) {
	g.loops = append(g.loops, i)
	body(i)
	g.loops = g.loops[:len(g.loops)-1]
}

func (g *adversary) while(i, end string, body func(i string)) {
	v, c, next := g.name("v"), g.name("c"), g.name("e")
	g.put("%s = scf.while (%s = %s) : (index) -> index {", g.name("o"), v, g.c(0))
	g.put("%s = arith.cmpi slt, %s, %s : index", c, v, end)
	g.put("scf.condition(%s) %s : index", c, v)
	g.put("} do {\n^bb0(%s: index):", i)
	g.inside(i, body)
	g.put("%s = arith.addi %s, %s : index", next, i, g.c(1))
	g.put("scf.yield %s : index\n}", next)
}

// rounds returns a number of rounds: unknown (0) or a number.
func (g *adversary) rounds() int64 {
	return []int64{0, 0, 0, 1, 2, 7, 9, 30, 45}[g.IntN(9)]
}

// branch writes an if with an optional else.
func (g *adversary) branch(cond string, then, otherwise func()) {
	g.put("scf.if %s {", cond)
	then()
	if otherwise != nil {
		g.put("} else {")
		otherwise()
	}
	g.put("}")
}

// args are the scalar arguments of one launch.
type adversaryArgs struct {
	n    int64
	a, b int32
	w    int64
	f, h float32
	seed uint64 // of the data that %q points to
}

// launches returns the scalar arguments of several launches. Numbers are near those of the
// program. Arguments that the program does not use are zero, and no launch is repeated.
func (g *adversary) launches(count int) []adversaryArgs {
	r := rand.New(rand.NewPCG(uint64(g.names), 5))
	ns := []int64{45, 0, 1, 7, 2, 3, 13, 5, 30, 4, 6, 20}
	near := func() int64 {
		if len(g.numbers) == 0 || r.IntN(4) == 0 {
			edge := []int64{0, 1, -1, 127, 128, 255, 256, 32767, 65535, 65536, 1<<31 - 1, -1 << 31, 1<<63 - 1, -1 << 63, 3, 6}
			return edge[r.IntN(len(edge))]
		}
		return g.numbers[r.IntN(len(g.numbers))] + int64(r.IntN(3)) - 1
	}
	floats := []float32{0, 1, -1, 2, nan}
	text := g.body.String()
	uses := func(arg string) bool {
		return strings.Contains(text, arg+" ") || strings.Contains(text, arg+",") || strings.HasSuffix(arg, "[") && strings.Contains(text, arg)
	}
	seen := map[string]bool{}
	var out []adversaryArgs
	for i := range count {
		f, h := floats[r.IntN(len(floats))], floats[r.IntN(len(floats))]
		if r.IntN(4) == 0 {
			h = f
		}
		a, b := near(), near()
		if r.IntN(4) == 0 {
			b = a
		}
		l := adversaryArgs{n: ns[i%len(ns)], a: int32(a), b: int32(b), w: near(), f: f, h: h, seed: r.Uint64()}
		if !uses("%n") {
			l.n = 0
		}
		if !uses("%a") {
			l.a = 0
		}
		if !uses("%b") {
			l.b = 0
		}
		if !uses("%w") {
			l.w = 0
		}
		if !uses("%f") {
			l.f, l.h = 0, 0
		}
		if !uses("%q[") {
			l.seed = 0
		}
		key := fmt.Sprint(l)
		if !seen[key] {
			seen[key] = true
			out = append(out, l)
		}
	}
	return out
}
