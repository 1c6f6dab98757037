// This file reports the findings of the proof with explanations.

package insertsync

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// findingKey identifies a finding. The proof reports a finding once, even if it occurs on
// several paths.
type findingKey struct {
	// op is the operation of the finding, and other is a second operation involved, or
	// nil.
	op, other *ir.Op
	// class distinguishes several findings about the same operations.
	class string
}

// finding is an error, a warning, or a remark about something that the proof could not
// decide.
type finding struct {
	ir.Diag
	// check is the name of the checker, race or sync. Messages contain it in brackets.
	check string
	// undecided means that the proof could not decide whether there is a mistake.
	undecided bool
	// plain marks a hazard that a flag would remove; summary combines such findings.
	plain bool
	// pipes are the two pipes of a hazard.
	pipes [2]sem.Pipe
}

// note appends a note to the finding.
//
//go:noinline
func (f *finding) note(loc ir.Loc, format string, args ...any) {
	f.Notes = append(f.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
}

// add records a finding and returns it. It returns nil if the finding is already known. A
// definite finding replaces an undecided one.
func (p *proof) add(k findingKey, f *finding) *finding {
	old := p.found[k]
	switch {
	case old == nil:
		p.list = append(p.list, f)
		p.found[k] = f
		return f
	case old.undecided && !f.undecided:
		*old = *f
		return old
	}
	return nil
}

// find reports a wrong use of synchronization by op and returns the finding. The
// parameter other is a second operation that is involved, or nil. class is a text that
// distinguishes different findings about the same operations. If an earlier call has
// reported a finding of the same class about these operations, find adds nothing and
// returns nil.
func (r *runner) find(op, other *ir.Op, class string, sev ir.Severity, format string, args ...any) *finding {
	if r.team != nil {
		return nil // the proof of the kernel reports it
	}
	f := &finding{check: "sync", Diag: ir.Diag{Loc: op.Loc(), Severity: sev, Text: fmt.Sprintf(format, args...)}}
	if f = r.add(findingKey{op, other, class}, f); f != nil {
		r.way.tell(f)
	}
	return f
}

// tell adds a note to the finding f. The note lists the choices that lead to the
// execution path of the finding, such as trip counts and directions of branches.
func (w *way) tell(f *finding) {
	if t := w.text(); t != "" {
		f.note(ir.Loc{}, "seen where %s", t)
	}
}

// undecide records that the proof cannot decide whether the operation op is correct. The
// formatted text is the reason. If a reason of the same class has been recorded for op
// before, undecide has no effect.
func (p *proof) undecide(op *ir.Op, class, format string, args ...any) {
	f := p.add(findingKey{op, nil, class}, &finding{check: "sync", undecided: true, Diag: ir.Diag{Loc: op.Loc(), Severity: ir.Remark, Text: "not decided: " + fmt.Sprintf(format, args...)}})
	if f != nil {
		f.note(ir.Loc{}, "pto-run --check can examine it for given arguments")
	}
}

// acrossCores records that the search cannot decide whether op is synchronized correctly,
// because this depends on other cores.
func (p *proof) acrossCores(op *ir.Op, format string, args ...any) {
	p.undecide(op, "cores", format, args...)
}

// undecided returns the number of findings that the proof could not decide.
func (p *proof) undecided() int {
	n := 0
	for _, f := range p.list {
		n += int(truth(f.undecided))
	}
	return n
}

// faulty reports whether the proof found an error or a warning.
func (p *proof) faulty() bool {
	return slices.ContainsFunc(p.list, func(f *finding) bool { return f.Severity != ir.Remark })
}

// tell adds the findings of the proof to diags, in source order. If the function has no
// synchronization, it adds one summary instead of a finding for each hazard.
func (p *proof) tell(diags *ir.Diags) {
	list := p.list
	if p.flags == 0 {
		list = p.summary()
	}
	slices.SortStableFunc(list, func(a, b *finding) int { return a.Loc.Compare(b.Loc) })
	for _, f := range list {
		d := diags.Add(f.Severity, f.Loc, "["+f.check+"] "+f.Text).As(ir.CodeUnproved)
		d.Notes = f.Notes
	}
}

// summary returns a shorter list of findings. Some findings report hazards that only need
// a flag. summary replaces all of these by a single finding, which contains their number.
func (p *proof) summary() []*finding {
	n, pipes := 0, map[sem.Pipe]bool{}
	var first *finding
	var rest []*finding
	for _, f := range p.list {
		if !f.plain {
			rest = append(rest, f)
			continue
		}
		if n++; first == nil {
			first = f
		}
		pipes[f.pipes[0]], pipes[f.pipes[1]] = true, true
	}
	if first == nil {
		return rest
	}
	all := &finding{check: "race", Diag: ir.Diag{Loc: p.f.Loc(), Severity: ir.Error}}
	all.Text = fmt.Sprintf("no flags at all in kernel @%s: %s between %s", fn.Name(p.f), ir.Count(n, "hazard"), ir.Count(len(pipes), "pipe"))
	all.note(first.Loc, "the first one: %s", first.Text)
	all.note(ir.Loc{}, "pto-opt --enable-insert-sync inserts them")
	return append(rest, all)
}

// race reports that the accesses e and x overlap but are not ordered as required. The
// parameter why describes the order that is missing.
func (r *runner) race(e, x *access, why relation) {
	class := hazardName(e.touch, x.touch)
	k := findingKey{x.op, e.op, fmt.Sprint(class, why)}
	sure := certainly(&e.location, &x.location)
	if old := r.found[k]; old != nil && (!old.undecided || !sure) {
		return
	}
	p, q := e.epoch.Line.Pipe(), x.epoch.Line.Pipe()
	f := &finding{check: "race", pipes: [2]sem.Pipe{p, q}, undecided: !sure, plain: sure && why == unordered && e.epoch.Core == x.epoch.Core && (e.scope == nil || e.scope != x.scope)}
	f.Loc, f.Severity = x.op.Loc(), r.severity(e, x, why)
	where := memoryName(e, x)
	if sure {
		f.Text = fmt.Sprintf("%s in %s: %s", class, where, clash(e, x, why))
	} else {
		f.Severity = ir.Remark
		f.Text = fmt.Sprintf("not decided: %s in %s if they share a byte: %s", class, where, clash(e, x, why))
	}
	f.note(e.op.Loc(), "'%s' on %s %s it here%s%s", e.op.Name(), p, does(e.write), nameOf(e), roundText(e.rounds))
	if t := roundText(x.rounds); t != "" {
		f.note(x.op.Loc(), "and '%s' on %s %s it here%s%s", x.op.Name(), q, does(x.write), nameOf(x), t)
	}
	r.explain(f, e, x, why)
	r.way.tell(f)
	if !sure {
		f.note(ir.Loc{}, "pto-run --check=race can examine it for given arguments")
	}
	if text := r.rules.Contested(x.epoch.Line, e.write && x.write); text != "" && p == q && e.epoch.Core == x.epoch.Core && (why == unordered || why == reloaded) {
		f.note(ir.Loc{}, "contested: %s", text)
	}
	r.add(k, f)
}

// certainly reports whether two accesses certainly share a byte. Their locations may
// depend on integers whose values the analysis does not know. The result is true only if
// the accesses share a byte for all values of these integers.
func certainly(a, b *location) bool {
	if a.root != b.root || a.ring != nil || b.ring != nil || a.size <= 0 || b.size <= 0 {
		return false
	}
	d, ok := b.from.plus(a.from, -1).constant()
	switch {
	case !ok:
		return false
	case d == 0:
		return true
	case d < 0:
		a, b, d = b, a, -d
	}
	if d >= a.size { // b begins after a
		return false
	}
	if a.width == 0 || d%a.pitch < a.width {
		return true // the first byte of b
	}
	return b.width == 0 && d%a.pitch+b.size > a.pitch && d+a.pitch-d%a.pitch < a.size ||
		b.width > 0 && d%a.pitch+b.width > a.pitch && d+a.pitch-d%a.pitch < a.size
}

// does returns the verb for an access in a message: "writes" if the parameter write is
// true, and "reads" if it is false.
func does(write bool) string {
	if write {
		return "writes"
	}
	return "reads"
}

// severity returns the severity of a hazard between the accesses e and x. The parameter
// why is the kind of order that is missing between them. The run-time checkers use the
// same severities.
func (r *runner) severity(e, x *access, why relation) ir.Severity {
	same := e.scope != nil && e.scope == x.scope
	info := pto.InfoOf(x.op.Def())
	switch {
	case why != unordered, same && e.write && x.write, !e.write && e.epoch.Line == order.Scalar:
		return ir.Warning
	case same && info != nil && info.Group == "vmi":
		return ir.Warning
	}
	return ir.Error
}

// clash returns the text of the diagnostic about a hazard between the accesses e and x.
// The parameter why is the kind of order that is missing between them.
func clash(e, x *access, why relation) string {
	this, p, other, q := x.op.Name(), x.epoch.Line.Pipe(), e.op.Name(), e.epoch.Line.Pipe()
	switch {
	case why == staleLoad:
		return fmt.Sprintf("missing dcci: '%s' may read old data from the data cache of the scalar unit, not what '%s' on %s wrote", this, other, q)
	case why == unwritten:
		return fmt.Sprintf("missing dcci: data that '%s' on the scalar unit stores may still be in its data cache when '%s' on %s executes", other, this, p)
	case why == reloaded:
		return fmt.Sprintf("'%s' on %s overwrites all that '%s' wrote before any instruction reads it: if they finish in the other order, the wrong data remains", this, p, other)
	case e.write && x.write:
		return fmt.Sprintf("'%s' on %s and '%s' on %s both write, and their order is undefined", other, q, this, p)
	case e.write:
		return fmt.Sprintf("'%s' on %s reads what '%s' on %s may not have written yet", this, p, other, q)
	}
	return fmt.Sprintf("'%s' on %s may overwrite what '%s' on %s still reads", this, p, other, q)
}

// memoryName returns the text for the memory of two conflicting accesses in a message. It
// contains the memory space, the name of the object, and the bytes that both accesses
// touch if these are known.
func memoryName(e, x *access) string {
	what := x.space.String()
	if x.root != nil && x.root.IsBlockArg() && x.space == sem.GM {
		what = fmt.Sprintf("gm argument %d", x.root.Index())
	}
	if x.root != nil && x.root.Name() != "" {
		what += " (%" + x.root.Name() + ")"
	} else if x.value != nil && x.value.Name() != "" {
		what += " (%" + x.value.Name() + ")"
	}
	a, ok1 := e.from.constant()
	b, ok2 := x.from.constant()
	if !ok1 || !ok2 || e.size <= 0 || x.size <= 0 {
		return what
	}
	lo, hi := max(a, b), min(a+e.size, b+x.size)
	if lo >= hi {
		return what
	}
	return fmt.Sprintf("bytes %d..%d of %s", lo, hi-1, what)
}

// nameOf returns the name of the accessed value in parentheses, or "" if it has no name.
func nameOf(x *access) string {
	if x.value == nil || x.value.Name() == "" {
		return ""
	}
	return " (%" + x.value.Name() + ")"
}

// roundText returns a phrase for a message that names the iterations of the loops in
// which an access has happened.
func roundText(rounds []roundAt) string {
	text := ""
	for i, at := range rounds {
		if i == 0 {
			text = ", in "
		} else {
			text += " and "
		}
		text += fmt.Sprintf("round %d of the loop in %s", at.round, at.op.Loc().Line())
	}
	return text
}

// explain adds notes to the finding f, a hazard between the accesses e and x. The notes
// state which synchronization exists, why it is not sufficient, and which to insert. The
// parameter why is the kind of order that is missing between the accesses.
func (r *runner) explain(f *finding, e, x *access, why relation) {
	behind, before := e.op.Loc().Line(), x.op.Loc().Line()
	src, dst := e.epoch.Line.Pipe(), x.epoch.Line.Pipe()
	back := e.op.Loc().Compare(x.op.Loc()) >= 0
	between := "between " + behind + " and " + before
	if back {
		between = "before " + before
	}
	switch {
	case why == staleLoad:
		f.note(ir.Loc{}, "insert pto.dcci before %s, after the synchronization that orders the two", before)
		return
	case why == unwritten:
		f.note(ir.Loc{}, "insert pto.dcci and pto.dsb \"DDR\" after %s, before the synchronization that orders the two", behind)
		return
	case e.scope != nil && e.scope == x.scope:
		f.note(ir.Loc{}, "no register makes one wait for the other: insert pto.mem_bar \"%s\" %s", order.BarrierFor(e.inner.class, x.inner.class), between)
		return
	}
	if e.epoch.Core != x.epoch.Core {
		r.explainCores(f, e, x)
		return
	}
	r.seen(f, e, x)
	if e.epoch.Line == x.epoch.Line {
		f.note(ir.Loc{}, "insert pto.barrier <%s> %s", src, between)
		return
	}
	id := r.freeEvent(src, dst)
	if id < 0 {
		f.note(ir.Loc{}, "insert pto.set_flag[<%s>, <%s>, ...] after %s and pto.wait_flag[<%s>, <%s>, ...] before %s; all events of the pair are in use, so one must be reused", src, dst, behind, src, dst, before)
		return
	}
	flag := fmt.Sprintf("[<%s>, <%s>, <EVENT_ID%d>]", src, dst, id)
	text := fmt.Sprintf("insert pto.set_flag%s after %s and pto.wait_flag%s before %s", flag, behind, flag, before)
	if l := loopAround(x.op); l != nil && l.Encloses(e.op) && (back || l == loopAround(e.op) && innermost(e) != innermost(x)) {
		text += fmt.Sprintf(", with one more pto.set_flag before the loop in %s and one more pto.wait_flag after it", l.Loc().Line())
	}
	f.note(ir.Loc{}, "%s", text)
}

// innermost returns the iteration number of the innermost loop around an access. It
// returns -1 for an access outside of loops.
func innermost(x *access) int64 {
	if n := len(x.rounds); n > 0 {
		return x.rounds[n-1].round
	}
	return -1
}

// loopAround returns the innermost loop around op, or nil.
func loopAround(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Def().Sem == scf.CountedLoop || p.Def().Sem == scf.ConditionalLoop {
			return p
		}
	}
	return nil
}

// mostReasons is the maximum number of existing synchronizations that a report explains.
const mostReasons = 3

// seen adds notes to the finding f that explain why the existing synchronization between
// the accesses e and x is not sufficient.
func (r *runner) seen(f *finding, e, x *access) {
	src, dst := e.epoch.Line, x.epoch.Line
	said := map[*ir.Op]bool{}
	tell := func(s signal, format string, args ...any) {
		if len(said) < mostReasons && !said[s.op] {
			said[s.op] = true
			f.note(s.op.Loc(), format, args...)
		}
	}
	waitedFor := map[int]signal{}
	for _, s := range r.signals {
		if s.kind == waited {
			waitedFor[s.raisedAt] = s
		}
	}
	for _, s := range r.signals {
		if s.seq < e.seq {
			continue
		}
		from, to, id := s.key.src, s.key.dst, s.key.id
		switch {
		case s.kind == barred && order.LineOf(from) != src:
			tell(s, "the barrier here belongs to %s: it delays only %s", from, from)
		case s.kind == barred && src != dst:
			tell(s, "the barrier here delays only %s, not %s", from, dst.Pipe())
		case s.kind == waited && order.LineOf(from) == src && order.LineOf(to) == dst && s.raisedAt < e.seq:
			tell(s, "%s waits for event %d here, which %s raised in %s, before this access", to, id, from, s.raisedBy.Loc().Line())
		case s.kind == raised && order.LineOf(from) == src:
			if w, ok := waitedFor[s.seq]; !ok {
				tell(s, "%s raises event %d for %s here, and %s has not waited for it yet", from, id, to, to)
			} else if order.LineOf(to) != dst {
				tell(s, "%s raises event %d here, and %s waits for it in %s: %s does not", from, id, to, w.op.Loc().Line(), dst.Pipe())
			}
		case s.kind == waited && order.LineOf(from) == dst && order.LineOf(to) == src:
			tell(s, "event %d here has the opposite direction: it makes %s wait for %s", id, to, from)
		case s.kind == took && order.LineOf(from) == dst:
			tell(s, "%s acquires buffer %d here, but %s has not released it since", from, id, src.Pipe())
		}
	}
	if len(said) == 0 {
		f.note(ir.Loc{}, "no flag or barrier between the two makes %s wait for %s", dst.Pipe(), src.Pipe())
	}
}

// freeEvent returns an event ID that the simulated path does not use for flags from pipe
// src to pipe dst. It returns -1 if all event IDs are in use.
func (r *runner) freeEvent(src, dst sem.Pipe) int64 {
	for id := range int64(sem.EventIDs) {
		if r.channels[channelKey{src, dst, id, r.at}] == nil {
			return id
		}
	}
	return -1
}
