// This file searches for the fastest variant.

package advise

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Bench builds, predicts and verifies variants of one kernel.
type Bench interface {
	// Build builds a variant. An error that is a Rejection means that the tools do not
	// accept the variant.
	Build(v Variant) (*Built, error)
	// Predict predicts the time of a variant.
	Predict(b *Built) (*Time, error)
	// Verify executes a variant and compares it with the original kernel.
	Verify(b *Built) (*Proof, error)
}

// Built is a variant as a program.
type Built struct {
	Variant
	// Text is the program, and Kernel the launch: the name of its kernel, or two names
	// with a comma.
	Text, Kernel string
	// Extra are arguments that this program needs after those of the original, in the
	// syntax of pto-run --arg.
	Extra []string
	// prog is what the Bench needs for Predict and Verify.
	prog any
}

// Time is the predicted time of a launch.
type Time struct {
	// Micros is the time of the kernel in microseconds, and Total the time with the launch.
	Micros float64 `json:"kernel_us"`
	Total  float64 `json:"total_us"`
	// Places is the number of blocks that the chip executes at the same time.
	Places int `json:"places"`
	// Kind is the performance class of the kernel, and Error the expected relative error
	// of predictions for this class, or 0 if it is not known.
	Kind  string  `json:"kind"`
	Error float64 `json:"error,omitempty"`
}

// Proof is the result of verifying a variant.
type Proof struct {
	// Wrong is the reason why the variant must not replace the original, or "".
	Wrong string `json:"wrong,omitempty"`
	// Results describes how the results compare with those of the original: for all data,
	// or for the tried data.
	Results string `json:"results,omitempty"`
	// Equivalent reports that the results are equal for all data. Undecided is the reason
	// why this is not decided, or "".
	Equivalent bool   `json:"equivalent"`
	Undecided  string `json:"undecided,omitempty"`
	// Rounding describes the rounding errors, if the results are not the same bits. The
	// tolerance follows from the rounding errors of the program as written.
	Rounding string `json:"rounding,omitempty"`
	// Sync describes how the synchronization was verified. Proved reports that the static
	// proof covers it.
	Sync   string `json:"synchronization,omitempty"`
	Proved bool   `json:"proved"`
}

// Rejection is the error for a variant that the verifier, a pass or an execution does not
// accept. The search continues with other variants.
type Rejection struct{ Err error }

// Error implements error.
func (r Rejection) Error() string { return r.Err.Error() }

// ErrStopped is the error of a Bench whose run was interrupted or reached its time limit.
// The search then ends with the steps that it has kept so far.
var ErrStopped = errors.New("stopped")

// Options are the limits of a search.
type Options struct {
	// Tries is the maximum number of variants to predict.
	Tries int
	// Gain is the smallest reduction of the predicted time, as a share, for which a step
	// is kept.
	Gain float64
	// Tried, if not nil, is called after each prediction, with the number of predictions.
	Tried func(n int)
}

// The parameters of the search.
const (
	// DefaultTries is the default of Options.Tries.
	DefaultTries = 200
	// DefaultGain is the default of Options.Gain. A smaller reduction is not worth another
	// program.
	DefaultGain = 0.01
	// mostAhead is the number of steps that are not faster by themselves, but that the
	// search combines with a second step. mostSlower is their largest time, relative to
	// the time without them.
	mostAhead  = 3
	mostSlower = 1.25
	// same is the relative difference up to which two predicted times count as equal. Of
	// equal times, the search prefers the step that is first in the list.
	same = 0.002
)

// Kept is a step that the search has kept.
type Kept struct {
	Name   string
	Before *Time
	After  *Time
	Proof  *Proof
}

// Attempt is the last outcome of a step, or of a pair of steps, that was not kept.
type Attempt struct {
	Name, Group string
	// Ratio is the predicted time relative to the time without the step, or 0 if there is
	// no prediction.
	Ratio float64
	// Why is the reason why the step was not kept, or "" if it is not faster.
	Why string
}

// Result is the result of a search.
type Result struct {
	// Base is the program before all steps, and Before its predicted time.
	Base   *Built
	Before *Time
	// Original is the verification of the base against the kernel as written.
	Original *Proof
	// Kept are the kept steps in their order. Best is the program after all of them, and
	// After its predicted time.
	Kept  []Kept
	Best  *Built
	After *Time
	// Tried are the steps that were not kept, in the order of the list of steps.
	Tried []Attempt
	// Tries is the number of predictions.
	Tries int
	// Stopped reports that the search reached its time limit or was interrupted, and
	// Exhausted that it reached Options.Tries.
	Stopped, Exhausted bool
}

// search is the state of one search.
type search struct {
	bench Bench
	steps []Step
	o     Options
	r     *Result
	// last are the latest outcomes of single steps, by name.
	last map[string]Attempt
	// done are the outcomes of variants by key. texts are the times of programs by text
	// and number of blocks, because different passes can create the same program.
	done  map[string]*outcome
	texts map[string]*Time
}

// outcome is the outcome of trying a variant.
type outcome struct {
	step  Step
	built *Built
	time  *Time
	// why is the reason why the time is not known. wrong is the reason why verification failed.
	why, wrong string
}

// Search searches for a variant that is faster than base. base is the program before all
// steps, and before its predicted time. An error means that the base cannot be verified.
func Search(bench Bench, base *Built, before *Time, original *Proof, steps []Step, o Options) (*Result, error) {
	s := &search{bench: bench, steps: steps, o: o, last: map[string]Attempt{}, done: map[string]*outcome{}, texts: map[string]*Time{}}
	s.r = &Result{Base: base, Before: before, Original: original, Best: base, After: before}
	s.done[base.key()] = &outcome{built: base, time: before}
	s.texts[s.program(base)] = before
	for {
		kept, err := s.round()
		if errors.Is(err, ErrStopped) {
			s.r.Stopped = true
			break
		}
		if err != nil {
			return nil, err
		}
		if !kept {
			break
		}
	}
	s.list()
	return s.r, nil
}

// program returns a text that identifies the program and the launch of a variant.
func (s *search) program(b *Built) string {
	return Variant{Blocks: b.Blocks}.key() + "\n" + b.Text
}

// round tries every step on the best variant so far. It keeps the fastest step that
// passes verification. If no single step is faster, it tries pairs of steps. It returns
// false if it keeps nothing.
func (s *search) round() (kept bool, err error) {
	if s.r.Tries < s.o.Tries {
		clear(s.last) // its times are relative to the best variant of the last round
	}
	var list []*outcome
	for _, step := range s.steps {
		o, err := s.try(s.r.Best.Variant, step)
		if err != nil {
			return false, err
		}
		if o != nil {
			list = append(list, o)
		}
	}
	if kept, err := s.keep(list); kept || err != nil {
		return kept, err
	}
	wrong := map[string]bool{} // steps that fail by themselves
	for _, o := range list {
		wrong[o.step.Name] = o.wrong != "" || o.why != ""
	}
	var pairs []*outcome
	for _, first := range s.near(list) {
		for _, step := range s.steps {
			if step.Group == first.step.Group || wrong[step.Name] || step.Alone {
				continue
			}
			step.Name = first.step.Name + " + " + step.Name
			o, err := s.try(first.built.Variant, step)
			if err != nil {
				return false, err
			}
			if o != nil {
				pairs = append(pairs, o)
			}
		}
	}
	return s.keep(pairs)
}

// near returns the outcomes in list that change the program, and whose time is close to
// the best one although they are not faster. The fastest come first.
func (s *search) near(list []*outcome) []*outcome {
	var near []*outcome
	for _, o := range list {
		if o.time != nil && o.wrong == "" && !o.step.Alone && o.built.Text != s.r.Best.Text && o.time.Micros <= mostSlower*s.r.After.Micros {
			near = append(near, o)
		}
	}
	slices.SortStableFunc(near, func(a, b *outcome) int { return cmp.Compare(a.time.Micros, b.time.Micros) })
	return near[:min(len(near), mostAhead)]
}

// try builds and predicts the variant to which step changes v. It returns nil if the step
// does not apply, or if the search has tried all variants that it may try.
func (s *search) try(v Variant, step Step) (*outcome, error) {
	changed, ok := step.Change(v)
	if !ok || changed.key() == s.r.Best.key() {
		return nil, nil
	}
	if earlier := s.done[changed.key()]; earlier != nil {
		o := *earlier
		o.step = step
		s.note(&o)
		return &o, nil
	}
	if s.r.Tries >= s.o.Tries {
		s.r.Exhausted = true
		return nil, nil
	}
	o := &outcome{step: step}
	err := s.predict(o, changed)
	if err != nil {
		if errors.Is(err, ErrStopped) {
			return nil, err
		}
		if _, rejected := errors.AsType[Rejection](err); !rejected {
			return nil, err
		}
		o.why = firstLine(err.Error())
	}
	s.done[changed.key()] = o
	s.note(o)
	return o, nil
}

// note records the outcome of a step for the list of steps that were not kept.
func (s *search) note(o *outcome) {
	if !slices.ContainsFunc(s.steps, func(step Step) bool { return step.Name == o.step.Name }) {
		return // a pair of steps
	}
	a := Attempt{Name: o.step.Name, Group: o.step.Group, Why: cmp.Or(o.why, o.wrong)}
	if o.time != nil {
		a.Ratio = o.time.Micros / s.r.After.Micros
		if a.Why == "" && s.program(o.built) == s.program(s.r.Best) {
			a.Why = noChange
		}
	}
	s.last[o.step.Name] = a
}

// noChange is the reason why a step that leaves the program as it is was not kept.
const noChange = "changes nothing"

// predict builds the variant v and predicts its time.
func (s *search) predict(o *outcome, v Variant) (err error) {
	if o.built, err = s.bench.Build(v); err != nil {
		return err
	}
	program := s.program(o.built)
	if o.time = s.texts[program]; o.time != nil {
		return nil
	}
	s.r.Tries++
	if s.o.Tried != nil {
		s.o.Tried(s.r.Tries)
	}
	t, err := s.bench.Predict(o.built)
	if err != nil {
		return err
	}
	o.time, s.texts[program] = t, t
	return nil
}

// keep verifies the outcomes that are faster than the best variant, the fastest first. It
// keeps the first one that passes and returns true. It returns false if none passes.
func (s *search) keep(list []*outcome) (bool, error) {
	var faster []*outcome
	for _, o := range list {
		if o.time != nil && o.wrong == "" && o.time.Micros < s.r.After.Micros*(1-s.o.Gain) {
			faster = append(faster, o)
		}
	}
	for len(faster) > 0 {
		best := 0
		for i, o := range faster {
			if o.time.Micros < faster[best].time.Micros*(1-same) {
				best = i
			}
		}
		o := faster[best]
		proof, err := s.bench.Verify(o.built)
		if _, rejected := errors.AsType[Rejection](err); rejected {
			proof, err = &Proof{Wrong: firstLine(err.Error())}, nil
		}
		if err != nil {
			return false, err
		}
		if proof.Wrong == "" {
			s.r.Kept = append(s.r.Kept, Kept{o.step.Name, s.r.After, o.time, proof})
			s.r.Best, s.r.After = o.built, o.time
			return true, nil
		}
		o.wrong, s.done[o.built.key()].wrong = proof.Wrong, proof.Wrong
		s.note(o)
		faster = slices.Delete(faster, best, best+1)
	}
	return false, nil
}

// list fills the list of steps that were not kept. Of each group of steps that were not
// faster, it lists the best one.
func (s *search) list() {
	shown := map[string]int{}
	for _, step := range s.steps {
		a, ok := s.last[step.Name]
		if !ok {
			continue
		}
		i, listed := shown[a.Group]
		if !listed {
			shown[a.Group] = len(s.r.Tried)
			s.r.Tried = append(s.r.Tried, a)
			continue
		}
		if better(a, s.r.Tried[i]) {
			s.r.Tried[i] = a
		}
	}
}

// better reports whether the outcome a is more interesting than b: an outcome with a
// predicted time before one without, a change of the program before none, and then the
// smaller time.
func better(a, b Attempt) bool {
	rank := func(x Attempt) int {
		switch {
		case x.Ratio == 0:
			return 2
		case x.Why == noChange:
			return 1
		}
		return 0
	}
	if rank(a) != rank(b) {
		return rank(a) < rank(b)
	}
	return a.Ratio < b.Ratio
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
