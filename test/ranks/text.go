package ranks

import (
	"fmt"
	"strings"
)

// text returns the program as a .pto file. All ranks execute the same kernel. It meets all
// ranks after each step, so that no two accesses of different ranks to the same bytes are
// unordered.
func (p *program) text() string {
	var b strings.Builder
	f := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	e := p.elem.name
	f("!tile = !pto.tile_buf<vec, %dx%dx%s>", p.rows, p.cols, e)
	f("!part = !pto.partition_tensor_view<%dx%dx%s>", p.rows, p.cols, e)
	f("!parts = !pto.partition_tensor_view<%dx%dx%s>", p.ranks*p.rows, p.cols, e)
	f("!view = !pto.tensor_view<?x%dx%s>", p.cols, e)
	f("!word = !pto.partition_tensor_view<1x1xi32>")
	f("module attributes {pto.target_arch = \"%s\"} {", p.profile)
	f("  func.func @k(%%inp: !pto.ptr<%s>, %%out: !pto.ptr<%s>, %%seen: !pto.ptr<i32>, %%data: !pto.ptr<%s>, %%signal: !pto.ptr<i32>, %%ctx: !pto.ptr<i64>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {", e, e, e)
	f("    %%me = func.call @rank(%%ctx) : (!pto.ptr<i64>) -> index")
	size := p.rows * p.cols * p.elem.bytes
	for i, name := range []string{"ping", "pong", "acc"} {
		f("    %%at_%s = arith.constant %d : i64", name, i*((size+255)/256*256))
		f("    %%%s = pto.alloc_tile addr = %%at_%s : !tile", name, name)
	}
	tiles, types := "%ping", "!tile"
	if p.pong {
		tiles, types = "%ping, %pong", "!tile, !tile"
	}
	for i, s := range p.steps {
		// name returns the name of a value of this step, constant defines an index.
		name := func(x string) string { return fmt.Sprintf("%%%s_%d", x, i) }
		constant := func(x string, v int) string {
			f("    %s = arith.constant %d : index", name(x), v)
			return name(x)
		}
		// chunk defines a view of chunks of this rank, there one of a peer.
		chunk := func(x, base string, k int, typ string) string {
			f("    %s = func.call @%s(%s, %s) : (!pto.ptr<%s>, index) -> %s", name(x), map[string]string{"!part": "chunk", "!parts": "chunks"}[typ], base, constant(x+"_k", k), e, typ)
			return name(x)
		}
		there := func(x string, rank, k int) string {
			f("    %s = func.call @there(%%ctx, %%data, %s, %s) : (!pto.ptr<i64>, !pto.ptr<%s>, index, index) -> !part", name(x), constant(x+"_r", rank), constant(x+"_k", k), e)
			return name(x)
		}
		group := func(k int) (views, groupTypes string) {
			var v, t []string
			for r := range p.ranks {
				v, t = append(v, there(fmt.Sprintf("g%d", r), r, k)), append(t, "!part")
			}
			return strings.Join(v, ", "), strings.Join(t, ", ")
		}
		f("    // step %d: %s of rank %d", i+1, s.kind, s.rank)
		f("    %s = arith.cmpi eq, %%me, %s : index", name("mine"), constant("r", s.rank))
		f("    scf.if %s {", name("mine"))
		switch s.kind {
		case put:
			to, from := there("to", s.peer, s.to), chunk("from", "%inp", s.from, "!part")
			f("    pto.comm.tput(%s, %s, buf(%s) : !part, !part, %s) {atomicType = #pto<atomic_type %s>}", to, from, tiles, types, s.how)
		case get:
			to, from := chunk("to", "%out", s.to, "!part"), there("from", s.peer, s.from)
			f("    pto.comm.tget(%s, %s, buf(%s) : !part, !part, %s)", to, from, tiles, types)
		case broadcast:
			from := chunk("from", "%inp", s.from, "!part")
			g, gt := group(s.to)
			f("    pto.comm.tbroadcast(%s, recv(%s), group(%s) : !part, %s, %s) {root = %d : i32}", from, tiles, g, types, gt, s.rank)
		case scatter:
			from := chunk("from", "%inp", s.from, "!parts")
			g, gt := group(s.to)
			f("    pto.comm.tscatter(%s, recv(%s), group(%s) : !parts, %s, %s) {root = %d : i32}", from, tiles, g, types, gt, s.rank)
		case gather:
			to := chunk("to", "%out", s.to, "!parts")
			g, gt := group(s.from)
			f("    pto.comm.tgather(%s, recv(%s), group(%s) : !parts, %s, %s) {root = %d : i32}", to, tiles, g, types, gt, s.rank)
		case reduce:
			to := chunk("to", "%out", s.to, "!part")
			g, gt := group(s.from)
			f("    pto.comm.treduce(%s, %%acc, recv(%s), group(%s) : !part, !tile, %s, %s) {reduceOp = #pto<reduce_op %s>, root = %d : i32}", to, tiles, g, types, gt, s.how, s.rank)
		case notify, wait, test:
			f("    %s = arith.constant %d : i32", name("v"), s.value)
			peer := s.peer
			if s.kind != notify {
				peer = s.rank
			}
			f("    %s = func.call @word(%%ctx, %%signal, %s, %s) : (!pto.ptr<i64>, !pto.ptr<i32>, index, index) -> !word", name("w"), constant("peer", peer), constant("k", s.word))
			switch s.kind {
			case notify:
				f("    pto.comm.tnotify(%s, %s : !word, i32) {notifyOp = #pto<notify_op %s>}", name("w"), name("v"), s.how)
			case wait:
				f("    pto.comm.twait(%s, %s : !word, i32) {cmp = #pto<wait_cmp %s>}", name("w"), name("v"), s.how)
			default:
				f("    %s = pto.comm.ttest(%s, %s : !word, i32) {cmp = #pto<wait_cmp %s>} -> i1", name("t"), name("w"), name("v"), s.how)
				f("    %s = arith.extui %s : i1 to i32", name("x"), name("t"))
				f("    pto.store_scalar %s, %%seen[%s] : !pto.ptr<i32>, i32", name("x"), constant("seen", words+s.seen))
			}
		}
		f("    }")
		f("    func.call @meet(%%ctx, %%signal, %s) : (!pto.ptr<i64>, !pto.ptr<i32>, index) -> ()", constant("time", i+1))
	}
	f("    // the window and the signals, for the results")
	for k := range p.windows {
		f("    %%wk%d = arith.constant %d : index", k, k)
		f("    %%ok%d = arith.constant %d : index", k, p.outs-p.windows+k)
		f("    %%wf%d = func.call @chunk(%%data, %%wk%d) : (!pto.ptr<%s>, index) -> !part", k, k, e)
		f("    %%wt%d = func.call @chunk(%%out, %%ok%d) : (!pto.ptr<%s>, index) -> !part", k, k, e)
		f("    pto.barrier <PIPE_ALL>")
		f("    pto.tload ins(%%wf%d : !part) outs(%%ping : !tile)", k)
		f("    pto.barrier <PIPE_ALL>")
		f("    pto.tstore ins(%%ping : !tile) outs(%%wt%d : !part)", k)
	}
	f("    %%first = arith.constant 1 : index")
	f("    %%last = arith.constant %d : index", words)
	f("    scf.for %%k = %%first to %%last step %%first {")
	f("      %%raised = pto.load_scalar %%signal[%%k] : !pto.ptr<i32> -> i32")
	f("      pto.store_scalar %%raised, %%seen[%%k] : !pto.ptr<i32>, i32")
	f("    }")
	f("    return")
	f("  }")
	b.WriteString(p.helpers())
	f("}")
	return b.String()
}

// helpers returns the functions that the kernel calls.
func (p *program) helpers() string {
	e := p.elem.name
	chunk := func(name, typ string, rows int) string {
		return fmt.Sprintf(`
  func.func private @%[1]s(%%base: !pto.ptr<%[2]s>, %%k: index) -> %[3]s {
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%rows = arith.constant %[4]d : index
    %%cols = arith.constant %[5]d : index
    %%one = arith.constant %[6]d : index
    %%all = arith.constant %[7]d : index
    %%row = arith.muli %%k, %%one : index
    %%view = pto.make_tensor_view %%base, shape = [%%all, %%cols], strides = [%%cols, %%c1] : !view
    %%part = pto.partition_view %%view, offsets = [%%row, %%c0], sizes = [%%rows, %%cols] : !view -> %[3]s
    return %%part : %[3]s
  }
`, name, e, typ, rows, p.cols, p.rows, p.rows*max(p.ins, p.outs))
	}
	return chunk("chunk", "!part", p.rows) + chunk("chunks", "!parts", p.ranks*p.rows) + fmt.Sprintf(`
  // A view of chunk k in the window of a peer.
  func.func private @there(%%ctx: !pto.ptr<i64>, %%base: !pto.ptr<%[1]s>, %%peer: index, %%k: index) -> !part {
    %%bytes = func.call @distance(%%ctx, %%peer) : (!pto.ptr<i64>, index) -> i64
    %%each = arith.constant %[2]d : i64
    %%n = arith.divsi %%bytes, %%each : i64
    %%by = arith.index_cast %%n : i64 to index
    %%far = pto.addptr %%base, %%by : !pto.ptr<%[1]s> -> !pto.ptr<%[1]s>
    %%part = func.call @chunk(%%far, %%k) : (!pto.ptr<%[1]s>, index) -> !part
    return %%part : !part
  }

  // A view of signal k of a peer.
  func.func private @word(%%ctx: !pto.ptr<i64>, %%signal: !pto.ptr<i32>, %%peer: index, %%k: index) -> !word {
    %%bytes = func.call @distance(%%ctx, %%peer) : (!pto.ptr<i64>, index) -> i64
    %%each = arith.constant 4 : i64
    %%n = arith.divsi %%bytes, %%each : i64
    %%by = arith.index_cast %%n : i64 to index
    %%far = pto.addptr %%signal, %%by : !pto.ptr<i32> -> !pto.ptr<i32>
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%words = arith.constant %[3]d : index
    %%view = pto.make_tensor_view %%far, shape = [%%c1, %%words], strides = [%%words, %%c1] : !pto.tensor_view<?x?xi32>
    %%part = pto.partition_view %%view, offsets = [%%c0, %%k], sizes = [%%c1, %%c1] : !pto.tensor_view<?x?xi32> -> !word
    return %%part : !word
  }

  // Lets all ranks meet, for the time-th time.
  func.func private @meet(%%ctx: !pto.ptr<i64>, %%signal: !pto.ptr<i32>, %%time: index) {
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%one = arith.constant 1 : i32
    %%n = arith.constant %[4]d : index
    %%me = func.call @rank(%%ctx) : (!pto.ptr<i64>) -> index
    pto.barrier <PIPE_ALL>
    scf.for %%peer = %%c0 to %%n step %%c1 {
      %%word = func.call @word(%%ctx, %%signal, %%peer, %%c0) : (!pto.ptr<i64>, !pto.ptr<i32>, index, index) -> !word
      pto.comm.tnotify(%%word, %%one : !word, i32) {notifyOp = #pto<notify_op atomic_add>}
    }
    %%times = arith.muli %%time, %%n : index
    %%want = arith.index_cast %%times : index to i32
    %%own = func.call @word(%%ctx, %%signal, %%me, %%c0) : (!pto.ptr<i64>, !pto.ptr<i32>, index, index) -> !word
    pto.comm.twait(%%own, %%want : !word, i32) {cmp = #pto<wait_cmp ge>}
    return
  }

  // The number of this rank.
  func.func private @rank(%%ctx: !pto.ptr<i64>) -> index {
    %%c2 = arith.constant 2 : index
    %%pair = pto.load_scalar %%ctx[%%c2] : !pto.ptr<i64> -> i64
    %%low = arith.trunci %%pair : i64 to i32
    %%me = arith.index_cast %%low : i32 to index
    return %%me : index
  }

  // The bytes from a window of this rank to that of a peer.
  func.func private @distance(%%ctx: !pto.ptr<i64>, %%peer: index) -> i64 {
    %%c4 = arith.constant 4 : index
    %%me = func.call @rank(%%ctx) : (!pto.ptr<i64>) -> index
    %%i = arith.addi %%me, %%c4 : index
    %%j = arith.addi %%peer, %%c4 : index
    %%own = pto.load_scalar %%ctx[%%i] : !pto.ptr<i64> -> i64
    %%far = pto.load_scalar %%ctx[%%j] : !pto.ptr<i64> -> i64
    %%bytes = arith.subi %%far, %%own : i64
    return %%bytes : i64
  }
`, e, p.elem.bytes, words, p.ranks)
}
