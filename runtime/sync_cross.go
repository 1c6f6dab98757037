package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Signals between the cores of a block are counters. The cube core has one for
// each number and vector core it comes from; a vector core one for each number.
const (
	numSignals  = 16
	cubeSignals = numSignals * vectorCores
)

// signals counts how often each signal is up.
type signals struct {
	cube    [cubeSignals]int
	vectors [vectorCores][numSignals]int
}

// launch is what the blocks of a launch share.
type launch struct {
	all     [numSignals]int // signals for all blocks: how often each was raised
	arrived [numKinds]int   // how many cores have come to wait for all
}

// kinds of cores that wait for all of their kind.
const (
	vectorKind = iota
	cubeKind
	mixKind
	numKinds
)

// signalID plans finding the number of a signal.
func (p *planner) signalID(op *ir.Op, limit int) func(fr *frame) (int, *Fault) {
	v := op.Arg("event_id_dyn")
	if v == nil {
		v = op.Arg("event_id")
	}
	check := func(id int64) (int, *Fault) {
		if id < 0 || id >= int64(limit) {
			return 0, faultAt(op, "is about signal %d, but there are signals 0 to %d", id, limit-1)
		}
		return int(id), nil
	}
	if v == nil {
		id, _ := op.Attr("event_id").AsInt()
		return func(*frame) (int, *Fault) { return check(id) }
	}
	at := p.slot(v)
	return func(fr *frame) (int, *Fault) { return check(int64(fr.x[at])) }
}

// crossSet plans raising a signal.
func (p *planner) crossSet(op *ir.Op, reach pto.Reach) step {
	p.together = p.together || reach == pto.ReachAll
	p.asksSub = true
	id := p.signalID(op, cubeSignals)
	return func(fr *frame) *Fault {
		n, f := id(fr)
		if f != nil {
			return f
		}
		c := fr.core
		s := &c.cluster.signals
		switch {
		case reach == pto.ReachAll:
			c.cluster.launch.all[n%numSignals]++
		case c.unit == vectorUnit:
			s.cube[n%numSignals+c.sub*numSignals]++
		case reach == pto.ReachPeer:
			s.vectors[n/numSignals][n%numSignals]++
		default: // the cube core is heard by all vector cores
			for i := range s.vectors {
				s.vectors[i][n%numSignals]++
			}
		}
		return nil
	}
}

// crossWait plans waiting for a signal.
func (p *planner) crossWait(op *ir.Op, reach pto.Reach) step {
	p.together = p.together || reach == pto.ReachAll
	id := p.signalID(op, cubeSignals)
	return func(fr *frame) *Fault {
		n, f := id(fr)
		if f != nil {
			return f
		}
		c := fr.core
		counters := c.heard(n, reach)
		up := func() bool {
			for _, k := range counters {
				if *k == 0 {
					return false
				}
			}
			return true
		}
		if f := c.await(up, func() *Fault {
			return faultAt(op, "waits for signal %d, which nobody raises: %s would wait forever", n, c)
		}); f != nil {
			return f
		}
		for _, k := range counters {
			*k--
		}
		return nil
	}
}

// heard returns the counters that a core waits for: where signals do not go
// one to one, the cube core waits for both vector cores.
func (c *core) heard(n int, reach pto.Reach) []*int {
	s := &c.cluster.signals
	switch {
	case reach == pto.ReachAll:
		return []*int{&c.cluster.launch.all[n%numSignals]}
	case c.unit == vectorUnit:
		return []*int{&s.vectors[c.sub][n%numSignals]}
	case reach == pto.ReachPeer:
		return []*int{&s.cube[n]}
	}
	var both []*int
	for sub := range vectorCores {
		both = append(both, &s.cube[n%numSignals+sub*numSignals])
	}
	return both
}

// syncAll plans waiting for all cores of a kind.
func (p *planner) syncAll(op *ir.Op) step {
	p.together, p.asksSub = true, true
	kind, unit := mixKind, anyUnit
	switch op.Attr("core_type").Keyword() {
	case "aiv_only":
		kind, unit = vectorKind, vectorUnit
	case "aic_only":
		kind, unit = cubeKind, cubeUnit
	}
	used := p.number(op, "used_cores")
	return func(fr *frame) *Fault {
		c := fr.core
		if c.unit&unit == 0 {
			return nil
		}
		all := int(uint32(used(fr)))
		if all == 0 {
			all = c.cluster.count(unit) * c.prog.opts.Blocks
		}
		arrived := &c.cluster.launch.arrived[kind]
		*arrived++
		turn := (*arrived + all - 1) / all // of all cores: the first, the second, ...
		return c.await(func() bool { return *arrived >= turn*all }, func() *Fault {
			return faultAt(op, "waits for %d cores, of which only %d come: %s would wait forever", all, *arrived-(turn-1)*all, c)
		})
	}
}

// count is the number of cores of a block that are of a kind.
func (cl *cluster) count(u unit) int {
	n := 0
	for _, c := range cl.cores {
		if c.unit&u != 0 {
			n++
		}
	}
	return n
}
