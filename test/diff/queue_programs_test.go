package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// queueProgram is a random program whose cube core and vector cores exchange tiles
// through a queue. It has up to three steps: the cube core multiplies 16x16 tiles of X by
// W, the vector cores apply a function to each element, and the cube core multiplies the
// result by V. A queue in one direction has two steps.
type queueProgram struct {
	arch, split      string
	ways             int
	slots, locals    int
	slotSize         int
	handle, inGlobal bool
	// blocks is the number of blocks, and entries the number of queue entries of each
	// block.
	blocks, entries int
	// ahead is the number of entries that the cube core pushes before it pops one.
	ahead int
	// pairs states that vector cores pop two entries before they use the first.
	pairs       bool
	elementwise string
}

func newQueueProgram(rnd *rand.Rand) *queueProgram {
	p := &queueProgram{
		arch: []string{"a3", "a5"}[rnd.IntN(2)], split: fmt.Sprint(rnd.IntN(3)), ways: 1 + rnd.IntN(3), slots: 1 + rnd.IntN(8),
		slotSize: []int{1024, 1536, 4096}[rnd.IntN(3)], handle: rnd.IntN(3) == 0, inGlobal: rnd.IntN(3) > 0,
		blocks: 1 + rnd.IntN(3), entries: 2 * (1 + rnd.IntN(8)), pairs: rnd.IntN(2) == 0,
		elementwise: []string{
			"pto.trelu ins(%t : TILE) outs(%u : TILE)", "pto.tadd ins(%t, %t : TILE, TILE) outs(%u : TILE)",
			"pto.tadds ins(%t, %number : TILE, f32) outs(%u : TILE)", "pto.tmuls ins(%t, %number : TILE, f32) outs(%u : TILE)",
		}[rnd.IntN(4)],
	}
	p.locals = 1 + rnd.IntN(p.slots)
	if p.locals == 1 && p.inGlobal || p.slots == 1 {
		p.pairs = false
	}
	// Both rings together hold what the cube core fills before it takes an entry out.
	p.ahead = 1 + rnd.IntN(min(2*p.slots-1, p.entries))
	return p
}

// String returns the parameters of the program as text.
func (p *queueProgram) String() string {
	return fmt.Sprintf("%+v", *p)
}

// queue returns the initialization of the queue on both cores.
func (p *queueProgram) queue() *queue {
	keys := fmt.Sprintf("dir_mask = %d, slot_size = %d, slot_num = %d", p.ways, p.slotSize, p.slots)
	local := []string{"%arrive_v : i32", "%arrive_c : i32", "%arrive_v : i32, %arrive_c : i32"}[p.ways-1]
	named := []string{"c2v_consumer_buf = %arrive_v : i32", "v2c_consumer_buf = %arrive_c : i32", "c2v_consumer_buf = %arrive_v : i32, v2c_consumer_buf = %arrive_c : i32"}[p.ways-1]
	locals := fmt.Sprintf(", local_slot_num = %d", p.locals)
	q := &queue{arch: p.arch, handle: p.handle}
	switch {
	case p.handle && p.inGlobal:
		q.cube = "%q = pto.initialize_l2g2l_pipe {" + keys + locals + ", flag_base = 0} (%slots : !pto.ptr<f32>, " + local + ") -> !pto.pipe"
	case p.handle:
		q.cube = "%q = pto.initialize_l2l_pipe {" + keys + ", flag_base = 0} (" + local + ") -> !pto.pipe"
	case p.inGlobal && p.arch == "a3":
		q.cube = "pto.aic_initialize_pipe {id = 2, " + keys + locals + "} (gm_slot_buffer = %slots : !pto.ptr<f32>, " + named + ")"
	case p.inGlobal: // which a5 does not use
		q.cube = "pto.aic_initialize_pipe {id = 2, " + keys + "} (gm_slot_buffer = %slots : !pto.ptr<f32>, " + named + ")"
	default:
		q.cube = "pto.aic_initialize_pipe {id = 2, " + keys + "} (" + named + ")"
	}
	q.vec = strings.Replace(q.cube, "aic_", "aiv_", 1)
	return q
}

// queueTypes replaces the short type names in the text of all kernels.
var queueTypes = strings.NewReplacer(
	"MAT", "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>",
	"LEFT", "!pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>",
	"RIGHT", "!pto.tile_buf<right, 16x16xf32, slayout=col_major>",
	"ACC", "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>",
	"VIEW", "!pto.tensor_view<?x16xf32>", "PART", "!pto.partition_tensor_view<?x?xf32>",
)

// queueValues declares the constants and views that all kernels use.
const queueValues = `
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i8 = arith.constant 8 : index
  %i16 = arith.constant 16 : index
  %number = arith.constant 0.625 : f32
  %all = arith.constant ALL : index
  %entries = arith.constant ENTRIES : index
  %vx = pto.make_tensor_view %x, shape = [%all, %i16], strides = [%i16, %i1] : VIEW
  %vy = pto.make_tensor_view %y, shape = [%all, %i16], strides = [%i16, %i1] : VIEW
  %vw = pto.make_tensor_view %w, shape = [%i16, %i16], strides = [%i16, %i1] : VIEW
  %vv = pto.make_tensor_view %v, shape = [%i16, %i16], strides = [%i16, %i1] : VIEW`

func (p *queueProgram) kernel(name, kind, body string) string {
	text := fmt.Sprintf("func.func @%s(%%x: !pto.ptr<f32>, %%w: !pto.ptr<f32>, %%v: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%slots: !pto.ptr<f32>)"+
		" attributes {pto.kernel_kind = #pto.kernel_kind<%s>} {%s%s\n  return\n}\n", name, kind, queueValues, body)
	has, sizes := "16x16", "[%i16, %i16]"
	switch p.split {
	case "1":
		has, sizes = "8x16", "[%i8, %i16]"
	case "2":
		has, sizes = "16x8", "[%i16, %i8]"
	}
	return queueTypes.Replace(strings.NewReplacer("ALL", fmt.Sprint(p.blocks*p.entries*16), "ENTRIES", fmt.Sprint(p.entries), "SPLIT", p.split,
		"TILE", "!pto.tile_buf<vec, "+has+"xf32>", "SIZES", sizes).Replace(text))
}

// factor returns instructions that load W or V, named by view, as the right operand of
// products.
func factor(view string) string {
	return `
  %pf = pto.partition_view ` + view + `, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEW -> PART
  %mf = pto.alloc_tile : MAT
  pto.tload ins(%pf : PART) outs(%mf : MAT)
  %rf = pto.alloc_tile : RIGHT
  pto.tmov ins(%mf : MAT) outs(%rf : RIGHT)`
}

const (
	// queueFirst is the first row of the block, queueRow that of its entry %n.
	queueRow = `
    %own_row = arith.muli %n, %i16 : index
    %row = arith.addi %own_row, %first : index`
	queueFirst = `
  %block = pto.get_block_idx
  %block_index = arith.index_cast %block : i64 to index
  %block_entries = arith.muli %block_index, %entries : index
  %first = arith.muli %block_entries, %i16 : index`
	queueProduct = `
  %left = pto.alloc_tile : LEFT
  %acc = pto.alloc_tile : ACC`
	queueLoad = queueRow + `
    %px = pto.partition_view %vx, offsets = [%row, %i0], sizes = [%i16, %i16] : VIEW -> PART
    pto.tload ins(%px : PART) outs(%mx : MAT)
    pto.tmov ins(%mx : MAT) outs(%left : LEFT)`
	queueStore = queueRow + `
    %py = pto.partition_view %vy, offsets = [%row, %i0], sizes = [%i16, %i16] : VIEW -> PART
    pto.tstore ins(%acc : ACC) outs(%py : PART)`
)

func multiply(right string) string {
	return `
    pto.tmatmul ins(%left, ` + right + ` : LEFT, RIGHT) outs(%acc : ACC)`
}

// text returns the text of the program with the queue.
func (p *queueProgram) text() string {
	q := p.queue()
	size := p.slots
	if p.inGlobal && (p.arch == "a3" || p.handle) {
		size = p.locals
	}
	reserve := func(name, space string) string {
		return fmt.Sprintf("\n  %%arrive_%s = pto.reserve_buffer {name = %q, size = %d, location = #pto.address_space<%s>, auto = true} -> i32", name, name, size*p.slotSize, space)
	}
	bring := func(name, peer string) string {
		return fmt.Sprintf("\n  %%arrive_%s = pto.import_reserved_buffer {name = %q, peer_func = @%s} -> i32", name, name, peer)
	}
	var cube, vector string
	if p.ways != backward {
		cube, vector = cube+bring("v", "vector"), vector+reserve("v", "vec")
	}
	if p.ways != forward {
		cube, vector = cube+reserve("c", "mat"), vector+bring("c", "cube")
	}
	cube += "\n  " + q.cube + queueFirst + queueProduct
	vector += "\n  " + q.vec + queueFirst
	take := "\n    " + q.pop("aiv", "%m", "MAT") + "\n    pto.tmov ins(%m : MAT) outs(%left : LEFT)\n    " + q.free("aiv")
	send := "\n    " + q.push("aiv", "%acc", "ACC")
	switch p.ways {
	case forward:
		cube += factor("%vw") + "\n  %mx = pto.alloc_tile : MAT\n  scf.for %n = %i0 to %entries step %i1 {" + queueLoad + multiply("%rf") + send + "\n  }"
	case backward:
		cube += factor("%vv") + "\n  scf.for %n = %i0 to %entries step %i1 {" + take + multiply("%rf") + queueStore + "\n  }"
	default:
		cube += factor("%vw") + strings.NewReplacer("%pf", "%pg", "%mf", "%mg", "%rf", "%rg").Replace(factor("%vv")) + fmt.Sprintf(`
  %%mx = pto.alloc_tile : MAT
  %%ahead = arith.constant %d : index
  %%rounds = arith.addi %%entries, %%ahead : index
  scf.for %%round = %%i0 to %%rounds step %%i1 {
   %%begins = arith.cmpi ult, %%round, %%entries : index
   scf.if %%begins {`, p.ahead) + strings.ReplaceAll(queueLoad, "%n", "%round") + multiply("%rf") + send + `
   }
   %ends = arith.cmpi uge, %round, %ahead : index
   scf.if %ends {
    %n = arith.subi %round, %ahead : index` + take + multiply("%rg") + queueStore + `
   }
  }`
	}
	return p.kernel("cube", "cube", cube) + p.kernel("vector", "vector", vector+p.vectorLoop(q))
}

// vectorLoop returns the loop of a vector core over its parts of the entries. If entries
// are not divided, the first vector core processes all of them. On A3 the second core
// then also executes the loop, but pushes no data.
func (p *queueProgram) vectorLoop(q *queue) string {
	step := 1
	if p.pairs {
		step = 2
	}
	numbered := func(text string, k int) string {
		for _, name := range []string{"%t", "%u", "%n", "%row", "%own_row", "%part", "%to", "%place_row", "%at_row"} {
			text = renamed(text, name, fmt.Sprintf("%s_%d", name, k))
		}
		return text
	}
	each := func(text string) string {
		var b strings.Builder
		for k := range step {
			b.WriteString(numbered(text, k))
		}
		return b.String()
	}
	at := "[%row, %i0]"
	switch p.split {
	case "1":
		at = "[%at_row, %i0]"
	case "2":
		at = "[%row, %own]"
	}
	loop := func(body string) string {
		var numbers strings.Builder
		for k := range step {
			fmt.Fprintf(&numbers, "\n    %%k_%d = arith.constant %d : index\n    %%n_%d = arith.addi %%base, %%k_%d : index", k, k, k, k)
		}
		return fmt.Sprintf("\n  scf.for %%base = %%i0 to %%entries step %%i%d {%s%s\n  }", step, numbers.String(), body)
	}
	place := each(queueRow)
	if p.split == "1" {
		place += each("\n    %at_row = arith.addi %row, %own : index")
	}
	work := place
	alloc := each("\n    %u = pto.alloc_tile : TILE")
	if p.ways == backward {
		work += each("\n    %t = pto.alloc_tile : TILE\n    %part = pto.partition_view %vx, offsets = "+at+", sizes = SIZES : VIEW -> PART\n    pto.tload ins(%part : PART) outs(%t : TILE)") + alloc
	} else {
		work += each("\n    "+q.pop("aic", "%t", "TILE")) + alloc
	}
	work += each("\n    " + p.elementwise)
	pops, pushes := "", ""
	if p.ways != backward {
		work += each("\n    " + q.free("aic"))
		pops = each("\n    "+q.pop("aic", "%t", "TILE")) + each("\n    "+q.free("aic"))
	}
	if p.ways == forward {
		work += each("\n    %to = pto.partition_view %vy, offsets = " + at + ", sizes = SIZES : VIEW -> PART\n    pto.tstore ins(%u : TILE) outs(%to : PART)")
	} else {
		work += each("\n    " + q.push("aic", "%u", "TILE"))
		const empty = "!pto.tile_buf<vec, 16x16xf32, valid=?x?>"
		pushes = each("\n    %u = pto.alloc_tile valid_row = %i0 valid_col = %i0 : " + empty + "\n    " + q.push("aic", "%u", empty))
	}
	which := `
  %sub = pto.get_subblock_idx
  %sub_index = arith.index_cast %sub : i64 to index
  %own = arith.muli %sub_index, %i8 : index`
	if p.split != "0" {
		return which + loop(work)
	}
	which += "\n  %one = arith.cmpi eq, %sub_index, %i0 : index\n  scf.if %one {" + loop(work)
	if p.arch == "a3" {
		which += "\n  } else {" + loop(pops+pushes)
	}
	return which + "\n  }"
}

// renamed replaces the name of a value (parameter from) by another one (parameter to). It
// leaves longer names with the same prefix unchanged.
func renamed(text, from, to string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, from)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = after
		if after != "" && (after[0] == '_' || after[0] >= 'a' && after[0] <= 'z') {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
	}
}

// withoutQueue returns one kernel for each step of the program, on one block. The kernels
// pass complete tensors through global memory instead of a queue.
func (p *queueProgram) withoutQueue() string {
	whole := *p
	whole.split, whole.entries, whole.blocks = "0", p.entries*p.blocks, 1
	product := func(view string) string {
		return queueFirst + queueProduct + factor(view) + "\n  %mx = pto.alloc_tile : MAT\n  scf.for %n = %i0 to %entries step %i1 {" + queueLoad + multiply("%rf") + strings.TrimPrefix(queueStore, queueRow) + "\n  }"
	}
	each := `
  scf.for %n = %i0 to %entries step %i1 {
    %row = arith.muli %n, %i16 : index
    %t = pto.alloc_tile : TILE
    %u = pto.alloc_tile : TILE
    %px = pto.partition_view %vx, offsets = [%row, %i0], sizes = SIZES : VIEW -> PART
    %py = pto.partition_view %vy, offsets = [%row, %i0], sizes = SIZES : VIEW -> PART
    pto.tload ins(%px : PART) outs(%t : TILE)
    ` + p.elementwise + `
    pto.tstore ins(%u : TILE) outs(%py : PART)
  }`
	return whole.kernel("first", "cube", product("%vw")) + whole.kernel("second", "vector", each) + whole.kernel("third", "cube", product("%vv"))
}

// queueRunner runs queue programs, with files in a temporary directory.
type queueRunner struct {
	t        *testing.T
	dir      string
	compiled int
}

// run runs the named kernels of a program with the input X. It returns the output Y and
// the messages of the tool.
func (r *queueRunner) run(p *queueProgram, text, kernels string, x []byte, blocks int, more ...string) (y []byte, said string) {
	in, out := filepath.Join(r.dir, "x"), filepath.Join(r.dir, "y")
	if err := os.WriteFile(in, x, 0o600); err != nil {
		r.t.Fatal(err)
	}
	slots := fmt.Sprintf("per-block:zeros=%dxf32", blocks*2*p.slots*p.slotSize/4)
	args := append([]string{"-", "--pto-arch=" + p.arch, "--kernel=" + kernels, fmt.Sprint("--blocks=", blocks), "--arg=in=" + in, "--arg=rand=16x16xf32,seed=5",
		"--arg=rand=16x16xf32,seed=6", fmt.Sprintf("--arg=out=%s:%d", out, len(x)), "--arg=" + slots}, more...)
	var stdout, stderr bytes.Buffer
	if code := cli.Run(args, strings.NewReader(text), &stdout, &stderr); code != 0 {
		return nil, fmt.Sprintf("exit code %d: %s", code, stderr.String())
	}
	y, err := os.ReadFile(out)
	if err != nil {
		r.t.Fatal(err)
	}
	return y, stderr.String()
}

// check compares the program p with the same computation without a queue. llvm states
// whether it also runs as compiled code.
func (r *queueRunner) check(p *queueProgram, rnd *rand.Rand, llvm bool) {
	x := make([]byte, p.blocks*p.entries*1024)
	for i := range x {
		if x[i] = byte(rnd.Uint32()); i%4 == 3 { // about 1 in magnitude
			x[i] = x[i]&0x80 | 0x3f
		}
	}
	var text, stderr bytes.Buffer
	opt := []string{"-", "--pto-arch=" + p.arch, "--enable-insert-sync"}
	if code := cli.Opt(opt, strings.NewReader(p.text()), &text, &stderr); code != 0 {
		r.t.Fatalf("%s: pto-opt: %s\n%s", p, stderr.String(), p.text())
	}
	want, plain := x, p.withoutQueue()
	for i, k := range []string{"first", "second", "third"} {
		if i == 0 && p.ways == backward || i == 2 && p.ways == forward {
			continue
		}
		var said string
		if want, said = r.run(p, plain, k, want, 1); want == nil {
			r.t.Fatalf("%s: without a queue: %s\n%s", p, said, plain)
		}
	}
	// On A5 the library wants tiles with boxes in queues: a warning, and a report of the class device.
	got, said := r.run(p, text.String(), "cube,vector", x, p.blocks, "--check=race,sync,init,mem")
	if !strings.Contains(said, "pto-run: check: no reports\npto-run: check: checked for ") || strings.Contains(said, "error:") {
		r.t.Fatalf("%s: %s\n%s", p, said, text.String())
	}
	if !bytes.Equal(got, want) {
		r.t.Fatalf("%s: the queue gives other numbers\n%s", p, text.String())
	}
	if !llvm {
		return
	}
	got, said = r.run(p, text.String(), "cube,vector", x, p.blocks, "--engine=llvm", "--workers=2")
	if !bytes.Equal(got, want) {
		r.t.Fatalf("%s: LLVM gives other numbers: %s\n%s", p, said, text.String())
	}
	if said == "" {
		r.compiled++
	}
}

// TestQueuePrograms compares random queue programs with the same computation without a
// queue. The checkers must report nothing. One program of each batch also runs through
// LLVM, if available.
func TestQueuePrograms(t *testing.T) {
	inBatches(t, 60, 30, func(t *testing.T, seed uint64, n int) {
		r := &queueRunner{t: t, dir: t.TempDir()}
		for i := range n {
			rnd := rand.New(rand.NewPCG(seed+uint64(i), 3))
			r.check(newQueueProgram(rnd), rnd, withLLVM() && i == 0)
		}
	})
}
