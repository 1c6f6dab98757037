// This file defines the pass pto-split-cores.

package splitcores

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Pass is the pass pto-split-cores, which splits a function for the cube core and the
// vector cores into two functions.
var Pass = &passes.Pass{
	Name:   "pto-split-cores",
	Title:  "PTOSplitCores",
	Doc:    "Splits a function that contains cube and vector instructions into a function for the cube core and a function for the vector cores, which exchange tiles through queues.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "slots", Kind: passes.Number, Default: "2", Doc: "number of slots in each queue between the cores, 1 to 16"},
		{Name: "rows", Kind: passes.Flag, Default: "true", Doc: "divide the rows of tiles between the two vector cores where possible; if false, only the first vector core computes"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report the queues, and the instructions whose rows the two vector cores divide"},
	},
	Stats: []passes.Stat{{Name: "num-functions", Doc: "functions that were split"}, {Name: "num-queues", Doc: "queues inserted between the cores"}},
	Run: func(c *passes.Context, module *ir.Op) error {
		if n := c.Int("slots"); n < 1 || n > 16 {
			c.Errorf(module, "requires the option slots to be between 1 and 16, but it is %d", n)
			return passes.ErrReported
		}
		failed := false
		for _, f := range fn.Functions(module) {
			if mixed(f, c.Target(f)) && !split(c, f) {
				failed = true
			}
		}
		if failed {
			return passes.ErrReported
		}
		return nil
	},
}

// split splits the function f into a function for the cube core and one for the vector
// cores. It returns false after an error.
func split(c *passes.Context, f *ir.Op) bool {
	w, why := analyze(f, c.Target(f))
	if why == nil {
		why = w.memory()
	}
	if why != nil {
		d := c.Errorf(why.op, "%s", why.why)
		if why.way != "" {
			d.Note(ir.Loc{}, why.way)
		}
		d.Note(f.Loc(), "'pto-split-cores' splits this function, because it has work for the cube core and for the vector cores")
		return false
	}
	q := &queues{w: w, slots: c.Int("slots"), symbol: [2]string{w.symbol(sem.CubeUnit), w.symbol(sem.VectorUnit)}}
	of, ok := q.share(c)
	if !ok {
		return false
	}
	cube, vector := w.copyFor(sem.CubeUnit, q.symbol[0]), w.copyFor(sem.VectorUnit, q.symbol[1])
	for _, h := range []*halfFunc{cube, vector} {
		q.signal(h)
		q.cross(h)
	}
	if q.alone() {
		vector.onlyFirst()
	} else {
		vector.halve(of)
	}
	for _, h := range []*halfFunc{cube, vector} {
		h.prune()
		q.free(h)
		q.setUp(h)
	}
	if c.Bool("remarks") {
		q.report(c)
	}
	c.Count("num-functions", 1)
	c.Count("num-queues", len(w.queues))
	f.Erase()
	return true
}

// share determines how the two vector cores divide tiles between them. The map contains
// the divided tiles and how each of them is divided. If the cores cannot divide the
// tiles, one of them does all vector work, and the map is nil. If that is impossible as
// well, for example because both cores would write the same queue slot, share reports an
// error and returns false.
func (q *queues) share(c *passes.Context) (map[*ir.Value]share, bool) {
	whole := refuse(q.w.f, "is split with rows=false")
	if c.Bool("rows") {
		of, why := shareRows(q.w)
		if why == nil {
			q.of, q.split = of, isasync.EntryRows
			return of, true
		}
		whole = why
	}
	reason := "'" + whole.op.Name() + "' op " + whole.why
	if x := q.oddToCube(); x != nil {
		t, _ := pto.TileOf(x.src.Type())
		c.Errorf(x.op, "sends a tile whose number of rows is %d, of which each vector core of %s pushes half; make it a tile of 16 rows with a valid region", t.Rows, sem.ProfileName(q.w.target)).
			Note(whole.op.Loc(), reason)
		return nil, false
	}
	if why := q.w.coresAgree(nil); why != nil && !q.alone() {
		c.Errorf(why.op, "has an access that no queue orders: it %s", why.why).Note(whole.op.Loc(), reason)
		return nil, false
	}
	if c.Bool("remarks") {
		c.Remarkf(q.w.f, "has vector instructions that are not divided among the two vector cores").Note(whole.op.Loc(), reason)
	}
	return nil, true
}

// report adds a remark for each queue. The location of the remark is the move of a tile
// that the queue replaces. It adds one more remark about the global memory that the
// queues need.
func (q *queues) report(c *passes.Context) {
	for _, x := range q.w.cross {
		shared := "the first vector core has whole entries"
		switch {
		case q.pushesHalf(x):
			shared = "each vector core computes the whole tile and pushes half of its rows"
		case q.split == isasync.EntryRows:
			shared = "each vector core has half of the rows"
		}
		c.Remarkf(x.op, "becomes queue number %d, with %d slots of %d bytes, from the %s core: %s", x.queue.id, q.slots, x.queue.slotSize(), name(x.from), shared)
	}
	if n := q.workspace(); n > 0 {
		c.Remarkf(q.w.f, "requires a buffer with %d bytes of global memory for each block as its last argument", n)
	}
}
