// This file searches for the cheapest repair of one error.

package repair

import (
	"container/heap"
	"crypto/sha256"
	"slices"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

// The limits of a search. They bound the time that errors cost: a kernel of 100 lines is read
// in less than a millisecond. Programs beyond them keep errors without an edit.
const (
	maxText  = 1 << 16 // bytes of a program
	maxMost  = 20      // errors of a program
	maxTries = 400     // changed programs that are read for a program
	maxRead  = 1 << 22 // bytes of the changed programs
	maxHeld  = 1 << 24 // bytes of the changed programs that wait to be read
	maxMade  = 1 << 26 // bytes of the changed programs that are made for an error
	maxLines = 1 << 12 // bytes of the lines of an operation
	maxCost  = 14
)

// The costs of changes. A consequence costs little, as the parser has named it.
const (
	costConsequence = 1
	costType        = 3
	costOperation   = 4
	costUnmentioned = 2 // more, for a value that the message does not name
)

// attempt is a changed program.
type attempt struct {
	text string
	// changed are the places that the attempt has changed, in text.
	changed []span
	// judged are places that it has not changed, but whose text it takes for right.
	judged []span
	// what describes the cause, such as "with a copy of %a in left".
	what string
	cost int
	// order decides between attempts of the same cost: the earlier one comes first.
	order int
	// others are the texts of the edits for other errors.
	others string
	// carried are the types that the attempt has given to values.
	carried []ir.Type
	// room is the number of bytes that further attempts for the error may have.
	room *int
}

// edit returns the attempt with the bytes of s replaced by text. If the attempts for an error
// already have maxMade bytes, the result is an attempt that push drops because of its cost.
func (a *attempt) edit(s span, text string, cost int) *attempt {
	if *a.room -= len(a.text); *a.room < 0 || a.cost > maxCost {
		b := *a
		b.cost = maxCost + 1
		return &b
	}
	b := &attempt{text: a.text[:s.off] + text + a.text[s.end:], what: a.what, cost: a.cost + cost, others: a.others, carried: a.carried, room: a.room}
	moved := func(all []span) (out []span) {
		for _, c := range all {
			if shift := len(text) - (s.end - s.off); c.off >= s.end {
				c = span{c.off + shift, c.end + shift}
			}
			out = append(out, c)
		}
		return out
	}
	b.judged = moved(a.judged)
	b.changed = append(moved(a.changed), span{s.off, s.off + len(text)})
	return b
}

// judging returns the attempt with the operation at off as a place that it takes for right.
func (a *attempt) judging(off int) *attempt {
	b := *a
	b.judged = append(slices.Clone(a.judged), span{off, off + 1})
	return &b
}

// called returns the attempt with a description of its cause.
func (a *attempt) called(what string) *attempt {
	a.what = what
	return a
}

// carrying returns the attempt with another type that it has given to a value.
func (a *attempt) carrying(t ir.Type) *attempt {
	a.carried = append(slices.Clone(a.carried), t)
	return a
}

// untouched returns the places of all that the attempt has not changed.
func (a *attempt) untouched(all []span) []span {
	return slices.DeleteFunc(slices.Clone(all), func(s span) bool {
		return slices.ContainsFunc(a.changed, s.overlaps)
	})
}

// queue is a heap of attempts, the cheapest first.
type queue []*attempt

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].cost != q[j].cost {
		return q[i].cost < q[j].cost
	}
	return q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*attempt)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// search looks for a repair of one error of a program.
type search struct {
	src  *ir.Source
	read func(*ir.Source) []*ir.Diag
	// old are the errors of the program, and target is the one to repair.
	old    []*ir.Diag
	target *ir.Diag
	// all means that the repair removes the other errors, too.
	all   bool
	queue queue
	// seen are the checksums of the programs that have been in the queue.
	seen map[[sha256.Size]byte]bool
	made int
	// held is the number of bytes of the programs in the queue.
	held int
	// warnings is the number of warnings of the program.
	warnings int
	budget   *budget
}

// budget is how many programs, and how many bytes of them, may still be read.
type budget struct{ programs, bytes int }

// take reports whether the budget suffices for a program of n bytes, and takes it away.
func (b *budget) take(n int) bool {
	b.programs--
	b.bytes -= n
	return b.programs >= 0 && b.bytes >= 0
}

// Suggest adds a note with an edit to errors of the program src for which it finds one and
// that have none. The parameter diags are the diagnostics of the program. The function read
// reads and verifies a text; its result are the diagnostics.
func Suggest(src *ir.Source, diags []*ir.Diag, read func(*ir.Source) []*ir.Diag) {
	old := errors(diags)
	if len(src.Text) > maxText || len(old) > maxMost {
		return
	}
	left := budget{maxTries, maxRead}
	var again []*ir.Diag
	others := ""
	for _, e := range old {
		at, off := e.Loc.Source()
		if at != src || e.FirstFix() != nil && !isName(e) || isLong(src.Text, off) {
			continue
		}
		if again == nil {
			again = errors(read(src))
		}
		if !slices.ContainsFunc(again, func(d *ir.Diag) bool { return d.Text == e.Text }) {
			continue // reading alone does not report it
		}
		s := &search{src: src, read: read, old: old, target: e, warnings: warnings(diags), seen: map[[sha256.Size]byte]bool{sha256.Sum256([]byte(src.Text)): true}, budget: &left}
		room := maxMade
		start := &attempt{text: src.Text, others: others, room: &room}
		if f := e.FirstFix(); f != nil {
			if s.holds(start.edit(span{f.Off, f.End}, f.New, 0)) {
				continue
			}
			withdrawFrom(e)
		}
		a := s.run(start)
		if a == nil {
			continue
		}
		others += s.offer(a)
		if s.all {
			withdraw(old, e)
			return
		}
	}
}

// isLong reports whether the lines of the operation at the offset off are too long for a search.
func isLong(text string, off int) bool {
	s := extent(text, off)
	return s.end-s.off > maxLines
}

// isName reports whether the parser has suggested another name for the operation that the
// error e is about: the most similar one, which can be wrong.
func isName(e *ir.Diag) bool { return unknownName().MatchString(e.Text) }

// holds reports whether the attempt removes the error, and whether no other comes.
func (s *search) holds(a *attempt) bool {
	if !s.budget.take(len(a.text)) {
		return true
	}
	src := &ir.Source{Name: s.src.Name, Text: a.text, Line0: s.src.Line0}
	return len(s.fresh(a, src, errors(s.read(src)))) == 0
}

// errors returns the errors among diags.
func errors(diags []*ir.Diag) []*ir.Diag {
	return slices.DeleteFunc(slices.Clone(diags), func(d *ir.Diag) bool { return d.Severity != ir.Error })
}

// run returns the cheapest repair, or nil. Between repairs of about the same cost it prefers
// one after which the program has no other warnings.
func (s *search) run(start *attempt) *attempt {
	s.push(causes(start, s.target)...)
	var warned *attempt
	for len(s.queue) > 0 {
		a := heap.Pop(&s.queue).(*attempt)
		s.held -= len(a.text)
		if warned != nil && a.cost > warned.cost+costConsequence {
			break
		}
		if !s.budget.take(len(a.text)) {
			break
		}
		src := &ir.Source{Name: s.src.Name, Text: a.text, Line0: s.src.Line0}
		now := s.read(src)
		left := s.fresh(a, src, errors(now))
		switch {
		case len(left) > 0:
			if at, off := left[0].Loc.Source(); at == src && !isLong(a.text, off) {
				s.push(consequences(a, left[0])...)
			}
		case s.warns(now) == 0:
			s.all = len(errors(now)) == 0
			return a
		case warned == nil:
			warned = a
		}
	}
	return warned
}

// warns returns how many more warnings than the original program the diagnostics have.
func (s *search) warns(now []*ir.Diag) int {
	return max(0, warnings(now)-s.warnings)
}

// warnings returns the number of warnings among diags.
func warnings(diags []*ir.Diag) int {
	n := 0
	for _, d := range diags {
		if d.Severity == ir.Warning {
			n++
		}
	}
	return n
}

// push adds attempts that are new and cheap enough, as far as their texts may be held.
func (s *search) push(as ...*attempt) {
	for _, a := range as {
		if k := sha256.Sum256([]byte(a.text)); a.cost <= maxCost && !s.seen[k] && s.held+len(a.text) <= maxHeld {
			s.seen[k] = true
			s.held += len(a.text)
			a.order = s.made
			s.made++
			heap.Push(&s.queue, a)
		}
	}
}

// fresh returns the errors among now that the original program does not have, and the error
// to repair if it is still there. Errors count as equal if their texts are. It leaves out
// errors of a later stage at places that a, whose text is src, neither changes nor judges: the
// error to repair has kept the tools from finding them.
func (s *search) fresh(a *attempt, src *ir.Source, now []*ir.Diag) []*ir.Diag {
	allowed := map[string]int{}
	for _, e := range s.old {
		if e != s.target {
			allowed[e.Text]++
		}
	}
	return slices.DeleteFunc(now, func(e *ir.Diag) bool {
		if allowed[e.Text]--; allowed[e.Text] >= 0 {
			return true
		}
		at, off := e.Loc.Source()
		lines := extent(a.text, off)
		return stage(e) > stage(s.target) && at == src && !slices.ContainsFunc(a.changed, lines.overlaps) && !slices.ContainsFunc(a.judged, lines.overlaps)
	})
}

// stage returns the number of the stage that reports the error e: the parser, the verifier,
// or the proof of synchronization.
func stage(e *ir.Diag) int {
	switch {
	case strings.HasPrefix(e.Text, "["):
		return 2
	case e.Op != nil:
		return 1
	}
	return 0
}

// withdraw removes the edits of the errors other than kept, which its edit removes, too.
func withdraw(errors []*ir.Diag, kept *ir.Diag) {
	for _, e := range errors {
		if e != kept {
			withdrawFrom(e)
		}
	}
}

// withdrawFrom removes the edits of an error.
func withdrawFrom(e *ir.Diag) {
	for i := range e.Notes {
		e.Notes[i].Fix = nil
	}
}

// offer adds a note with the edit of a to the error and returns the text of the edit.
func (s *search) offer(a *attempt) string {
	old, text := s.src.Text, a.text
	n := 0
	for n < len(old) && n < len(text) && old[n] == text[n] {
		n++
	}
	m := 0
	for m < len(old)-n && m < len(text)-n && old[len(old)-1-m] == text[len(text)-1-m] {
		m++
	}
	// Whole words read better.
	for n > 0 && n < len(old) && wordByte(old[n-1]) {
		n--
	}
	for m > 0 && wordByte(old[len(old)-m]) {
		m--
	}
	fix := &ir.Fix{Src: s.src, Off: n, End: len(old) - m, New: text[n : len(text)-m]}
	s.target.Notes = append(s.target.Notes, ir.Note{Loc: ir.LocAt(s.src, n), Text: "this passes " + a.what, Fix: fix})
	return fix.New
}

// wordByte reports whether c can be part of a name or a type.
func wordByte(c byte) bool {
	return c == '_' || c == '%' || c == '!' || c == '.' || c == '=' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// otherType matches the parser's message about a value that is used with another type.
var otherType = pattern.Of(`^use of value '(%[^']+)' expects different type than prior uses: '(.+)' vs '(.+)'$`)

// mismatch returns the attempts that make the two types of a value equal about which the
// error e is: at the use, or at the earlier place.
func mismatch(a *attempt, e *ir.Diag, cost int) []*attempt {
	m := otherType().FindStringSubmatch(e.Text)
	if m == nil || len(e.Notes) == 0 {
		return nil
	}
	r := newReader(a.text)
	_, use := e.Loc.Source()
	_, prior := e.Notes[0].Loc.Source()
	ends := []end{{use, m[2], m[3]}, {prior, m[3], m[2]}}
	if s := extent(a.text, prior); strings.Contains(a.text[s.off:s.end], "arith.constant ") {
		slices.Reverse(ends) // the type of a constant is a choice, that of a use is not
	}
	var all []*attempt
	for i, x := range ends {
		for _, s := range r.nearest(a, m[1], x.off, x.from) {
			to := r.typeOf(x.to)
			b := a.judging(ends[1-i].off).edit(s, r.written(to), cost).carrying(to)
			if b.what == "" {
				b.what = "with the type " + x.to + " for " + m[1]
			}
			all = append(all, b)
		}
	}
	return all
}

// end is one of the two places with different types of a value, and the change that makes
// it equal to the other.
type end struct {
	off      int
	from, to string
}

// nearest returns the places of the type of value name in the operation at off, of those
// that represent want: the place that corresponds to the position of the name first.
func (r *reader) nearest(a *attempt, name string, off int, want string) []span {
	s := extent(a.text, off)
	if strings.HasPrefix(a.text[off:], name+":") || strings.HasPrefix(a.text[off:], name+" :") {
		s = span{off, s.end} // an argument
	}
	places := a.untouched(r.named(a.text, types(a.text, s), want))
	if len(places) < 2 {
		return places
	}
	names := operands(a.text, s)
	all := types(a.text, s)
	for i, n := range names {
		if n.off != off || i >= len(all) {
			continue
		}
		if k := slices.Index(places, all[i]); k > 0 {
			places[0], places[k] = places[k], places[0]
		}
	}
	if !slices.ContainsFunc(names, func(n span) bool { return n.off == off }) {
		slices.Reverse(places) // a result: its type is the last
	}
	return places
}
