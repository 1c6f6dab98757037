package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	ptokernel "ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// splitProgram is a random function with work for the cube core and for the vector cores.
// It contains matrix products, elementwise and row functions, moves in both directions,
// accesses to shared global memory, loops and branches.
type splitProgram struct {
	arch string
	// side is the number of rows and columns of every tile.
	side int
	// tall is the number of valid rows of tiles other than right operands. regions states
	// whether all rows are valid, or fewer, in the types or as an argument.
	tall    int64
	regions validRows
	blocks  int
	// rounds is an argument of the function, used as a loop bound and in the conditions
	// of branches.
	rounds int64
	body   strings.Builder
	r      *rand.Rand
	values int
	stores int
	moves  int
	// rows is the number of result rows, counted in tiles.
	rows int
}

// validRows is how a random function describes the valid rows of its tiles.
type validRows int

const (
	allRows validRows = iota
	staticRows
	dynamicRows
)

// tileScope holds the tiles and indices that are visible at a location of the generated
// program.
type tileScope struct {
	vec, mat, acc []string
	// square holds tiles in mat whose rows are all valid, for right operands.
	square []string
	// index holds the counters of the enclosing loops.
	index []string
	depth int
}

func newSplitProgram(seed uint64, arch string) *splitProgram {
	r := rand.New(rand.NewPCG(seed, 37))
	p := &splitProgram{arch: arch, r: r, side: 16 << r.IntN(2), blocks: 1 + r.IntN(2), rounds: int64(r.IntN(4)), rows: 64}
	if p.regions = validRows(r.IntN(3)); p.regions == allRows {
		p.tall = int64(p.side)
	} else {
		p.tall = int64(1 + r.IntN(p.side))
	}
	s := &tileScope{}
	p.load(s, "mat")
	p.loadSquare(s)
	p.load(s, "vec")
	p.product(s)
	p.cross(s, true)
	if r.IntN(2) == 0 {
		p.layers(s)
	}
	p.statements(s, 3+r.IntN(5))
	p.store(s, "vec")
	return p
}

func (p *splitProgram) name() string {
	p.values++
	return fmt.Sprintf("%%v%d", p.values)
}

func (p *splitProgram) line(format string, args ...any) {
	fmt.Fprintf(&p.body, "  "+format+"\n", args...)
}

func (p *splitProgram) pick(of []string) string { return of[p.r.IntN(len(of))] }

// statements adds n random statements to the current block.
func (p *splitProgram) statements(s *tileScope, n int) {
	for range n {
		switch k := p.r.IntN(20); {
		case k < 2:
			p.load(s, []string{"mat", "vec"}[p.r.IntN(2)])
			p.loadSquare(s)
		case k < 6:
			p.product(s)
		case k < 9:
			p.cross(s, true)
		case k < 11:
			p.cross(s, false)
		case k < 15:
			p.elementwise(s)
		case k < 16:
			p.store(s, []string{"vec", "acc"}[p.r.IntN(2)])
		case k < 18 && s.depth < 2:
			p.loop(s)
		case s.depth < 2:
			p.branch(s)
		}
	}
}

// inner returns the scope of a nested block. It sees the outer tiles, but a mat tile that
// it defines cannot leave the nested block.
func (s *tileScope) inner() *tileScope {
	return &tileScope{vec: slices.Clone(s.vec), mat: slices.Clone(s.mat), square: slices.Clone(s.square), acc: slices.Clone(s.acc), index: slices.Clone(s.index), depth: s.depth + 1}
}

// row returns the name of the first row of a tile in global memory. Each block has a
// separate tile. Within a loop, iterations use separate tiles or the same one.
func (p *splitProgram) row(s *tileScope, tile int) string {
	v, w := p.name(), p.name()
	p.line("%s = arith.constant %d : index", v, tile*p.side)
	p.line("%s = arith.addi %s, %%first : index", w, v)
	if len(s.index) == 0 || p.r.IntN(3) == 0 {
		return w
	}
	x, y := p.name(), p.name()
	p.line("%s = arith.muli %s, %%side : index", x, s.index[len(s.index)-1])
	p.line("%s = arith.addi %s, %s : index", y, w, x)
	return y
}

func (p *splitProgram) part(view, row string) string {
	v := p.name()
	p.line("%s = pto.partition_view %s, offsets = [%s, %%i0], sizes = [%%tall, %%side] : VIEW -> PART", v, view, row)
	return v
}

func (p *splitProgram) load(s *tileScope, space string) {
	view := []string{"%vx", "%vx", "%vy"}[p.r.IntN(3)]
	part, v := p.part(view, p.row(s, 4*p.r.IntN(8))), p.name()
	if space == "mat" {
		p.line("%s = pto.tload %s : PART -> MAT", v, part)
		s.mat = append(s.mat, v)
		return
	}
	p.line("%s = pto.tload %s : PART -> VEC", v, part)
	s.vec = append(s.vec, v)
}

// loadSquare loads a right operand, if the tiles in mat that the function has cannot be
// right operands.
func (p *splitProgram) loadSquare(s *tileScope) {
	if p.regions == allRows {
		s.square = s.mat
		return
	}
	part, v := p.name(), p.name()
	p.line("%s = pto.partition_view %%vx, offsets = [%s, %%i0], sizes = [%%side, %%side] : VIEW -> SQUAREPART", part, p.row(s, 4*p.r.IntN(8)))
	p.line("%s = pto.tload %s : SQUAREPART -> SQUARE", v, part)
	s.square = append(s.square, v)
}

func (p *splitProgram) store(s *tileScope, space string) {
	of, typ := s.vec, "VEC"
	if space == "acc" {
		of, typ = s.acc, "ACC"
	}
	if len(of) == 0 {
		return
	}
	tile := p.pick(of)
	part := p.part("%vy", p.row(s, 4*p.r.IntN(8)))
	p.line("pto.tstore %s, %s : (%s, PART) -> ()", tile, part, typ)
	p.stores++
}

func (p *splitProgram) product(s *tileScope) {
	if len(s.mat) == 0 {
		return
	}
	l, r, v := p.name(), p.name(), p.name()
	p.line("%s = pto.tmov %s : MAT -> LEFT", l, p.pick(s.mat))
	p.line("%s = pto.tmov %s : SQUARE -> RIGHT", r, p.right(s))
	p.line("%s = pto.tmatmul %s, %s : (LEFT, RIGHT) -> ACC", v, l, r)
	s.acc = append(s.acc, v)
}

// right picks a right operand.
func (p *splitProgram) right(s *tileScope) string {
	if p.regions == allRows {
		return p.pick(s.mat)
	}
	return p.pick(s.square)
}

func (p *splitProgram) cross(s *tileScope, toVector bool) {
	if p.moves == 8 {
		return
	}
	v := p.name()
	switch {
	case toVector && len(s.acc) > 0:
		p.line("%s = pto.tmov %s : ACC -> VEC", v, p.pick(s.acc))
		s.vec = append(s.vec, v)
	case !toVector && len(s.vec) > 0:
		p.line("%s = pto.tmov %s : VEC -> MAT", v, p.pick(s.vec))
		s.mat = append(s.mat, v)
	default:
		return
	}
	p.moves++
}

// layers adds a loop with two matrix products and elementwise functions after each. The
// loop may carry their sum. pto-pipeline-cores can let the cube core run ahead in such a
// loop.
func (p *splitProgram) layers(s *tileScope) {
	i, sum, carried := p.name(), p.name(), p.name()
	in := s.inner()
	in.index, in.vec, in.acc = append(in.index, i), nil, nil
	bound := []string{"%rounds", "%i2", "%i5"}[p.r.IntN(3)]
	carries := p.r.IntN(2) == 0
	if carries {
		p.line("%s = scf.for %s = %%i0 to %s step %%i1 iter_args(%s = %s) -> (VEC) {", sum, i, bound, carried, p.pick(s.vec))
	} else {
		p.line("scf.for %s = %%i0 to %s step %%i1 {", i, bound)
	}
	p.load(in, "mat")
	p.product(in)
	p.cross(in, true)
	for range 1 + p.r.IntN(2) {
		p.elementwise(in)
	}
	in.mat, in.acc = in.mat[:1], nil
	p.cross(in, false)
	p.product(in)
	if p.r.IntN(2) == 0 {
		p.store(in, "acc")
	}
	if carries {
		p.cross(in, true)
		next := p.name()
		p.line("%s = pto.tmax %s, %s : (VEC, VEC) -> VEC", next, carried, in.vec[len(in.vec)-1])
		p.line("scf.yield %s : VEC", next)
		s.vec = append(s.vec, sum)
	}
	p.line("}")
}

// elementwise adds an elementwise function of existing tiles. Its results are small, so
// that no product exceeds the range of f32.
func (p *splitProgram) elementwise(s *tileScope) {
	if len(s.vec) == 0 {
		return
	}
	a, b, v, w := p.pick(s.vec), p.pick(s.vec), p.name(), p.name()
	switch p.r.IntN(8) {
	case 0:
		p.line("%s = pto.trelu %s : VEC -> VEC", v, a)
	case 1:
		p.line("%s = pto.tadd %s, %s : (VEC, VEC) -> VEC", v, a, b)
	case 2:
		p.line("%s = pto.tmax %s, %s : (VEC, VEC) -> VEC", v, a, b)
	case 3:
		p.line("%s = pto.trowsum %s : VEC -> COL", w, a)
		p.line("%s = pto.trowexpandsub %s, %s : (VEC, COL) -> VEC", v, b, w)
	case 4:
		p.line("%s = pto.trowmax %s : VEC -> COL", w, a)
		x, y := p.name(), p.name()
		p.line("%s = pto.treshape %s : COL -> TURNED", x, w)
		p.line("%s = pto.treshape %s : TURNED -> COL", y, x)
		p.line("%s = pto.trowexpandmax %s, %s : (VEC, COL) -> VEC", v, b, y)
	case 5:
		p.line("%s = pto.tload %%bias : BIASPART -> ROW", w)
		p.line("%s = pto.tcolexpandadd %s, %s : (VEC, ROW) -> VEC", v, a, w)
	case 6:
		if p.r.IntN(3) > 0 {
			p.line("%s = pto.tadds %s, %%number : (VEC, f32) -> VEC", v, a)
			break
		}
		p.line("%s = pto.tcolmax %s : VEC -> ROW", w, a) // needs all rows on one core
		p.line("%s = pto.tcolexpandsub %s, %s : (VEC, ROW) -> VEC", v, b, w)
	case 7:
		p.line("%s = pto.tmuls %s, %%number : (VEC, f32) -> VEC", v, a)
	}
	x, y := p.name(), p.name()
	p.line("%s = pto.tmaxs %s, %%least : (VEC, f32) -> VEC", x, v)
	p.line("%s = pto.tmins %s, %%most : (VEC, f32) -> VEC", y, x)
	s.vec = append(s.vec, y)
}

// loop adds a loop that carries a tile of the vector cores, an accumulator, or nothing.
func (p *splitProgram) loop(s *tileScope) {
	bound := []string{"%rounds", "%i2", "%i0"}[p.r.IntN(3)]
	i, v, a := p.name(), p.name(), p.name()
	in := s.inner()
	in.index = append(in.index, i)
	carries := "VEC"
	of := &s.vec
	if p.r.IntN(3) == 0 {
		carries, of = "ACC", &s.acc
	}
	if len(*of) == 0 || len(s.mat) == 0 || p.r.IntN(3) == 0 {
		p.line("scf.for %s = %%i0 to %s step %%i1 {", i, bound)
		p.statements(in, 1+p.r.IntN(4))
		p.line("}")
		return
	}
	p.line("%s = scf.for %s = %%i0 to %s step %%i1 iter_args(%s = %s) -> (%s) {", v, i, bound, a, p.pick(*of), carries)
	if carries == "ACC" {
		in.acc = append(in.acc, a)
	} else {
		in.vec = append(in.vec, a)
	}
	p.statements(in, 1+p.r.IntN(4))
	if carries == "ACC" { // no instruction copies an accumulator: the loop adds to it
		l, r, sum := p.name(), p.name(), p.name()
		p.line("%s = pto.tmov %s : MAT -> LEFT", l, p.pick(in.mat))
		p.line("%s = pto.tmov %s : SQUARE -> RIGHT", r, p.right(in))
		p.line("%s = pto.tmatmul.acc %s, %s, %s : (ACC, LEFT, RIGHT) -> ACC", sum, a, l, r)
		in.acc = append(in.acc, sum)
		p.line("scf.yield %s : ACC", sum)
	} else {
		p.line("scf.yield %s : VEC", p.yielded(in.vec))
	}
	p.line("}")
	*of = append(*of, v)
}

// yielded returns a tile that a block yields, usually the most recent one.
func (p *splitProgram) yielded(of []string) string {
	if p.r.IntN(2) == 0 {
		return of[len(of)-1]
	}
	return p.pick(of)
}

// branch adds an if whose branches yield a tile of the vector cores or nothing.
func (p *splitProgram) branch(s *tileScope) {
	c, v := p.name(), p.name()
	x := "%rounds"
	if len(s.index) > 0 {
		x = p.pick(s.index)
	}
	p.line("%s = arith.cmpi ult, %s, %%i%d : index", c, x, 1+p.r.IntN(2))
	if len(s.vec) == 0 || p.r.IntN(2) == 0 {
		p.line("scf.if %s {", c)
		p.statements(s.inner(), 1+p.r.IntN(3))
		if p.r.IntN(2) == 0 {
			p.line("} else {")
			p.statements(s.inner(), 1+p.r.IntN(3))
		}
		p.line("}")
		return
	}
	p.line("%s = scf.if %s -> (VEC) {", v, c)
	for k := range 2 {
		in := s.inner()
		p.statements(in, p.r.IntN(3))
		p.line("scf.yield %s : VEC", p.yielded(in.vec))
		if k == 0 {
			p.line("} else {")
		}
	}
	p.line("}")
	s.vec = append(s.vec, v)
}

// text returns the text of the function @kN, with the number n as N.
func (p *splitProgram) text(n int) string {
	side, tall := fmt.Sprint(p.side), fmt.Sprint(p.tall)
	if p.regions == dynamicRows {
		tall = "?"
	}
	square, whole := side+"x"+side+"xf32", p.regions == allRows
	valid := func(rows, cols string) string {
		if whole {
			return ""
		}
		return ", valid=" + rows + "x" + cols
	}
	types := strings.NewReplacer(
		"BIASPART", "!pto.partition_tensor_view<1x"+side+"xf32>", "SQUAREPART", "!pto.partition_tensor_view<"+square+">",
		"PART", "!pto.partition_tensor_view<"+tall+"x"+side+"xf32>", "VIEW", "!pto.tensor_view<?x"+side+"xf32>",
		"SQUARE", "!pto.tile<"+square+", loc=mat, blayout=col_major, slayout=row_major>",
		"MAT", "!pto.tile<"+square+", loc=mat"+valid(tall, side)+", blayout=col_major, slayout=row_major>",
		"LEFT", "!pto.tile<"+square+", loc=left"+valid(tall, side)+", blayout=col_major, slayout=row_major>",
		"RIGHT", "!pto.tile<"+square+", loc=right, slayout=col_major>",
		"ACC", "!pto.tile<"+square+", loc=acc"+valid(tall, side)+", blayout=col_major, slayout=row_major, fractal=1024>",
		"VEC", "!pto.tile<"+square+valid(tall, side)+">", "COL", "!pto.tile<"+side+"x1xf32"+valid(tall, "1")+", blayout=col_major>",
		"TURNED", "!pto.tile<1x"+side+"xf32"+valid("1", tall)+">", "ROW", "!pto.tile<1x"+side+"xf32>",
	)
	define := "%tall = arith.constant " + tall + " : index"
	if p.regions == dynamicRows {
		define = "%tall = arith.addi %height, %i0 : index"
	}
	head := fmt.Sprintf(`func.func @k%d(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%rounds: index, %%height: index) attributes {pto.kernel} {
  %%i0 = arith.constant 0 : index
  %%i1 = arith.constant 1 : index
  %%i2 = arith.constant 2 : index
  %%i5 = arith.constant 5 : index
  %%side = arith.constant %d : index
  %s
  %%number = arith.constant 0.375 : f32
  %%least = arith.constant -4.0 : f32
  %%most = arith.constant 4.0 : f32
  %%own = arith.constant %d : index
  %%all = arith.constant %d : index
  %%block = pto.get_block_idx
  %%block_index = arith.index_cast %%block : i64 to index
  %%first = arith.muli %%block_index, %%own : index
  %%vx = pto.make_tensor_view %%x, shape = [%%all, %%side], strides = [%%side, %%i1] : VIEW
  %%vy = pto.make_tensor_view %%y, shape = [%%all, %%side], strides = [%%side, %%i1] : VIEW
  %%bias = pto.partition_view %%vx, offsets = [%%i1, %%i0], sizes = [%%i1, %%side] : VIEW -> BIASPART
`, n, p.side, define, p.rows*p.side, p.blocks*p.rows*p.side)
	return types.Replace(head + p.body.String() + "  return\n}\n")
}

func (p *splitProgram) buffers(seed uint64) [][]byte {
	r := rand.New(rand.NewPCG(seed, 5))
	d := &data{name: "x", elem: "f32", shape: [2]int{p.blocks * p.rows * p.side, p.side}, number: normal}
	return [][]byte{d.bytes(r), d.bytes(r)}
}

// splitWays lists the pass pipelines that split a function between cube and vector cores.
var splitWays = []string{
	"builtin.module(pto-split-cores,pto-bufferize,pto-plan-memory,pto-insert-sync)",
	"builtin.module(pto-split-cores{slots=1},pto-bufferize,pto-plan-memory,pto-insert-sync)",
	"builtin.module(pto-split-cores,func.func(pto-pipeline-cores),pto-bufferize,pto-plan-memory,pto-insert-sync)",
	"builtin.module(pto-split-cores{slots=4},func.func(pto-pipeline-cores{stages=3}),pto-bufferize,pto-plan-memory,pto-insert-sync)",
	"builtin.module(pto-split-cores{slots=3 rows=false},canonicalize,cse,pto-bufferize,pto-plan-memory,pto-insert-sync)",
}

// TestSplitPrograms compares random functions for both kinds of cores with the two
// functions that pto-split-cores makes of each. Both engines must produce the same bytes,
// and the checkers must report nothing, in program order and in a random order.
func TestSplitPrograms(t *testing.T) {
	refused := map[string]int{}
	ran, shared, ahead := 0, 0, 0
	var proofs splitProofs
	inBatches(t, 40, 20, func(t *testing.T, seed uint64, n int) {
		arch := []string{"a3", "a5"}[seed/uint64(20)%2]
		var together strings.Builder
		var programs []*splitProgram
		for i := range n {
			p := newSplitProgram(seed+uint64(i), arch)
			w := way{pipeline: splitWays[p.r.IntN(len(splitWays))]}
			module := "module attributes {pto.target_arch = \"" + arch + "\"} {\n" + p.text(i) + "}\n"
			m, why := w.lower(module)
			if m == nil {
				refused[firstWords(why)]++
				continue
			}
			diags := &ir.Diags{}
			whole := read(module, diags)
			if whole == nil || !ptokernel.Lower(whole, ir.TargetOf(whole), 0, diags) {
				refused["as a whole: "+firstWords(reason(diags))]++
				continue
			}
			ran++
			printed := printedText(m)
			if strings.Contains(printed, "split = 1") {
				shared++
			}
			if runsAhead(module, w.pipeline) {
				ahead++
			}
			if why := proofs.follow(t, p, printed, seed+uint64(i)); why != "" {
				t.Errorf("seed %d, %s: %s\n%s", seed+uint64(i), w.pipeline, why, module)
			}
			if !p.compare(t, whole, m, seed+uint64(i)) {
				t.Errorf("seed %d, %s:\n%s", seed+uint64(i), w.pipeline, module)
				continue
			}
			programs = append(programs, p)
			together.Reset()
			together.WriteString(printed)
		}
		if withLLVM() && len(programs) > 0 {
			programs[len(programs)-1].compareLLVM(t, together.String(), seed)
		}
	})
	t.Logf("%d programs split and compared, %d with rows shared by the vector cores, %d pipelined; refused: %v", ran, shared, ahead, refused)
	t.Logf("static proof: %d programs examined completely, %d not; without one of the signals: %d hazards, %d still in order, %d not decided", proofs.whole, proofs.open, proofs.hazards, proofs.inOrder, proofs.unsure)
	if ran > 20 && (shared == 0 || shared == ran) { // a busy machine runs one batch
		t.Errorf("the programs do not vary: of %d, the vector cores share rows in %d", ran, shared)
	}
}

// runsAhead reports whether the pipeline changes a loop of the module so that the cube
// core runs ahead of the vector cores.
func runsAhead(module, pipeline string) bool {
	before, after, ok := strings.Cut(pipeline, ",func.func(")
	if !ok {
		return false
	}
	pass, _, _ := strings.Cut(after, ")")
	split, _ := way{pipeline: before + ")"}.lower(module)
	piped, _ := way{pipeline: before + ",func.func(" + pass + "))"}.lower(module)
	return split != nil && piped != nil && printedText(split) != printedText(piped)
}

// firstWords returns the message why without names, so that similar messages count as
// one.
func firstWords(why string) string {
	why, _, _ = strings.Cut(why, "\n")
	if _, after, ok := strings.Cut(why, "' op "); ok {
		why = after
	}
	if len(why) > 60 {
		why = why[:60]
	}
	return why
}

// compare runs the original function whole and the split functions, and compares their
// results. It reports whether the program could be compared.
func (p *splitProgram) compare(t *testing.T, whole, split *ir.Op, seed uint64) bool {
	t.Helper()
	want, err := p.run(t, whole, runtime.Options{}, seed)
	if err != nil {
		t.Errorf("the whole function: %v", err)
		return false
	}
	for order := range uint64(3) {
		c, err := check.New(check.Options{Kinds: []check.Kind{check.Race, check.Sync}})
		if err != nil {
			t.Fatal(err)
		}
		o := runtime.Options{Seed: order}
		if order == 0 {
			o.Listeners = []runtime.Listener{c}
		}
		got, err := p.run(t, split, o, seed)
		for _, r := range c.Reports() {
			d := r.Diag()
			if contestsWrites(d.Severity, d.Notes) {
				t.Logf("seed %d, order %d: %s", seed, order, d)
				continue
			}
			t.Errorf("order %d: %s", order, d.Format())
			return false
		}
		if err != nil {
			t.Errorf("order %d: %v", order, err)
			return false
		}
		if !bytes.Equal(got[1], want[1]) {
			t.Errorf("order %d: results differ", order)
			return false
		}
	}
	return true
}

// contestsWrites reports whether a diagnostic with the given severity and notes is the
// warning about two loads into the same memory, of which no instruction reads the first.
// pto-insert-sync inserts nothing between them, because it assumes that MTE2 writes in
// order. Public sources disagree on this, as a note of the warning says.
func contestsWrites(s ir.Severity, notes []ir.Note) bool {
	return s == ir.Warning && slices.ContainsFunc(notes, func(n ir.Note) bool { return strings.HasPrefix(n.Text, "contested: ") })
}

// run launches all kernels of the module m together, and returns the contents of the
// buffers.
func (p *splitProgram) run(t *testing.T, m *ir.Op, o runtime.Options, seed uint64) ([][]byte, error) {
	t.Helper()
	o.Blocks, o.MaxSteps = p.blocks, 1<<22
	bufs := p.buffers(seed)
	args := []runtime.Arg{{Buf: &runtime.Buffer{Data: bufs[0]}}, {Buf: &runtime.Buffer{Data: bufs[1]}}, {Bits: uint64(p.rounds)}, {Bits: uint64(p.tall)}}
	kernels := runtime.Kernels(m)
	if strings.Contains(printedText(kernels[0]), "%slots") {
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, 1<<20)}})
	}
	err := planned(t, m, kernels, o).Run(args)
	return bufs, err
}

// compareLLVM runs the split functions as compiled code, and compares the results with
// those of the Go runtime.
func (p *splitProgram) compareLLVM(t *testing.T, text string, seed uint64) {
	t.Helper()
	m := llvmtest.Parse(t, "split", text)
	kernels := runtime.Kernels(m)
	want, err := p.run(t, m, runtime.Options{}, seed)
	if err != nil {
		t.Fatal(err)
	}
	prog := llvmtest.Compile(t, m, llvm.Options{Together: [][]*ir.Op{kernels}}, "1")
	bufs := p.buffers(seed)
	args := []any{bufs[0], bufs[1], uint64(p.rounds), uint64(p.tall)}
	if strings.Contains(text, "%slots") {
		args = append(args, make([]byte, 1<<20))
	}
	name, _ := ir.SymbolName(kernels[0])
	if err := prog.Run(name, p.blocks, args...); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bufs[1], want[1]) {
		t.Errorf("the LLVM engine computes other results:\n%s", text)
	}
}
