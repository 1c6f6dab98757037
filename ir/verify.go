// This file checks a module against the rules of its definitions.

package ir

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// VerifyOptions are the options of Verify.
type VerifyOptions struct {
	// Target overrides the target that the program selects; 0 means the target of the
	// program.
	Target Target
	// Features enables options that make more programs legal.
	Features Features
	// Sequential makes the verifier use one goroutine.
	Sequential bool
	// Left, if not nil, is set to true if the verifier checked only a part of a program
	// and skipped rules that need the whole program. A caller that checks a program in
	// parts then knows that it must check the whole program at the end.
	Left *atomic.Bool
}

// Verifier checks a program and collects diagnostics. It continues after an error,
// so that one run reports all errors.
type Verifier struct {
	// Target is the target of the operation that is being checked.
	Target Target
	// Features are the options of VerifyOptions.Features.
	Features Features
	// diags receives the diagnostics.
	diags *Diags
	// opts are the options of the caller.
	opts VerifyOptions
	// env is reused as the context of the constraints of each operation.
	env Env
	// dom determines which values are defined at an operation.
	dom *Dominance
	// memo holds the results of Once. All goroutines of a verification share it.
	memo *memo
	// part reports whether only a part of a program is checked.
	part bool
	// errors is the number of errors so far, and last is the last of them.
	errors int
	last   *Diag
	// rule is the diagnostic code of the errors that the rules of definitions report.
	rule Code
	// wrong are the names of the operands and results of the current operation whose type
	// is wrong.
	wrong []string
}

// Verify checks op and all operations in its regions. It adds errors to diags and reports
// whether there are none.
func Verify(op *Op, opts VerifyOptions, diags *Diags) bool {
	v := &Verifier{Target: opts.Target, Features: opts.Features, diags: diags, opts: opts, dom: &Dominance{}, memo: &memo{}, part: op.Parent() != nil, rule: CodeRule}
	if v.Target == 0 {
		v.Target = TargetOf(op)
	}
	v.op(op)
	return v.errors == 0
}

// TargetOf returns the target that op or the nearest enclosing operation selects, or 0 if
// the program selects none.
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

// Once returns the result of compute. It calls compute only once per key and
// verification. Rules use it for facts about the whole program that many operations need.
func (v *Verifier) Once(key any, compute func() any) any {
	return v.memo.of(key, compute)()
}

// memo is a cache of functions by key. Each function computes a result on its first call
// and returns the stored result on later calls. The type is not a sync.Map, because the
// Go compiler would translate that generic map separately in each package that uses ir.
type memo struct {
	mu    sync.Mutex
	funcs map[any]func() any
}

// of returns the function that computes the result for the given key. If the key is new,
// the result is a function that calls compute on its first call and returns the stored
// result on later calls.
func (m *memo) of(key any, compute func() any) func() any {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.funcs[key]
	if f == nil {
		if m.funcs == nil {
			m.funcs = map[any]func() any{}
		}
		f = sync.OnceValue(compute)
		m.funcs[key] = f
	}
	return f
}

// Leaves reports whether a rule that needs the whole program must be skipped, because
// only a part of the program is being verified. Such rules call Leaves first. If the
// result is true, Leaves has also set VerifyOptions.Left, so that the caller of the
// verifier knows that rules were skipped.
func (v *Verifier) Leaves() bool {
	if !v.part || v.opts.Left == nil {
		return false
	}
	v.opts.Left.Store(true)
	return true
}

// Errorf reports an error of op and returns it, so that notes can be added. The message
// consists of the name of op and of args, formatted with format.
func (v *Verifier) Errorf(op *Op, format string, args ...any) *Diag {
	v.errors++
	d := v.diags.Error(op.Loc(), "'"+op.def.Name+"' op "+fmt.Sprintf(format, args...)).As(v.rule)
	d.Op, v.last = op, d
	return d
}

// Warnf reports a legal but probably wrong use of op as a warning and returns it. The
// message consists of the name of op and of args, formatted with format.
func (v *Verifier) Warnf(op *Op, format string, args ...any) *Diag {
	return v.diags.Add(Warning, op.Loc(), "'"+op.def.Name+"' op "+fmt.Sprintf(format, args...)).As(v.rule)
}

// Env returns the environment of op, through which constraints access the types of its
// operands and results and the target. The next call of Env overwrites the returned
// environment.
func (v *Verifier) Env(op *Op) *Env {
	v.env.Target, v.env.Features = v.Target, v.Features
	v.env.reset(op)
	return &v.env
}

// op checks one operation and all operations in its regions. Each check relies on the
// preceding ones, so the later checks are skipped after an error. The order of the checks
// is: whether the operation may be at its position (Def.Place), whether the target has
// the operation, and the numbers of operands, results, regions and successors. The types,
// attributes and dominance follow, and finally the rule of the definition.
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
		v.Errorf(op, "must be the last operation of its block").As(CodeTerminator)
	}
	before := v.errors
	if op.def.Place != nil {
		v.rule = CodePlace
		op.def.Place(op, v)
		v.rule = CodeRule
	}
	if v.errors == before && op.def.Exists != nil && v.Target != 0 && !op.def.Exists(v.Target) {
		d := v.Errorf(op, "does not exist on target %s", op.def.dialect.TargetName(v.Target)).As(CodeTarget)
		op.noteTargets(d, op.def.Exists)
		return
	}
	v.counts(op)
	if v.errors == before {
		if v.types(op) {
			v.noteTargets(op)
		}
		v.attrs(op)
		v.dominance(op)
	}
	v.regions(op)
	if v.errors == before && op.def.Verify != nil {
		if op.def.Verify(op, v); v.errors > before {
			v.noteTargets(op)
		}
	}
	v.rooted(op)
}

// noteTargets adds a note to the last error of op if another target accepts the types,
// the attributes and the rule of op. The note names this target.
func (v *Verifier) noteTargets(op *Op) {
	if v.Target == 0 {
		return
	}
	op.noteTargets(v.last, func(t Target) bool {
		if t == v.Target || op.def.Exists != nil && !op.def.Exists(t) {
			return false
		}
		memo := v.Once(t, func() any { return &memo{} }).(*memo) // facts of another target
		try := &Verifier{Target: t, Features: v.Features, diags: &Diags{}, opts: v.opts, dom: v.dom, memo: memo, part: v.part, rule: CodeRule}
		try.types(op)
		try.attrs(op)
		if try.errors == 0 && op.def.Verify != nil {
			op.def.Verify(op, try)
		}
		return try.errors == 0
	})
}

// counts checks the numbers of operands, results, regions and successors of op.
func (v *Verifier) counts(op *Op) {
	if !op.form.single || op.segs != nil || op.resSegs != nil || len(op.operands) != len(op.form.Operands) || len(op.results) != len(op.form.Results) {
		v.segments(op)
	}
	if msg := op.def.checkRegions(len(op.regions)); msg != "" {
		v.Errorf(op, "%s, but has %d", msg, len(op.regions)).As(CodeArgCounts)
	}
	if op.def.Succs != AnyNumber && len(op.succs) != op.def.Succs {
		v.Errorf(op, "expects %s, but has %d", Count(op.def.Succs, "successor"), len(op.succs)).As(CodeArgCounts)
	}
	if len(op.succs) > 0 && op.next != nil {
		v.Errorf(op, "has successors, so it must be the last operation of its block").As(CodeTerminator)
	}
}

// segments checks the number of operands and results of each argument of op.
func (v *Verifier) segments(op *Op) {
	if msg := checkSegments(op.form.Operands, op.segs, len(op.operands)); msg != "" {
		v.Errorf(op, "has %s, but %s", Count(len(op.operands), "operand"), msg).As(CodeArgCounts)
	}
	if msg := checkSegments(op.form.Results, op.resSegs, len(op.results)); msg != "" {
		v.Errorf(op, "has %s, but %s", Count(len(op.results), "result"), msg).As(CodeArgCounts)
	}
}

// types checks the type of every operand and result of op against its constraint. It
// reports whether a type is wrong whose constraint depends on the target.
func (v *Verifier) types(op *Op) (targeted bool) {
	if op.form == anyForm {
		return false
	}
	env := v.Env(op)
	v.wrong = v.wrong[:0]
	for i := range op.form.Operands {
		from, to := op.ArgRange(i)
		for k := from; k < to; k++ {
			targeted = v.typeRule(op, env, "operand", &op.form.Operands[i], op.operands[k].value.typ) || targeted
		}
	}
	for i := range op.form.Results {
		from, to := op.ResultRange(i)
		for k := from; k < to; k++ {
			targeted = v.typeRule(op, env, "result", &op.form.Results[i], op.results[k].typ) || targeted
		}
	}
	return targeted
}

// typeRule checks the type t of one operand or result of op against the constraint in its
// declaration a. The parameter what names the operand or result in diagnostics. typeRule
// reports nothing if the constraint compares t with the type of another operand that is
// already reported as wrong. The result reports whether it has reported a constraint that
// depends on the target.
func (v *Verifier) typeRule(op *Op, env *Env, what string, a *Arg, t Type) (targeted bool) {
	if a.Type == nil || a.Type.Check(t, env) {
		return false
	}
	f, ok := a.Type.(follower)
	reported := ok && slices.Contains(v.wrong, f.Follows())
	v.wrong = append(v.wrong, a.Name) // after the check, since a result can follow the operand of its own name
	if reported {
		return false
	}
	v.errors++
	target := v.onTarget(a.Type)
	text := fmt.Sprintf("'%s' op%s: %s \"%s\" must be %s, but is %s", op.def.Name, target, what, a.Name, a.Type.Want(env), t)
	d := v.diags.Error(op.Loc(), text).As(CodeArgType)
	d.Op, v.last = op, d
	if h, ok := a.Type.(hinter); ok {
		if hint := h.Hint(t, env); hint != "" {
			d.Note(op.Loc(), hint)
		}
	}
	return target != ""
}

// noteTargets adds to the error d a note that lists the targets for which legal returns
// true. The error says that the operation is illegal on the current target.
func (op *Op) noteTargets(d *Diag, legal func(t Target) bool) {
	dialect := op.def.dialect
	if dialect.OtherTargets == nil {
		return
	}
	if note := dialect.OtherTargets(legal); note != "" {
		d.Note(op.Loc(), note)
	}
}

// follower is a Constraint that compares a type with that of another operand or result.
// If the other type is wrong, the verifier reports only the other one.
type follower interface {
	// Follows returns the name of the operand or result with which the type is compared.
	Follows() string
}

// hinter is a Constraint that can suggest how to correct an illegal type.
type hinter interface {
	// Hint returns the text of a note for the illegal type t, or "".
	Hint(t Type, e *Env) string
}

// targeted is a Constraint that accepts different types on different targets.
type targeted interface {
	// TargetName returns the name of the target for messages.
	TargetName(t Target) string
}

// onTarget returns " on target NAME" for the message about a constraint that depends on the
// target, and "" for other constraints.
func (v *Verifier) onTarget(c Constraint) string {
	if t, ok := c.(targeted); ok {
		if name := t.TargetName(v.Target); name != "" {
			return " on target " + name
		}
	}
	return ""
}

// attrs checks the declared attributes of op against their constraints. The dialect whose
// name is the prefix of a discardable attribute checks that attribute.
func (v *Verifier) attrs(op *Op) {
	for i := range op.def.Attrs {
		d, a := &op.def.Attrs[i], op.attrs[i]
		switch {
		case a.IsZero() && !d.Optional && d.Default.IsZero():
			v.Errorf(op, "requires the attribute \"%s\": %s", d.Name, d.Type.WantAttr()).As(CodeAttribute)
		case !a.IsZero() && !d.Type.CheckAttr(a):
			v.Errorf(op, "attribute \"%s\" must be %s, but is %s", d.Name, d.Type.WantAttr(), a).As(CodeAttribute)
		}
	}
	for _, e := range op.extra {
		if d := LookupDialect(dialectOf(e.Name)); d != nil && d.VerifyAttr != nil && dialectOf(e.Name) != e.Name {
			d.VerifyAttr(op, e, v)
		}
	}
}

// regions checks the blocks in the regions of op: their terminators, their symbols and
// all operations in them.
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

// regionShape checks the region r of op against its declaration d. It checks the number
// of blocks, and that each block ends with a terminator. An unregistered operation at the
// end of a block counts as a terminator.
func (v *Verifier) regionShape(op *Op, r *Region, d *RegionDef) {
	if d.SingleBlock && r.first != r.last {
		v.Errorf(op, "region \"%s\" must have one block", d.Name)
	}
	if op.def.Traits&(NoTerminator|GraphRegion) != 0 {
		return
	}
	for b := range r.Blocks() {
		if b.Terminator() == nil && (b.last == nil || b.last.def.Traits&Unregistered == 0) {
			d := v.Errorf(op, "contains a block that does not end in a terminator").As(CodeTerminator)
			if b.last != nil {
				d.Note(b.last.Loc(), "the block ends here")
			}
			return
		}
	}
}

// block checks the arguments of the block b in op. It also checks the successors of the
// terminator of b: they must be in the same region, and the terminator must pass values
// of the right number and types.
func (v *Verifier) block(op *Op, b *Block) {
	v.rootedArgs(op, b)
	for i, s := range b.successors() {
		switch {
		case s.region != b.region:
			v.Errorf(b.last, "branches to a block of another region").As(CodePassedValues)
		case s == b.region.first:
			v.Errorf(b.last, "branches to the entry block of its region, which only the region's operation enters").As(CodePassedValues)
		default:
			v.passed(b.last, i, s)
		}
	}
}

// passed checks the number and types of the values that the terminator op passes to its
// successor i, the block s.
func (v *Verifier) passed(op *Op, i int, s *Block) {
	if op.def.Traits&Unregistered != 0 {
		return
	}
	from, to := op.SuccRange(i)
	if to-from != len(s.args) {
		v.Errorf(op, "passes %s to successor #%d, which has %d arguments", Count(to-from, "value"), i, len(s.args)).As(CodePassedValues)
		return
	}
	for k, a := range s.args {
		if t := op.operands[from+k].value.typ; t != a.typ {
			v.Errorf(op, "passes a value of type %s as argument #%d of successor #%d, but this argument has type %s", t, k, i, a.typ).As(CodePassedValues)
		}
	}
}

// successors returns the successors of the last operation of b, or nil for an empty
// block.
func (b *Block) successors() []*Block {
	if b.last == nil {
		return nil
	}
	return b.last.succs
}

// symbols reports symbol names that the symbol table op defines more than once.
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
					v.Errorf(o, "redefines symbol '@%s'", name).As(CodeSymbol).Note(first.Loc(), "first defined here")
					continue
				}
				seen[name] = o
			}
		}
	}
}

// guard converts a panic of a definition's code to an error about op. It must be called
// by a defer statement. A panic is a bug in a definition, not an error of the program.
func (v *Verifier) guard(op *Op) {
	if x := recover(); x != nil {
		v.Errorf(op, "cannot be verified because of a bug in the verifier: %v", x).As(CodeMistake).Note(Loc{}, ReportIt)
	}
}

// ReportIt is the note on errors that are bugs of the tool.
const ReportIt = "please report it with the program"

// parallel checks the operations of a module on several goroutines; each goroutine checks
// a contiguous range of the operations. Before these goroutines start, the calling
// goroutine checks the operations that are not isolated from above.
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
			w := &Verifier{Target: v.Target, Features: v.Features, diags: v.diags, opts: v.opts, dom: &Dominance{}, memo: v.memo, part: v.part, rule: CodeRule}
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

// dominance checks the operands of op. Each operand must have a value, this value must be
// visible to op, and its definition must dominate op.
func (v *Verifier) dominance(op *Op) {
	for i := range op.operands {
		val := op.operands[i].value
		switch {
		case val == nil:
			v.Errorf(op, "operand #%d is missing", i).As(CodeDominance)
		case !v.dom.Visible(val, op):
			d := v.Errorf(op, "operand #%d is a value that is not visible here, since '%s' is isolated from above", i, isolating(op).def.Name).As(CodeDominance)
			if val.op != nil {
				d.Note(val.op.Loc(), "the value is defined here")
			}
		case !v.dom.Dominates(val, op):
			d := v.Errorf(op, "operand #%d does not dominate this use", i).As(CodeDominance)
			if val.op != nil {
				d.Note(val.op.Loc(), "operand defined here")
			}
		}
	}
}

// isolating returns the nearest operation that encloses op and is isolated from above.
// Values from outside that operation are not visible to op.
func isolating(op *Op) *Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.HasTrait(IsolatedFromAbove) {
			return p
		}
		op = p
	}
	return op
}
