// This file verifies variants.

package advise

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/insertsync"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/equiv"
	"ptogo/runtime/numerics"
)

// randomOrders is the number of runs with random orders of the pipes, if the static proof
// does not cover the synchronization of a program.
const randomOrders = 5

// reportKind is a checker and the severity of its report.
type reportKind struct {
	check    check.Kind
	severity ir.Severity
}

// Unsound is the error for a kernel about which checkers report errors.
type Unsound struct{ Reports []*check.Report }

// Error implements error.
func (u *Unsound) Error() string {
	return "the kernel has reports of --check: " + check.Summary(u.Reports)
}

// verifyBase verifies the program before all steps. It records the warnings of the
// checkers, so that other variants may have the same ones.
func (l *Lab) verifyBase(b *Built) (*Proof, error) {
	return l.verify(b, func(reports []*check.Report) string {
		l.reports = countReports(reports)
		for _, r := range reports {
			if r.Severity == ir.Error {
				return "unsound"
			}
		}
		return ""
	})
}

// Verify implements Bench. A variant must have the results of the program as written, and
// no reports of checkers that the base does not have.
func (l *Lab) Verify(b *Built) (*Proof, error) {
	return l.verify(b, func(reports []*check.Report) string {
		counts := countReports(reports)
		for _, k := range slices.SortedFunc(maps.Keys(counts), compareKinds) {
			if k.severity != ir.Remark && counts[k] > l.reports[k] {
				for _, r := range reports {
					if r.Check == k.check && r.Severity == k.severity {
						return fmt.Sprintf("--check=%s reports: %s", k.check, r.Text)
					}
				}
			}
		}
		return ""
	})
}

// compareKinds orders kinds of reports, for a fixed order of messages.
func compareKinds(a, b reportKind) int {
	if a.severity != b.severity {
		return int(a.severity) - int(b.severity)
	}
	return bytes.Compare([]byte(a.check), []byte(b.check))
}

// countReports counts reports by their kind.
func countReports(reports []*check.Report) map[reportKind]int {
	counts := map[reportKind]int{}
	for _, r := range reports {
		counts[reportKind{r.Check, r.Severity}] += 1 + r.More
	}
	return counts
}

// verify checks the text of a variant, executes the variant, and compares it with the
// program as written. The function judge returns the reason why the reports of the checkers exclude
// the variant, or "".
func (l *Lab) verify(b *Built, judge func(reports []*check.Report) string) (*Proof, error) {
	options := l.Options
	options.Kernel, options.PublicIR, options.Arguments = b.Kernel, "", len(l.Names)
	if _, err := kernel.Load(&ir.Source{Name: "the variant", Text: b.Text}, options); err != nil {
		return nil, Rejection{err}
	}
	prog := b.prog.(*program) // its operations have their places in the file of the user
	p := &Proof{}
	tally := l.proveSync(prog.Program)
	if tally[insertsync.Hazard] > 0 && !l.facts.Synchronized {
		return &Proof{Wrong: "the static proof finds a hazard"}, nil
	}
	p.Proved = tally[insertsync.Hazard] == 0 && tally[insertsync.NotChecked] == 0
	reports, wrong, err := l.runChecked(prog, b.Blocks)
	if err != nil || wrong != "" {
		return &Proof{Wrong: wrong}, err
	}
	if why := judge(reports); why != "" {
		if why == "unsound" {
			return nil, &Unsound{reports}
		}
		return &Proof{Wrong: why}, nil
	}
	if tally[insertsync.Hazard] > l.hazards() {
		return &Proof{Wrong: "the static proof finds a hazard"}, nil
	}
	for set := 1; set < l.Sets; set++ {
		wrong, err := l.runSet(prog, b.Blocks, set, runtime.Options{})
		if err != nil || wrong != "" {
			return &Proof{Wrong: wrong}, err
		}
	}
	p.Sync = "proved"
	if b.Blocks > 1 { // the static proof is about one core
		p.Sync = "proved in each block, checked between blocks"
	}
	if !p.Proved {
		p.Sync = fmt.Sprintf("checked by a run and %d random orders", randomOrders)
		for seed := range uint64(randomOrders) {
			wrong, err := l.runSet(prog, b.Blocks, 0, runtime.Options{Seed: seed + 1})
			if err != nil || wrong != "" {
				return &Proof{Wrong: wrong}, err
			}
		}
	}
	return p, l.compare(p, prog, b.Blocks)
}

// hazards returns the number of functions of the program as written in which the static
// proof finds a hazard, if the program has synchronization of its own.
func (l *Lab) hazards() int {
	if !l.facts.Synchronized {
		return 0
	}
	return l.proveSync(l.whole)[insertsync.Hazard]
}

// proveSync runs the static proof of synchronization on the kernels of a program and the
// functions that they call.
func (l *Lab) proveSync(p *kernel.Program) insertsync.Tally {
	reached := map[string]bool{}
	for _, f := range analysis.Reached(p.Kernels) {
		reached[fn.Name(f)] = true
	}
	module := cloneModule(p.Module)
	for _, f := range fn.Functions(module) {
		if fn.Body(f) != nil && !reached[fn.Name(f)] {
			f.Erase()
		}
	}
	return insertsync.Verify(module, func(*ir.Op) ir.Target { return p.Profile() }, insertsync.Verdicts, &ir.Diags{})
}

// runChecked executes prog with all checkers on the data of the user. It returns the
// reports, and a text if the execution fails or its results are wrong.
func (l *Lab) runChecked(prog *program, blocks int) (reports []*check.Report, wrong string, err error) {
	checker, err := check.New(check.Options{Kinds: check.Usual})
	if err != nil {
		return nil, "", err
	}
	args, err := l.arguments(prog, blocks, 0)
	if err != nil {
		return nil, "", err
	}
	start := runtime.CloneArgs(args)
	run := func(args []runtime.Arg, r *check.Run) error {
		o := l.Run
		o.Blocks = blocks
		r.Apply(&o)
		return l.execute(prog, args, o)
	}
	if err := run(args, &check.Run{Listener: checker}); err != nil {
		if _, rejected := errors.AsType[Rejection](err); !rejected {
			return nil, "", err
		}
		return nil, firstLine(err.Error()), nil
	}
	checker.Confirm(func(r *check.Run) error { return run(runtime.CloneArgs(start), r) })
	wrong, err = l.difference(prog, args, 0)
	return checker.Reports(), wrong, err
}

// runSet executes prog on the given data set and returns a text if it fails or its
// results are wrong. The options more have the seed of the order of the pipes.
func (l *Lab) runSet(prog *program, blocks, set int, more runtime.Options) (wrong string, err error) {
	args, err := l.arguments(prog, blocks, set)
	if err != nil {
		return "", err
	}
	o := l.Run
	o.Blocks, o.Seed = blocks, more.Seed
	if err := l.execute(prog, args, o); err != nil {
		if _, rejected := errors.AsType[Rejection](err); !rejected {
			return "", err
		}
		return firstLine(err.Error()), nil
	}
	return l.difference(prog, args, set)
}

// difference compares the arguments after a run of prog with those of the program as written,
// or with those of the first run of prog if it may have other rounding errors. It
// returns a text about the first byte that differs, or "". Arguments that the program as
// written does not have are not compared.
func (l *Lab) difference(prog *program, args []runtime.Arg, set int) (string, error) {
	want, err := l.want(set)
	if err != nil {
		return "", err
	}
	if prog.own != nil {
		if prog.own[set] == nil {
			prog.own[set] = args[:len(want)]
		}
		want = prog.own[set]
	}
	for i, a := range want {
		if a.Buf == nil || bytes.Equal(a.Buf.Data, args[i].Buf.Data) {
			continue
		}
		at := 0
		for at < len(a.Buf.Data) && a.Buf.Data[at] == args[i].Buf.Data[at] {
			at++
		}
		return fmt.Sprintf("other results from byte %d of %s on", at, l.Names[i]), nil
	}
	return "", nil
}

// want returns the arguments after a run of the program as written on a data set.
func (l *Lab) want(set int) ([]runtime.Arg, error) {
	if args, ok := l.results[set]; ok {
		return args, nil
	}
	blocks := l.blocks()
	args, err := l.Args(blocks, set)
	if err != nil {
		return nil, err
	}
	o := l.Run
	o.Blocks = blocks
	if err := l.execute(&program{Program: l.whole}, args, o); err != nil {
		if r, ok := errors.AsType[Rejection](err); ok {
			err = r.Err // the program of the user is wrong, not a variant
		}
		return nil, err
	}
	l.results[set] = args
	return args, nil
}

// compare decides whether prog and the program as written are equivalent, and completes
// the proof p.
func (l *Lab) compare(p *Proof, prog *program, blocks int) error {
	args, err := l.Args(l.blocks(), 0)
	if err != nil {
		return err
	}
	side := func(p *kernel.Program, blocks int) equiv.Side {
		return equiv.Side{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features, Blocks: blocks}
	}
	candidate := side(prog.Program, blocks)
	candidate.Extra = runtime.CloneArgs(prog.extra)
	o := equiv.Options{Run: l.Run, Args: args, Names: l.Names, Elems: l.Elems, MostExpressions: l.MostExpressions}
	if prog.own != nil {
		o.Modulo.Reassociation, o.Trials = true, -1
	}
	v, err := equiv.Compare(side(l.whole, l.blocks()), candidate, o)
	if stop := l.stopped(); stop != nil {
		return stop
	}
	if prog.own != nil {
		if err == nil && v.Outcome == equiv.Equivalent {
			p.Equivalent, p.Results = true, "equal for all data, but sums in another order"
			return nil
		}
		return l.compareErrors(p, prog, blocks)
	}
	p.Results = "same bits on " + ir.Count(l.sets(), "data set")
	switch {
	case err != nil:
		p.Undecided = firstLine(err.Error())
	case v.Outcome == equiv.Equivalent:
		p.Equivalent, p.Results = true, "equal for all data"
	case v.Outcome == equiv.Differs:
		p.Wrong = "other results for other data: " + firstLine(v.Difference(&equiv.Options{Args: args, Names: l.Names, Elems: l.Elems}))
	default:
		p.Undecided = firstLine(v.Why)
	}
	return nil
}

// sets returns the number of data sets.
func (l *Lab) sets() int { return max(l.Sets, 1) }

// bytesPerShadow is the memory in bytes for an element that is not exact, and its float64
// value.
const bytesPerShadow = 32

// compareErrors compares the results of prog with those of the program as written, if they
// may differ by rounding errors, and completes the proof p. All elements must be within the
// tolerance that follows from the rounding errors of the program as written. The results of
// both programs in float64 must be almost equal, because both programs must compute the same
// function.
func (l *Lab) compareErrors(p *Proof, prog *program, blocks int) error {
	kernelOf := func(p *kernel.Program) numerics.Kernel {
		return numerics.Kernel{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features}
	}
	run := l.Run
	if l.reference == nil {
		run.Blocks = l.blocks()
		o := numerics.Options{Run: run, Names: l.Names, Elems: l.Elems, Most: int(l.Memory / bytesPerShadow)}
		r, err := numerics.NewReference(kernelOf(l.whole), o, l.sets(), func(set int) ([]runtime.Arg, error) { return l.Args(l.blocks(), set) })
		if err != nil {
			return l.rejected(err)
		}
		l.reference = r
	}
	run.Blocks = blocks
	var most numerics.Agreement
	for set := range l.sets() {
		args, err := l.arguments(prog, blocks, set)
		if err != nil {
			return err
		}
		a, err := l.reference.Compare(kernelOf(prog.Program), run, set, args)
		if err != nil {
			return l.rejected(err)
		}
		if a.Wrong != "" {
			p.Wrong = a.Wrong
			return nil
		}
		most.Error, most.Exact = max(most.Error, a.Error), max(most.Exact, a.Exact)
	}
	p.Results = "rounding errors on " + ir.Count(l.sets(), "data set")
	p.Rounding = fmt.Sprintf("largest error %.2g of the tolerance", most.Error)
	for _, t := range l.reference.Tolerances {
		p.Rounding += fmt.Sprintf(" rtol=%.2g,atol=%.2g for %s", t.Rtol, t.Atol, t.Argument.Name)
	}
	p.Rounding += fmt.Sprintf("; in float64, the largest difference is %.2g of it", most.Exact)
	return nil
}

// rejected returns the error of an execution: ErrStopped after an interrupt or at the time
// limit, and otherwise a Rejection.
func (l *Lab) rejected(err error) error {
	if stop := l.stopped(); stop != nil {
		return stop
	}
	return Rejection{err}
}
