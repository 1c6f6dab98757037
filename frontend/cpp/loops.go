// This file converts the control flow of LLVM IR to loops and branches of scf.

package cpp

import (
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// jump ends the conversion with an error about a jump out of a loop.
func (f *function) jump(v *llir.Value) {
	panic(&unsupported{at: f.frame(v), text: "break, continue or return in a loop is not supported here", jump: true})
}

// enter gives the phis of a block their values when control comes from the block from.
func (f *function) enter(b, from *llir.Block) {
	values := f.edge(from, b)
	for i, p := range b.Phis() {
		f.names[p] = values[i]
	}
}

// edge returns the values of the phis of the block to when control comes from the block
// from.
func (f *function) edge(from, to *llir.Block) []string {
	var all []string
	for _, p := range to.Phis() {
		i := slices.Index(p.From, from)
		if i < 0 {
			f.failf(p, "the control flow could not be recovered")
		}
		if a := p.Args[i]; f.anywhere(p) {
			all = append(all, f.absolute(from.Term(), a))
		} else if p.Type.Kind == llir.Pointer && a.Op == "undef" {
			all = append(all, f.intConst(0, "i64"))
		} else {
			all = append(all, f.value(a))
		}
	}
	return all
}

// region converts the blocks from b on, up to the block stop, which it does not convert.
// The phis of b have their values. It returns the values of the phis of stop.
func (f *function) region(b, stop *llir.Block) []string {
	for {
		for _, v := range b.Insts {
			f.inst(v)
		}
		next, from := f.follow(b, stop)
		if next == nil {
			return nil
		}
		for next != stop && f.loops[next] != nil && !slices.Contains(f.open, next) {
			next, from = f.loop(next, from)
		}
		if next == stop {
			if from == nil {
				return f.joined(stop)
			}
			return f.edge(from, stop)
		}
		if slices.Contains(f.open, next) {
			f.jump(b.Term())
		}
		if from != nil {
			f.enter(next, from)
		}
		b = next
	}
}

// joined returns the values of the phis of a block to which a branch has given names.
func (f *function) joined(b *llir.Block) []string {
	var all []string
	for _, p := range b.Phis() {
		all = append(all, f.names[p])
	}
	return all
}

// follow converts the end of block b. It returns the block at which to continue, and the
// block from which control comes; the latter is nil if the phis of the former already have
// their values. It returns nil at the end of the function.
func (f *function) follow(b, stop *llir.Block) (next, from *llir.Block) {
	t := b.Term()
	switch {
	case t.Op == "ret":
		return nil, nil
	case t.Op == "unreachable":
		f.failf(t, "the program can reach a point after which its behavior is undefined")
	case len(b.Succs) == 1:
		return b.Succs[0], b
	}
	if f.leaves(b) {
		f.jump(t)
	}
	join := f.below[b]
	if join == nil {
		f.jump(t)
	}
	f.branch(b, join)
	return join, nil
}

// leaves reports whether the block ends with a jump out of the innermost open loop.
func (f *function) leaves(b *llir.Block) bool {
	if len(f.open) == 0 {
		return false
	}
	body := f.loops[f.open[len(f.open)-1]]
	for _, s := range b.Succs {
		if body[b] && !body[s] {
			return true
		}
	}
	return false
}

// branch converts a conditional branch at the end of b whose ways meet at join.
func (f *function) branch(b, join *llir.Block) {
	t := b.Term()
	cond := f.value(t.Args[0])
	phis := join.Phis()
	var types []string
	for _, p := range phis {
		types = append(types, f.typeOf(p))
	}
	outside := f.out
	var arms [2][]string
	for i, s := range b.Succs {
		f.out = nil
		f.depth++
		var values []string
		if s == join {
			values = f.edge(b, join)
		} else {
			values = f.arm(s, b, join)
		}
		if len(values) > 0 {
			f.text(t, "scf.yield "+strings.Join(values, ", ")+" : "+strings.Join(types, ", "))
		}
		f.depth--
		arms[i] = f.out
	}
	f.out = outside
	var results []string
	for _, p := range phis {
		results = append(results, f.fresh(p.Name))
	}
	if len(phis) > 0 || len(arms[0])+len(arms[1]) > 0 {
		head := "scf.if " + cond
		if len(phis) > 0 {
			head = strings.Join(results, ", ") + " = " + head + " -> (" + strings.Join(types, ", ") + ")"
		}
		f.text(t, head+" {")
		f.out = append(f.out, arms[0]...)
		if len(arms[1]) > 0 {
			f.text(t, "} else {")
			f.out = append(f.out, arms[1]...)
		}
		f.text(t, "}")
	}
	for i, p := range phis {
		f.names[p] = results[i]
	}
}

// arm converts the blocks from b to join, when control comes from the block from. It
// returns the values of the phis of join.
func (f *function) arm(b, from, join *llir.Block) []string {
	for f.loops[b] != nil && !slices.Contains(f.open, b) {
		b, from = f.loop(b, from)
		if b == join {
			return f.edge(from, join)
		}
	}
	if slices.Contains(f.open, b) {
		f.jump(from.Term())
	}
	f.enter(b, from)
	return f.region(b, join)
}

// loop converts the loop with the given header, when control comes from the block from. It
// returns the block after the loop, and the block from which control leaves the loop.
func (f *function) loop(head, from *llir.Block) (next, exiting *llir.Block) {
	body := f.loops[head]
	var after, latch *llir.Block
	for _, b := range f.blocks {
		if !body[b] {
			continue
		}
		for _, s := range b.Succs {
			switch {
			case s == head && latch != nil, !body[s] && exiting != nil:
				f.jump(b.Term())
			case s == head:
				latch = b
			case !body[s]:
				exiting, after = b, s
			}
		}
	}
	if exiting == nil {
		f.failf(head.Term(), "a loop never ends")
	}
	if len(exiting.Succs) != 2 || !f.dominates(exiting, latch) {
		f.jump(exiting.Term())
	}
	f.open = append(f.open, head)
	if c := f.counted(head, latch, exiting); c != nil {
		f.forLoop(head, from, c)
	} else {
		f.whileLoop(head, from, exiting)
	}
	f.open = f.open[:len(f.open)-1]
	return after, exiting
}

// counter describes the counter of a counted loop.
type counter struct {
	phi, step, bound *llir.Value
	// unsigned reports that the counter is compared without its sign. inclusive reports
	// that the bound itself is counted.
	unsigned, inclusive bool
}

// counted returns the counter of a loop that scf.for can express, or nil.
func (f *function) counted(head, latch, exiting *llir.Block) *counter {
	if exiting != head {
		return nil
	}
	body := f.loops[head]
	rest := head.Insts[len(head.Phis()):]
	cmp := head.Term().Args[0]
	if len(rest) != 2 || rest[0] != cmp || cmp.Op != "icmp" {
		return nil
	}
	pred := cmp.Pred
	if !body[head.Succs[0]] {
		pred = map[string]string{"sge": "slt", "uge": "ult", "sgt": "sle", "ugt": "ule", "eq": "ne"}[pred]
	}
	c := &counter{phi: cmp.Args[0], bound: cmp.Args[1], unsigned: pred[:min(1, len(pred))] == "u", inclusive: pred == "sle" || pred == "ule"}
	if c.phi.Op != "phi" || c.phi.Block != head || len(c.phi.Args) != 2 || f.inside(c.bound, body) || f.usedOutside(c.phi, body) {
		return nil
	}
	next := c.phi.Args[slices.Index(c.phi.From, latch)]
	if next.Op != "add" || next.Args[0] != c.phi && next.Args[1] != c.phi {
		return nil
	}
	c.step = next.Args[1]
	if c.step == c.phi {
		c.step = next.Args[0]
	}
	if f.inside(c.step, body) {
		return nil
	}
	stepOne := c.step.IsConst(1)
	if c.step.Op == "int" && c.step.Int <= 0 {
		return nil
	}
	start := c.phi.Args[1-slices.Index(c.phi.From, latch)]
	noWrap := stepOne || strings.Contains(next.Flags, "nsw") && !c.unsigned || strings.Contains(next.Flags, "nuw") && c.unsigned
	switch pred {
	case "slt", "ult":
	case "sle", "ule":
		if c.bound.Op != "int" || c.bound.Type.Bits < 64 && c.bound.Int >= 1<<(c.bound.Type.Bits-1)-1 || c.bound.Int == 1<<63-1 {
			return nil
		}
	case "ne": // the counter must meet the bound
		if start.Op != "int" || c.bound.Op != "int" || c.step.Op != "int" || start.Int < 0 || start.Int > c.bound.Int || (c.bound.Int-start.Int)%c.step.Int != 0 {
			return nil
		}
		noWrap = true
	default:
		return nil
	}
	if !noWrap && !(c.step.Op == "int" && c.bound.Op == "int" && c.bound.Int >= 0 && c.bound.Int < 1<<30 && c.step.Int < 1<<30) {
		return nil
	}
	if c.unsigned && c.phi.Type.Bits == 64 && (c.bound.Op != "int" || c.bound.Int < 0) && !strings.Contains(next.Flags, "nsw") {
		return nil // an index is signed
	}
	return c
}

// inside reports whether an instruction of the loop computes v.
func (f *function) inside(v *llir.Value, body map[*llir.Block]bool) bool {
	return v.Block != nil && body[v.Block] && !isPosition(v)
}

// usedOutside reports whether a block outside of the set uses v. A phi uses its operands
// at the end of the block from which they come.
func (f *function) usedOutside(v *llir.Value, body map[*llir.Block]bool) bool {
	for _, b := range f.blocks {
		for _, x := range b.Insts {
			for i, a := range x.Args {
				at := b
				if x.Op == "phi" {
					at = x.From[i]
				}
				if !body[at] && f.leads(a, v, 0) {
					return true
				}
			}
			if x.Op == "phi" && !body[b] && slices.ContainsFunc(x.Args, func(a *llir.Value) bool { return f.leads(a, v, 0) }) {
				return true
			}
		}
	}
	return false
}

// leads reports whether the text of a value contains v: address computations appear in the
// text only where they are used.
func (f *function) leads(a, v *llir.Value, depth int) bool {
	if a == v {
		return true
	}
	if a.Op != "getelementptr" && a.Op != "inttoptr" && a.Op != "freeze" || depth > 64 {
		return false
	}
	return slices.ContainsFunc(a.Args, func(x *llir.Value) bool { return f.leads(x, v, depth+1) })
}

// forLoop converts a counted loop.
func (f *function) forLoop(head, from *llir.Block, c *counter) {
	t := head.Term()
	at := slices.Index(c.phi.From, from)
	low, step := f.index(t, c.phi.Args[at], c.unsigned), f.index(t, c.step, c.unsigned)
	high := ""
	if c.inclusive {
		high = f.intConst(c.bound.Int+1, "index")
	} else {
		high = f.index(t, c.bound, c.unsigned)
	}
	first := f.edge(from, head)
	var types, starts, inner, results []string
	var carried []*llir.Value
	for i, p := range head.Phis() {
		if p == c.phi {
			continue
		}
		n := f.fresh(p.Name)
		carried, inner = append(carried, p), append(inner, n)
		starts, types, results = append(starts, n+" = "+first[i]), append(types, f.typeOf(p)), append(results, f.fresh(p.Name+"_end"))
	}
	i := f.fresh(c.phi.Name)
	text := "scf.for " + i + " = " + low + " to " + high + " step " + step
	if len(carried) > 0 {
		text = strings.Join(results, ", ") + " = " + text + " iter_args(" + strings.Join(starts, ", ") + ") -> (" + strings.Join(types, ", ") + ")"
	}
	f.text(t, text+" {")
	f.depth++
	f.names[c.phi] = f.fresh(c.phi.Name + "_i")
	f.line(t, "%s = arith.index_cast %s : index to %s", f.names[c.phi], i, f.typeOf(c.phi))
	for k, p := range carried {
		f.names[p] = inner[k]
	}
	inside := head.Succs[0]
	if !f.loops[head][inside] {
		inside = head.Succs[1]
	}
	values := f.around(inside, head)
	if len(carried) > 0 {
		var yielded []string
		for k, p := range head.Phis() {
			if p != c.phi {
				yielded = append(yielded, values[k])
			}
		}
		f.text(t, "scf.yield "+strings.Join(yielded, ", ")+" : "+strings.Join(types, ", "))
	}
	f.depth--
	f.text(t, "}")
	for k, p := range carried {
		f.names[p] = results[k]
	}
}

// around converts the part of a loop from block b back to its header, and returns the
// values of the phis of the header. Control comes from the header.
func (f *function) around(b, head *llir.Block) []string {
	if b == head {
		return f.edge(head, head)
	}
	return f.arm(b, head, head)
}

// whileLoop converts a loop of any other kind. The part up to the exiting block becomes
// the first region of scf.while, and the rest of the loop the second one.
func (f *function) whileLoop(head, from, exiting *llir.Block) {
	t := exiting.Term()
	body := f.loops[head]
	phis := head.Phis()
	first := f.edge(from, head)
	var types, starts []string
	for i, p := range phis {
		n := f.fresh(p.Name)
		types, starts = append(types, f.typeOf(p)), append(starts, n+" = "+first[i])
		f.names[p] = n
	}
	before := f.firstPart(head, exiting)
	passed := f.passed(head, exiting, before)
	outside := f.out
	f.out = nil
	f.depth++
	if head == exiting {
		for _, v := range head.Insts {
			f.inst(v)
		}
	} else {
		f.toExit(head, exiting)
	}
	cond := f.value(t.Args[0])
	stay, out := exiting.Succs[0], exiting.Succs[1]
	if body[out] {
		stay = out
		n := f.fresh("stay")
		f.line(t, "%s = arith.xori %s, %s : i1", n, cond, f.intConst(1, "i1"))
		cond = n
	}
	var forwarded, forwardedTypes []string
	for _, v := range passed {
		forwarded, forwardedTypes = append(forwarded, f.nameToPass(v)), append(forwardedTypes, f.typeOf(v))
	}
	f.text(t, "scf.condition("+cond+")"+after(" ", typed(forwarded, forwardedTypes)))
	f.depth--
	test := f.out
	f.out = outside
	var results []string
	for _, v := range passed {
		results = append(results, f.fresh(v.Name))
	}
	text := "scf.while"
	if len(results) > 0 {
		text = strings.Join(results, ", ") + " = " + text
	}
	if len(starts) > 0 {
		text += " (" + strings.Join(starts, ", ") + ")"
	}
	f.text(t, text+" : ("+strings.Join(types, ", ")+") -> ("+strings.Join(forwardedTypes, ", ")+") {")
	f.out = append(f.out, test...)
	f.out = append(f.out, strings.Repeat("  ", f.depth)+"} do {")
	var args []string
	for i, v := range passed {
		n := f.fresh(v.Name)
		args = append(args, n+": "+forwardedTypes[i])
		f.names[v] = n
	}
	if len(args) > 0 {
		f.out = append(f.out, strings.Repeat("  ", f.depth)+"^bb0("+strings.Join(args, ", ")+"):")
	}
	f.depth++
	var values []string
	if stay == head {
		values = f.edge(exiting, head)
	} else {
		values = f.arm(stay, exiting, head)
	}
	f.text(t, "scf.yield"+after(" ", typed(values, types)))
	f.depth--
	f.text(t, "}")
	for i, v := range passed {
		f.names[v] = results[i]
	}
}

// nameToPass returns the name of a value that a loop passes on.
func (f *function) nameToPass(v *llir.Value) string {
	if name, ok := f.names[v]; ok {
		return name
	}
	f.failf(v, "the control flow could not be recovered")
	return ""
}

// typed returns values with their types, or "" for none.
func typed(values, types []string) string {
	if len(values) == 0 {
		return ""
	}
	return strings.Join(values, ", ") + " : " + strings.Join(types, ", ")
}

// after returns text after a prefix, or "" for an empty text.
func after(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// toExit converts the part of a loop from its header up to and including the exiting
// block.
func (f *function) toExit(head, exiting *llir.Block) {
	for _, v := range head.Insts {
		f.inst(v)
	}
	next, from := f.follow(head, exiting)
	for next != exiting && next != nil && f.loops[next] != nil && !slices.Contains(f.open, next) {
		next, from = f.loop(next, from)
	}
	if next == nil || slices.Contains(f.open, next) {
		f.jump(head.Term())
	}
	if next == exiting {
		if from != nil {
			f.enter(exiting, from)
		}
	} else {
		if from != nil {
			f.enter(next, from)
		}
		for i, name := range f.region(next, exiting) {
			f.names[exiting.Phis()[i]] = name
		}
	}
	for _, v := range exiting.Insts {
		f.inst(v)
	}
}

// firstPart returns the blocks of a loop that lie between its header and the exiting block.
func (f *function) firstPart(head, exiting *llir.Block) map[*llir.Block]bool {
	part := map[*llir.Block]bool{head: true, exiting: true}
	stack := []*llir.Block{exiting}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b == head {
			continue
		}
		for _, p := range b.Preds {
			if !part[p] {
				part[p] = true
				stack = append(stack, p)
			}
		}
	}
	return part
}

// passed returns the values of the first part of a loop that later code uses: the phis of
// the header, and what the blocks that every round executes compute.
func (f *function) passed(head, exiting *llir.Block, part map[*llir.Block]bool) []*llir.Value {
	var all []*llir.Value
	for i := len(f.blocks) - 1; i >= 0; i-- {
		b := f.blocks[i]
		if !part[b] || !f.dominates(b, exiting) {
			continue
		}
		for _, v := range b.Insts {
			switch {
			case v.Type.Kind == llir.Void, isPosition(v), v.Op == "alloca", v.Op == "getelementptr", v.Op == "inttoptr", v.Op == "call" && strings.HasPrefix(v.Pred, "ptogo_new_event"):
			case f.usedOutside(v, part) || f.usedOnBackEdge(v, head, exiting):
				all = append(all, v)
			}
		}
	}
	return all
}

// usedOnBackEdge reports whether a phi of the header receives v from the exiting block.
func (f *function) usedOnBackEdge(v *llir.Value, head, exiting *llir.Block) bool {
	for _, p := range head.Phis() {
		if i := slices.Index(p.From, exiting); i >= 0 && f.leads(p.Args[i], v, 0) {
			return true
		}
	}
	return false
}
