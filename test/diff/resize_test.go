package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/ir"
	ptokernel "ptogo/kernel"
	"ptogo/lower/resize"
	"ptogo/runtime"
	"ptogo/tools/testsize"
)

// resizeProgram is a random function whose tiles have some rows of the matrices x and y, which
// it computes round by round. Some of its instructions cannot be resized: sums of columns,
// accesses at other rows of the written matrix, and uses of the loop counter.
type resizeProgram struct {
	r    *rand.Rand
	body strings.Builder
	// kind is the kind of loop.
	kind       int
	values     int
	rows, cols int
	// high is the number of rows of a tile, and valid the number of valid rows in its type.
	high  int
	valid string
	// ragged means that the last round has fewer rows.
	ragged bool
	tiles  []string // matrices of high x cols elements
	column string   // a column of high elements, or ""
	blocks int
}

func newResizeProgram(seed uint64) *resizeProgram {
	r := rand.New(rand.NewPCG(seed, 62))
	p := &resizeProgram{r: r, high: 8 << r.IntN(3), cols: 16 << r.IntN(3), blocks: 1}
	p.rows = p.high * (1 + r.IntN(8))
	p.kind = r.IntN(5)
	if p.ragged = p.kind < 2 && r.IntN(3) == 0; p.ragged {
		p.rows -= r.IntN(p.high)
		p.valid = fmt.Sprintf(", valid=?x%d", p.cols)
	}
	p.function()
	return p
}

func (p *resizeProgram) line(format string, args ...any) {
	fmt.Fprintf(&p.body, "  "+format+"\n", args...)
}

func (p *resizeProgram) name() string {
	p.values++
	return fmt.Sprintf("%%v%d", p.values)
}

func (p *resizeProgram) pick(of []string) string { return of[p.r.IntN(len(of))] }

// function writes the function: a loop over all rows, a loop whose rounds are divided
// between blocks, a loop with a small step, or no loop.
func (p *resizeProgram) function() {
	p.line("%%step = arith.constant %d : index", p.high)
	p.line("%%rows = arith.constant %d : index", p.rows)
	p.line("%%cols = arith.constant %d : index", p.cols)
	p.line("%%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%c2 = arith.constant 2 : index\n  %%half = arith.constant 0.5 : f32")
	p.line("%%xs = pto.make_tensor_view %%x, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : MATRIX")
	p.line("%%ys = pto.make_tensor_view %%y, shape = [%%rows, %%cols], strides = [%%cols, %%c1] : MATRIX")
	p.line("%%gs = pto.make_tensor_view %%g, shape = [%%c1, %%cols], strides = [%%cols, %%c1] : !pto.tensor_view<1xCOLSxf32>")
	p.line("%%gp = pto.partition_view %%gs, offsets = [%%c0, %%c0], sizes = [%%c1, %%cols] : !pto.tensor_view<1xCOLSxf32> -> !pto.partition_tensor_view<1xCOLSxf32>")
	p.line("%%gamma = pto.tload %%gp : !pto.partition_tensor_view<1xCOLSxf32> -> !pto.tile<1xCOLSxf32>")
	switch p.kind {
	case 0: // blocks
		p.blocks = 1 + p.r.IntN(4)
		p.line("%%b64 = pto.get_block_idx\n  %%n64 = pto.get_block_num\n  %%b = arith.index_cast %%b64 : i64 to index\n  %%n = arith.index_cast %%n64 : i64 to index")
		p.line("%%first = arith.muli %%b, %%step : index\n  %%stride = arith.muli %%n, %%step : index")
		p.line("scf.for %%row = %%first to %%rows step %%stride {")
	case 1:
		p.line("scf.for %%row = %%c0 to %%rows step %%step {")
	case 2:
		p.line("%%rounds = arith.constant %d : index", p.rows/p.high)
		p.line("scf.for %%i = %%c0 to %%rounds step %%c1 {\n  %%row = arith.muli %%i, %%step : index")
	case 3: // a block for each round
		p.blocks = p.rows / p.high
		p.line("%%b64 = pto.get_block_idx\n  %%b = arith.index_cast %%b64 : i64 to index\n  %%row = arith.muli %%b, %%step : index")
	default:
		p.line("%%row = arith.constant 0 : index")
	}
	size := "%step"
	if p.ragged {
		size = "%size"
		p.line("%%rest = arith.subi %%rows, %%row : index\n  %%size = arith.minsi %%rest, %%step : index")
	}
	p.load("%xs", "%row", size)
	for range 2 + p.r.IntN(6) {
		p.statement(size)
	}
	at := "%row"
	if p.r.IntN(8) == 0 && p.kind == 1 && !p.ragged && p.rows > p.high { // rounds overwrite rows of each other
		p.line("%%fixed = arith.divsi %%row, %%c2 : index")
		at = "%fixed"
	}
	p.store(at, size)
	if p.kind < 3 {
		p.line("scf.yield\n  }")
	}
	p.line("return")
}

// load adds a load of a tile from rows of a matrix.
func (p *resizeProgram) load(from, row, size string) {
	v, t := p.name(), p.name()
	p.line("%s = pto.partition_view %s, offsets = [%s, %%c0], sizes = [%s, %%cols] : MATRIX -> PART", v, from, row, size)
	p.line("%s = pto.tload %s : PART -> TILE", t, v)
	p.tiles = append(p.tiles, t)
}

// store adds a store of a tile to rows of y.
func (p *resizeProgram) store(row, size string) {
	v := p.name()
	p.line("%s = pto.partition_view %%ys, offsets = [%s, %%c0], sizes = [%s, %%cols] : MATRIX -> PART", v, row, size)
	p.line("pto.tstore %s, %s : (TILE, PART) -> ()", p.tiles[len(p.tiles)-1], v)
}

// statement adds a random instruction.
func (p *resizeProgram) statement(size string) {
	t, a, b := p.name(), p.pick(p.tiles), p.pick(p.tiles)
	switch k := p.r.IntN(24); {
	case k < 5:
		p.line("%s = pto.%s %s, %s : (TILE, TILE) -> TILE", t, p.pick([]string{"tadd", "tsub", "tmul", "tmax"}), a, b)
	case k < 8:
		p.line("%s = pto.%s %s, %%half : (TILE, f32) -> TILE", t, p.pick([]string{"tadds", "tmuls"}), a)
	case k < 10:
		p.line("%s = pto.%s %s : TILE -> TILE", t, p.pick([]string{"texp", "tabs", "tneg"}), a)
	case k < 12:
		p.line("%s = pto.texpands %%half : f32 -> !pto.tile<HIGHxCOLSxf32>", t)
		if p.ragged {
			return
		}
	case k < 15:
		p.line("%s = pto.%s %s : TILE -> COLUMN", t, p.pick([]string{"trowmax", "trowsum", "trowmin"}), a)
		p.column = t
		return
	case k < 18 && p.column != "":
		p.line("%s = pto.%s %s, %s : (TILE, COLUMN) -> TILE", t, p.pick([]string{"trowexpandsub", "trowexpandmul", "trowexpandadd"}), a, p.column)
	case k < 19 && p.column != "" && !p.ragged:
		x, y := p.name(), p.name()
		p.line("%s = pto.treshape %s : COLUMN -> !pto.tile<1xHIGHxf32>", x, p.column)
		p.line("%s = pto.tmuls %s, %%half : (!pto.tile<1xHIGHxf32>, f32) -> !pto.tile<1xHIGHxf32>", y, x)
		p.line("%s = pto.treshape %s : !pto.tile<1xHIGHxf32> -> COLUMN", t, y)
		p.column = t
		return
	case k < 20:
		p.line("%s = pto.tcolexpandmul %s, %%gamma : (TILE, !pto.tile<1xCOLSxf32>) -> TILE", t, a)
	case k < 21:
		x := p.name()
		p.line("%s = pto.tcvt %s : TILE -> HALFTILE", x, a)
		p.line("%s = pto.tcvt %s : HALFTILE -> TILE", t, x)
	case k < 22:
		p.load(p.pick([]string{"%xs", "%ys"}), "%row", size)
		return
	case k < 23 && p.r.IntN(4) == 0:
		x := p.name()
		p.line("%s = pto.tcolsum %s : TILE -> !pto.tile<1xCOLSxf32>", x, a)
		p.line("%s = pto.tcolexpandadd %s, %s : (TILE, !pto.tile<1xCOLSxf32>) -> TILE", t, a, x)
	case k < 24 && p.r.IntN(4) == 0 && !p.ragged:
		p.load("%ys", "%c0", size)
		return
	default:
		return
	}
	p.tiles = append(p.tiles, t)
}

// text returns the program.
func (p *resizeProgram) text() string {
	part := fmt.Sprint(p.high)
	column := ""
	if p.ragged {
		part, column = "?", "valid=?x1, "
	}
	words := strings.NewReplacer("MATRIX", "!pto.tensor_view<ROWSxCOLSxf32>", "PART", "!pto.partition_tensor_view<"+part+"xCOLSxf32>", "HALFTILE", "!pto.tile<HIGHxCOLSxf16"+p.valid+">",
		"TILE", "!pto.tile<HIGHxCOLSxf32"+p.valid+">", "COLUMN", "!pto.tile<HIGHx1xf32, "+column+"blayout=col_major>")
	text := words.Replace(p.body.String())
	text = strings.NewReplacer("ROWS", fmt.Sprint(p.rows), "COLS", fmt.Sprint(p.cols), "HIGH", fmt.Sprint(p.high)).Replace(text)
	return "func.func @rows(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %g: !pto.ptr<f32>) attributes {pto.kernel} {\n" + text + "}\n"
}

// run executes a program on times as many blocks as the original, and returns the bytes of y.
func (p *resizeProgram) run(text string, times int) ([]byte, error) {
	r := rand.New(rand.NewPCG(1, 2))
	floats := func(n int) []byte {
		var b []byte
		for range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(r.NormFloat64())))
		}
		return b
	}
	return runOn(text, p.blocks*times, 1, floats(p.rows*p.cols), floats(p.rows*p.cols), floats(p.cols))
}

// runOn executes a program on arrays, and returns the bytes of one of them.
func runOn(text string, blocks, result int, arrays ...[]byte) ([]byte, error) {
	prog, err := ptokernel.Load(&ir.Source{Name: "rows.pto", Text: text}, ptokernel.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := prog.Plan(runtime.Options{Blocks: blocks})
	if err != nil {
		return nil, err
	}
	var args []any
	for _, a := range arrays {
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: a}})
	}
	if err := plan.Run(args...); err != nil {
		return nil, err
	}
	return arrays[result], nil
}

// resizedBy returns the program before after the pass with the given options.
func resizedBy(t *testing.T, before, options string) string {
	t.Helper()
	var diags ir.Diags
	m := read(before, &diags)
	if m == nil || !through(m, "builtin.module("+resize.Pass.Name+"{"+options+"})", &diags) {
		t.Fatalf("%s: %v\n%s", options, diags.Err(), before)
	}
	return m.String() + "\n"
}

// TestResize executes random row programs before and after pto-resize-tiles. The results
// must have the same bytes.
func TestResize(t *testing.T) {
	options := []string{"merge=2", "merge=3", "merge=4", "divide=2", "divide=4", "divide=2 columns=true", "merge=2 columns=true", "divide=2 blocks=true", "divide=4 blocks=true", "divide=2 columns=true blocks=true"}
	changed, tried := map[string]int{}, 0
	for seed := range uint64(testsize.Of(150, 3000)) {
		p := newResizeProgram(seed)
		before := p.text()
		want, err := p.run(before, 1)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, before)
		}
		tried++
		for _, o := range options {
			after := resizedBy(t, before, o)
			if !resized(before, after) {
				continue
			}
			changed[o]++
			times := 1 // blocks for each block before
			if _, err := fmt.Sscanf(o, "divide=%d", &times); err != nil || !strings.Contains(o, "blocks=true") {
				times = 1
			}
			got, err := p.run(after, times)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("seed %d, %s: other results (%v)\nbefore\n%s\nafter\n%s", seed, o, err, before, after)
			}
		}
	}
	for _, o := range options {
		t.Logf("%s changed %d of %d programs", o, changed[o], tried)
		if changed[o] < tried/100 && o != "merge=2 columns=true" {
			t.Errorf("%s changed only %d of %d programs", o, changed[o], tried)
		}
	}
}

// resized reports whether a pass has changed the program before, apart from its format.
func resized(before, after string) bool {
	var diags ir.Diags
	return read(before, &diags).String()+"\n" != after
}

// sumsLoads loads the operands of a product, whose terms start at AT.
const sumsLoads = `  %Pa_part = pto.partition_view %as, offsets = [%c0, AT], sizes = [%m, %step] : !pto.tensor_view<MMxKKxELEM> -> !pto.partition_tensor_view<MMxSTEPxELEM>
  %Pb_part = pto.partition_view %bs, offsets = [AT, %c0], sizes = [%step, %n] : !pto.tensor_view<KKxNNxELEM> -> !pto.partition_tensor_view<STEPxNNxELEM>
  %Pa_mat = pto.tload %Pa_part : !pto.partition_tensor_view<MMxSTEPxELEM> -> !pto.tile<MMxSTEPxELEM, loc=mat, blayout=col_major, slayout=row_major>
  %Pb_mat = pto.tload %Pb_part : !pto.partition_tensor_view<STEPxNNxELEM> -> !pto.tile<STEPxNNxELEM, loc=mat, blayout=col_major, slayout=row_major>
  %Pa = pto.tmov %Pa_mat : !pto.tile<MMxSTEPxELEM, loc=mat, blayout=col_major, slayout=row_major> -> LEFT
  %Pb = pto.tmov %Pb_mat : !pto.tile<STEPxNNxELEM, loc=mat, blayout=col_major, slayout=row_major> -> RIGHT
`

// sumsProgram returns a product of random matrices that adds the terms of one step in each
// round. The first product is before the loop. In some programs, it has the terms of another
// round.
func sumsProgram(r *rand.Rand) (text string, m, n, k int, elem string) {
	m, n = 16<<r.IntN(2), 16<<r.IntN(2)
	step, rounds := 32<<r.IntN(2), 2+r.IntN(7)
	k = step * rounds
	elem, sum := "f16", "f32"
	if r.IntN(2) == 0 {
		elem, sum = "i8", "i32"
	}
	first := 0
	if r.IntN(6) == 0 {
		first = step
	}
	words := strings.NewReplacer("ELEM", elem, "SUM", sum, "STEP", fmt.Sprint(step), "FIRST", fmt.Sprint(first), "MM", fmt.Sprint(m), "NN", fmt.Sprint(n), "KK", fmt.Sprint(k))
	load := func(p, at string) string { return strings.NewReplacer("%P", "%"+p, "AT", at).Replace(sumsLoads) }
	text = `func.func @sums(%a: !pto.ptr<ELEM>, %b: !pto.ptr<ELEM>, %c: !pto.ptr<SUM>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant MM : index
  %n = arith.constant NN : index
  %k = arith.constant KK : index
  %step = arith.constant STEP : index
  %first_at = arith.constant FIRST : index
  %as = pto.make_tensor_view %a, shape = [%m, %k], strides = [%k, %c1] : !pto.tensor_view<MMxKKxELEM>
  %bs = pto.make_tensor_view %b, shape = [%k, %n], strides = [%n, %c1] : !pto.tensor_view<KKxNNxELEM>
  %cs = pto.make_tensor_view %c, shape = [%m, %n], strides = [%n, %c1] : !pto.tensor_view<MMxNNxSUM>
  %cp = pto.partition_view %cs, offsets = [%c0, %c0], sizes = [%m, %n] : !pto.tensor_view<MMxNNxSUM> -> !pto.partition_tensor_view<MMxNNxSUM>
` + load("p", "%first_at") + `  %first = pto.tmatmul %pa, %pb : (LEFT, RIGHT) -> ACC
  %sum = scf.for %i = %step to %k step %step iter_args(%acc = %first) -> (ACC) {
` + load("q", "%i") + `  %next = pto.tmatmul.acc %acc, %qa, %qb : (ACC, LEFT, RIGHT) -> ACC
  scf.yield %next : ACC
  }
  pto.tstore %sum, %cp : (ACC, !pto.partition_tensor_view<MMxNNxSUM>) -> ()
  return
}
`
	types := strings.NewReplacer("LEFT", "!pto.tile<MMxSTEPxELEM, loc=left, blayout=col_major, slayout=row_major>", "RIGHT", "!pto.tile<STEPxNNxELEM, loc=right, slayout=col_major>",
		"ACC", "!pto.tile<MMxNNxSUM, loc=acc, blayout=col_major, slayout=row_major, fractal=1024>")
	return words.Replace(types.Replace(text)), m, n, k, elem
}

// TestResizeSums executes random matrix products before and after pto-resize-tiles with
// sums=true. The results must have the same bytes.
func TestResizeSums(t *testing.T) {
	changed := map[string]int{}
	options := []string{"merge=2 sums=true", "merge=3 sums=true", "merge=4 sums=true", "divide=2 sums=true"}
	tried := testsize.Of(40, 600)
	for seed := range uint64(tried) {
		r := rand.New(rand.NewPCG(seed, 63))
		before, m, n, k, elem := sumsProgram(r)
		array := func(n int) []byte {
			var b []byte
			for range n {
				if elem == "i8" {
					b = append(b, byte(r.IntN(256)))
				} else { // between 2**-7 and 2**8, of both signs
					b = binary.LittleEndian.AppendUint16(b, uint16(8+r.IntN(15))<<10|uint16(r.IntN(2))<<15|uint16(r.IntN(1024)))
				}
			}
			return b
		}
		a, b := array(m*k), array(k*n)
		run := func(text string) ([]byte, error) { return runOn(text, 1, 2, a, b, make([]byte, 4*m*n)) }
		want, err := run(before)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, before)
		}
		for _, o := range options {
			after := resizedBy(t, before, o)
			if !resized(before, after) {
				continue
			}
			changed[o]++
			if got, err := run(after); err != nil || !bytes.Equal(got, want) {
				t.Errorf("seed %d, %s: other results (%v)\nbefore\n%s\nafter\n%s", seed, o, err, before, after)
			}
		}
	}
	for _, o := range options {
		if t.Logf("%s changed %d of %d programs", o, changed[o], tried); changed[o] < tried/10 {
			t.Errorf("%s changed only %d of %d programs", o, changed[o], tried)
		}
	}
}
