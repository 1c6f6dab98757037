// This file executes the best candidates and compares them with the reference.

package tune

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/equiv"
	"ptogo/runtime/numerics"
)

// Confirmation is the result of executing a candidate at the smallest problem size.
type Confirmation struct {
	*Prediction
	// Correct reports whether the results of the candidate are right. Results describes
	// how they compare with the results of the reference.
	Correct bool
	Results string
	// Equivalent is the verdict of the equivalence proof, which covers all input data. It
	// is "" if the search has no reference.
	Equivalent string
	// Clean reports whether the checkers found no error, and Checks describes what they
	// found.
	Clean  bool
	Checks string
}

// perturbedRuns is the number of additional runs of the reference program, with which
// tuning compares the candidates. In these runs, each result of an approximate function
// changes randomly within its documented error. The differences between the runs
// determine the tolerance for float results.
const perturbedRuns = 4

// mostExpressions limits the number of expressions, and so the memory, of a proof of
// equivalence.
const mostExpressions = 1 << 24

// reference is the program with which candidates are compared, together with its results.
type reference struct {
	prog *program
	// args are the arguments before the run, and results are the arguments after it.
	args, results []runtime.Arg
	elems         []ir.Type
	names         []string
	// tolerances has an entry for each argument whose float results are inexact. The key
	// is the index of the argument.
	tolerances map[int]*numerics.Tolerance
}

// Confirm executes the best candidates that the search r has found, and compares their
// results with those of the reference. It stores the outcomes in r.Confirmed, and returns
// an error if a program cannot be executed.
func Confirm(r *Result, o Options) error {
	ref, err := r.Space.reference(o)
	if err != nil {
		return err
	}
	for _, p := range r.Best[:min(len(r.Best), r.Space.Best)] {
		c, err := r.Space.confirm(p, ref, o)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Params.key(), err)
		}
		r.Confirmed = append(r.Confirmed, c)
	}
	return nil
}

// reference executes the reference program and derives tolerances for its float results.
// It returns nil if the search has no reference (baseline) to compare with.
func (s *Space) reference(o Options) (*reference, error) {
	if s.Baseline == nil {
		return nil, nil
	}
	prog, err := s.loadReference()
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	ref := &reference{prog: prog, tolerances: map[int]*numerics.Tolerance{}}
	list, err := prog.arguments(false, o.Read)
	if err != nil {
		return nil, err
	}
	for i, p := range prog.Params() {
		ref.args = append(ref.args, list[i].Value)
		var elem ir.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		ref.elems, ref.names = append(ref.elems, elem), append(ref.names, "%"+p.Name)
	}
	ref.results = runtime.CloneArgs(ref.args)
	report, err := numerics.Run(numericsKernel(prog.Program), numerics.Options{
		Run: runtime.Options{Blocks: prog.blocks, Stop: o.Stop}, Args: ref.results, Names: ref.names, Elems: ref.elems, Perturb: perturbedRuns, Seed: s.Seed,
	})
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	for _, t := range report.Tolerances {
		ref.tolerances[t.Argument.Arg] = t
	}
	return ref, nil
}

// numericsKernel returns the program p in the form that numerics.Run accepts.
func numericsKernel(p *kernel.Program) numerics.Kernel {
	return numerics.Kernel{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features}
}

// loadReference loads the baseline for the smallest problem size. The baseline is the
// program with whose results and time the search compares the candidates. Usually it is
// one of the candidates. The file that describes the search can instead name another
// program file, such as a kernel written by hand.
func (s *Space) loadReference() (*program, error) {
	index := slices.IndexFunc(s.Candidates, s.isBaseline)
	if len(s.Texts) > 0 && index < 0 && s.Reference == "" {
		return nil, fmt.Errorf("the baseline %s must be one of the candidates", s.Baseline.key())
	}
	return s.load(index, s.Baseline, 0)
}

// confirm executes the candidate p at the smallest problem size with all checkers. It
// compares the results with those of the reference ref, which may be nil.
func (s *Space) confirm(p *Prediction, ref *reference, o Options) (*Confirmation, error) {
	prog, err := s.load(p.index, p.Params, 0)
	if err != nil {
		return nil, err
	}
	list, err := prog.arguments(false, o.Read)
	if err != nil {
		return nil, err
	}
	c := &Confirmation{Prediction: p}
	args := valuesOf(list)
	start := runtime.CloneArgs(args)
	checker, err := check.New(check.Options{Kinds: check.Usual})
	if err != nil {
		return nil, err
	}
	run := func(args []runtime.Arg, r *check.Run) error {
		opts := runtime.Options{Blocks: prog.blocks, Stop: o.Stop}
		r.Apply(&opts)
		plan, err := prog.Plan(opts)
		if err != nil {
			return err
		}
		values := make([]any, len(args))
		for i := range args {
			values[i] = args[i]
		}
		return plan.Run(values...)
	}
	if err := run(args, &check.Run{Listener: checker}); err != nil {
		if f, ok := errors.AsType[*runtime.Fault](err); ok && !f.Stopped {
			c.Results = "fault: " + firstLine(err)
			return c, nil
		}
		return nil, err
	}
	checker.Confirm(func(r *check.Run) error { return run(runtime.CloneArgs(start), r) })
	reports := checker.Reports()
	c.Clean, c.Checks = !check.Fails(reports), check.Summary(reports)
	if ref == nil {
		c.Correct, c.Results = true, "not compared: the description has no baseline"
		return c, nil
	}
	c.Correct, c.Results = ref.compare(args)
	c.Equivalent, err = ref.equivalent(prog, o)
	return c, err
}

// valuesOf returns the values of the arguments in the form that a launch accepts.
func valuesOf(list []*data.Arg) []runtime.Arg {
	var args []runtime.Arg
	for _, a := range list {
		args = append(args, a.Value)
	}
	return args
}

// compare compares the results of a candidate with those of the reference. A float must
// be close to the result of the reference in float64, within the tolerance derived for
// its argument. All other results must be equal bit by bit. The result ok is true if all
// results satisfy these conditions, and the result text describes the outcome.
func (ref *reference) compare(args []runtime.Arg) (ok bool, text string) {
	worst := 0.0
	for i, a := range args {
		if a.Buf == nil {
			continue
		}
		t := ref.tolerances[i]
		if t == nil {
			if !bytes.Equal(a.Buf.Data, ref.results[i].Buf.Data) {
				return false, fmt.Sprintf("%s differs from the reference", ref.names[i])
			}
			continue
		}
		f, size := t.Argument.Format, t.Argument.Format.Bytes()
		got := make([]float64, len(a.Buf.Data)/size)
		for k := range got {
			got[k] = num.Decode(f, num.Load(f, a.Buf.Data[k*size:]))
			if want := t.Argument.Shadow[k]; math.IsNaN(got[k]) != math.IsNaN(want) || math.IsInf(got[k]-want, 0) {
				return false, fmt.Sprintf("element %d of %s is %v, expected %v", k, ref.names[i], got[k], want)
			}
		}
		worst = max(worst, t.Ratio(got, t.Argument.Shadow))
	}
	switch {
	case worst > 1:
		return false, fmt.Sprintf("errors up to %.2g times the tolerance", worst)
	case worst > 0:
		return true, fmt.Sprintf("errors up to %.2f of the tolerance", worst)
	}
	return true, "equal"
}

// equivalent tries to prove that the candidate prog and the reference compute equal
// results for all input data. It returns the verdict as text.
func (ref *reference) equivalent(prog *program, o Options) (string, error) {
	side := func(p *program) equiv.Side {
		return equiv.Side{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features, Blocks: p.blocks}
	}
	v, err := equiv.Compare(side(ref.prog), side(prog), equiv.Options{
		Run: runtime.Options{Stop: o.Stop}, Args: runtime.CloneArgs(ref.args), Names: ref.names, Elems: ref.elems, MostExpressions: mostExpressions, Trials: 1,
	})
	if err != nil {
		return "", err
	}
	switch v.Outcome {
	case equiv.Equivalent:
		return "equivalent", nil
	case equiv.Differs:
		return "other rounding", nil
	}
	return "not decided, because " + v.Why, nil
}
