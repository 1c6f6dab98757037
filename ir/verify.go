package ir

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// VerifyOptions say what a program is checked for.
type VerifyOptions struct {
	// Target overrides what the program says itself.
	Target   Target
	Features Features
	// Sequential keeps the verifier on one goroutine.
	Sequential bool
	// Left, if there is one, is set where a part of a program is checked and rules
	// were left out that look at all of it: for callers that check many parts, and
	// all of it in the end.
	Left *atomic.Bool
}

// Verifier checks a program and collects what is wrong. It goes on after an
// error, so that one run tells all.
type Verifier struct {
	Target   Target
	Features Features
	diags    *Diags
	opts     VerifyOptions
	env      Env
	dom      *Dominance
	memo     *sync.Map // shared by all goroutines of a run
	part     bool      // of a program
	errors   int
	wrong    []string // arguments of the operation at hand whose type is wrong
}

// Verify checks op and everything below it, and reports whether it is legal.
func Verify(op *Op, opts VerifyOptions, diags *Diags) bool {
	v := &Verifier{Target: opts.Target, Features: opts.Features, diags: diags, opts: opts, dom: &Dominance{}, memo: &sync.Map{}, part: op.Parent() != nil}
	if v.Target == 0 {
		v.Target = TargetOf(op)
	}
	v.op(op)
	return v.errors == 0
}

// TargetOf returns the target that op or an operation around it names, or the
// default of the first dialect that has targets.
func TargetOf(op *Op) Target {
	dialects := Dialects()
	for ; op != nil; op = op.Parent() {
		for _, d := range dialects {
			if d.Target != nil {
				if t := d.Target(op); t != 0 {
					return t
				}
			}
		}
	}
	return 0
}

// Once returns what compute returns, which is called once for each key and run:
// for what many operations ask about the program around them.
func (v *Verifier) Once(key any, compute func() any) any {
	f, _ := v.memo.LoadOrStore(key, sync.OnceValue(compute))
	return f.(func() any)()
}

// Leaves reports that a rule which looks at the whole program is left for later
// (VerifyOptions.Left).
func (v *Verifier) Leaves() bool {
	if !v.part || v.opts.Left == nil {
		return false
	}
	v.opts.Left.Store(true)
	return true
}

// Errorf reports that op is illegal. The text is put after the name of the
// operation.
func (v *Verifier) Errorf(op *Op, format string, args ...any) *Diag {
	v.errors++
	return v.diags.Error(op.Loc(), "'"+op.def.Name+"' op "+fmt.Sprintf(format, args...))
}

// Warnf reports what is legal about op, but likely a mistake.
func (v *Verifier) Warnf(op *Op, format string, args ...any) *Diag {
	return v.diags.Add(Warning, op.Loc(), "'"+op.def.Name+"' op "+fmt.Sprintf(format, args...))
}

// Env returns the environment of op, valid until the next call.
func (v *Verifier) Env(op *Op) *Env {
	v.env.Target, v.env.Features = v.Target, v.Features
	v.env.reset(op)
	return &v.env
}

func (v *Verifier) op(op *Op) {
	defer v.guard(op)
	if op.def.Traits&SymbolTable != 0 && v.opts.Target == 0 {
		saved := v.Target
		defer func() { v.Target = saved }()
		for _, d := range Dialects() {
			if d.Target != nil {
				if t := d.Target(op); t != 0 {
					v.Target = t
				}
			}
		}
	}
	if op.next != nil && op.def.Traits&Terminator != 0 {
		v.Errorf(op, "must be the last operation of its block")
	}
	before := v.errors
	if op.def.Place != nil {
		op.def.Place(op, v)
	}
	if v.errors == before && op.def.Exists != nil && v.Target != 0 && !op.def.Exists(v.Target) {
		d := v.Errorf(op, "does not exist on %s", op.def.dialect.TargetName(v.Target))
		op.noteTargets(d, op.def.Exists)
		return
	}
	v.counts(op)
	if v.errors == before {
		v.types(op)
		v.attrs(op)
		v.dominance(op)
	}
	v.regions(op)
	if v.errors == before && op.def.Verify != nil {
		op.def.Verify(op, v)
	}
	v.rooted(op)
}

func (v *Verifier) counts(op *Op) {
	if !op.form.single || op.segs != nil || op.resSegs != nil || len(op.operands) != len(op.form.Operands) || len(op.results) != len(op.form.Results) {
		v.segments(op)
	}
	if msg := op.def.checkRegions(len(op.regions)); msg != "" {
		v.Errorf(op, "%s, but has %d", msg, len(op.regions))
	}
	if op.def.Succs != AnyNumber && len(op.succs) != op.def.Succs {
		v.Errorf(op, "expects %s, but has %d", Count(op.def.Succs, "successor"), len(op.succs))
	}
	if len(op.succs) > 0 && op.next != nil {
		v.Errorf(op, "has successors, so it must be the last operation of its block")
	}
}

// segments checks how many operands and results there are for each argument.
func (v *Verifier) segments(op *Op) {
	if msg := checkSegments(op.form.Operands, op.segs, len(op.operands)); msg != "" {
		v.Errorf(op, "has %s, but %s", Count(len(op.operands), "operand"), msg)
	}
	if msg := checkSegments(op.form.Results, op.resSegs, len(op.results)); msg != "" {
		v.Errorf(op, "has %s, but %s", Count(len(op.results), "result"), msg)
	}
}

// types checks every operand and result against its rule.
func (v *Verifier) types(op *Op) {
	if op.form == anyForm {
		return
	}
	env := v.Env(op)
	v.wrong = v.wrong[:0]
	for i := range op.form.Operands {
		from, to := op.ArgRange(i)
		for k := from; k < to; k++ {
			v.typeRule(op, env, "operand", &op.form.Operands[i], op.operands[k].value.typ)
		}
	}
	for i := range op.form.Results {
		from, to := op.ResultRange(i)
		for k := from; k < to; k++ {
			v.typeRule(op, env, "result", &op.form.Results[i], op.results[k].typ)
		}
	}
}

func (v *Verifier) typeRule(op *Op, env *Env, what string, a *Arg, t Type) {
	if a.Type == nil || a.Type.Check(t, env) {
		return
	}
	f, ok := a.Type.(follower)
	reported := ok && slices.Contains(v.wrong, f.Follows())
	v.wrong = append(v.wrong, a.Name) // last, for results that follow the operand of their name
	if reported {
		return
	}
	v.errors++
	text := fmt.Sprintf("'%s' op%s: %s \"%s\" must be %s, but is %s", op.def.Name, v.onTarget(a.Type), what, a.Name, a.Type.Want(env), t)
	d := v.diags.Error(op.Loc(), text)
	if h, ok := a.Type.(hinter); ok {
		if hint := h.Hint(t, env); hint != "" {
			d.Note(op.Loc(), hint)
		}
	}
	if v.onTarget(a.Type) != "" {
		op.noteTargets(d, func(t2 Target) bool {
			other := *env
			other.Target = t2
			return a.Type.Check(t, &other)
		})
	}
}

// noteTargets reports where something is legal that is not so here.
func (op *Op) noteTargets(d *Diag, legal func(t Target) bool) {
	dialect := op.def.dialect
	if dialect.OtherTargets == nil {
		return
	}
	if note := dialect.OtherTargets(legal); note != "" {
		d.Note(op.Loc(), note)
	}
}

// follower is a Constraint that compares with the type of another argument. It
// is silent where that one is wrong itself.
type follower interface {
	// Follows names the other argument.
	Follows() string
}

// hinter is a Constraint that can suggest how to satisfy it.
type hinter interface {
	// Hint returns the text of a note, or "".
	Hint(t Type, e *Env) string
}

// targeted is a Constraint whose answer depends on the target.
type targeted interface {
	// TargetName returns the name of the target for messages.
	TargetName(t Target) string
}

// onTarget is " on a5" for rules that differ between targets.
func (v *Verifier) onTarget(c Constraint) string {
	if t, ok := c.(targeted); ok {
		if name := t.TargetName(v.Target); name != "" {
			return " on " + name
		}
	}
	return ""
}

func (v *Verifier) attrs(op *Op) {
	for i := range op.def.Attrs {
		d, a := &op.def.Attrs[i], op.attrs[i]
		switch {
		case a.IsZero() && !d.Optional && d.Default.IsZero():
			v.Errorf(op, "needs the attribute \"%s\": %s", d.Name, d.Type.WantAttr())
		case !a.IsZero() && !d.Type.CheckAttr(a):
			v.Errorf(op, "attribute \"%s\" must be %s, but is %s", d.Name, d.Type.WantAttr(), a)
		}
	}
	for _, e := range op.extra {
		if d := LookupDialect(dialectOf(e.Name)); d != nil && d.VerifyAttr != nil && dialectOf(e.Name) != e.Name {
			d.VerifyAttr(op, e, v)
		}
	}
}

// regions checks the blocks below op: their terminators, symbols, and every
// operation in them.
func (v *Verifier) regions(op *Op) {
	for i, r := range op.regions {
		if d := op.def.regionDef(i); d != nil {
			v.regionShape(op, r, d)
		}
		for b := range r.Blocks() {
			v.block(op, b)
		}
	}
	if op.def.Traits&SymbolTable != 0 {
		v.symbols(op)
	}
	if op.def == ModuleDef && !v.opts.Sequential {
		v.parallel(op)
		return
	}
	for _, r := range op.regions {
		for b := range r.Blocks() {
			for o := b.first; o != nil; o = o.next {
				v.op(o)
			}
		}
	}
}

func (v *Verifier) regionShape(op *Op, r *Region, d *RegionDef) {
	if d.SingleBlock && r.first != r.last {
		v.Errorf(op, "region \"%s\" must have one block", d.Name)
	}
	if op.def.Traits&(NoTerminator|GraphRegion) != 0 {
		return
	}
	for b := range r.Blocks() {
		if b.Terminator() == nil && (b.last == nil || b.last.def.Traits&Unregistered == 0) {
			d := v.Errorf(op, "has a block that does not end in a terminator")
			if b.last != nil {
				d.Note(b.last.Loc(), "the block ends here")
			}
			return
		}
	}
}

func (v *Verifier) block(op *Op, b *Block) {
	v.rootedArgs(op, b)
	for i, s := range b.successors() {
		switch {
		case s.region != b.region:
			v.Errorf(b.last, "branches to a block of another region")
		case s == b.region.first:
			v.Errorf(b.last, "branches to the entry block of its region, which only the region's operation enters")
		default:
			v.passed(b.last, i, s)
		}
	}
}

// passed checks the values that a terminator passes to the arguments of
// successor i.
func (v *Verifier) passed(op *Op, i int, s *Block) {
	if op.def.Traits&Unregistered != 0 {
		return
	}
	from, to := op.SuccRange(i)
	if to-from != len(s.args) {
		v.Errorf(op, "passes %s to successor #%d, which takes %d", Count(to-from, "value"), i, len(s.args))
		return
	}
	for k, a := range s.args {
		if t := op.operands[from+k].value.typ; t != a.typ {
			v.Errorf(op, "passes a %s as argument #%d of successor #%d, which is %s", t, k, i, a.typ)
		}
	}
}

func (b *Block) successors() []*Block {
	if b.last == nil {
		return nil
	}
	return b.last.succs
}

// symbols checks that the names in a symbol table are unique.
func (v *Verifier) symbols(op *Op) {
	seen := map[string]*Op{}
	for _, r := range op.regions {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				name, ok := SymbolName(o)
				if !ok {
					continue
				}
				if first := seen[name]; first != nil {
					v.Errorf(o, "redefines symbol '@%s'", name).Note(first.Loc(), "first defined here")
					continue
				}
				seen[name] = o
			}
		}
	}
}

// guard makes an error of a panic, which is a mistake of a definition and none of
// the program.
func (v *Verifier) guard(op *Op) {
	if x := recover(); x != nil {
		v.Errorf(op, "cannot be checked because of a mistake in this tool: %v", x).Note(Loc{}, ReportIt)
	}
}

// ReportIt is the note on errors that are mistakes of ours.
const ReportIt = "please report it with the program"

// parallel checks the operations of a module side by side.
func (v *Verifier) parallel(module *Op) {
	var ops []*Op
	for _, r := range module.regions {
		for b := range r.Blocks() {
			for o := b.first; o != nil; o = o.next {
				if o.def.Traits&IsolatedFromAbove == 0 {
					v.op(o)
					continue
				}
				ops = append(ops, o)
			}
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for part := range slices.Chunk(ops, max(1, (len(ops)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))) {
		wg.Go(func() {
			w := &Verifier{Target: v.Target, Features: v.Features, diags: v.diags, opts: v.opts, dom: &Dominance{}, memo: v.memo, part: v.part}
			for _, o := range part {
				w.op(o)
			}
			mu.Lock()
			v.errors += w.errors
			mu.Unlock()
		})
	}
	wg.Wait()
}

// dominance checks that every operand is defined where op can see it.
func (v *Verifier) dominance(op *Op) {
	for i := range op.operands {
		val := op.operands[i].value
		switch {
		case val == nil:
			v.Errorf(op, "operand #%d is missing", i)
		case !v.dom.Visible(val, op):
			d := v.Errorf(op, "operand #%d is a value that is not visible here, since '%s' is isolated from above", i, isolating(op).def.Name)
			if val.op != nil {
				d.Note(val.op.Loc(), "the value is defined here")
			}
		case !v.dom.Dominates(val, op):
			d := v.Errorf(op, "operand #%d does not dominate this use", i)
			if val.op != nil {
				d.Note(val.op.Loc(), "operand defined here")
			}
		}
	}
}

// isolating returns the nearest operation around op that hides values from
// outside.
func isolating(op *Op) *Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.HasTrait(IsolatedFromAbove) {
			return p
		}
		op = p
	}
	return op
}
