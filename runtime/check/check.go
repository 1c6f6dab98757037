// Package check finds mistakes that do not stop a kernel: races; missing, misused or
// redundant synchronization; reads of uninitialized memory; accesses to memory that
// kernels should not use; and operands that the device library treats differently. A [Checker] is a listener of the runtime, [Options] selects the
// checks, and a [Report] describes one mistake.
//
//	check.go      Options and Checker; start reading here
//	report.go     the reports of a checker
//	coverage.go   what was checked, and what was not
//	machine.go    signals and barriers: what is complete when an instruction starts
//	race.go       accesses against earlier ones to the same memory
//	pair.go       the vector cores of a block that execute the same code
//	shadow.go     the record of earlier accesses for each byte
//	sites.go      operations, and the data flow in registers between them
//	hazard.go     reports on races
//	explain.go    which synchronization was there, and which is missing
//	items.go      races between SIMT work items of one launch
//	word.go       signals through memory
//	ranks.go      reports on accesses of two ranks
//	announce.go   stores that may complete after the signal that announces them
//	sync.go       misuse of flags, buffers, signals and queues
//	init.go       uninitialized reads, as far as they matter
//	contested.go  operands on which public sources disagree
//	confirm.go    runs with other memory contents, which show what matters
//	device.go     operands that the device library treats differently
//	outputs.go    results that are overwritten or never written
//	memory.go     memory that is out of bounds or overlaps
//	redundant.go  synchronization that orders nothing new
//	suppress.go   reports that a user suppresses
//
// The runtime sends events in one of many possible orders. Whether two accesses race
// does not depend on that order as long as the kernel takes the same branches. It only
// depends on which signals connect which instructions (package order).
package check

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Kind is the name of a checker, such as "race". The command-line option --check selects
// checkers by these names.
type Kind string

// These are the names of the checkers. Each checker finds one class of mistakes.
const (
	// Race finds pairs of accesses to the same memory that no synchronization orders.
	Race Kind = "race"
	// Sync finds misused flags, barriers and buffer tokens, such as a flag that is still
	// set when the kernel ends.
	Sync Kind = "sync"
	// Init finds results that depend on uninitialized memory.
	Init Kind = "init"
	// Mem finds accesses to memory that kernels should not use, and allocations that
	// overlap.
	Mem Kind = "mem"
	// Device finds operands on which the device library (the NPU headers) computes
	// something else, such as a view with an inner stride.
	Device Kind = "device"
	// Output finds stores that overwrite results, elements of results that no instruction
	// writes, and kernels that store nothing.
	Output Kind = "output"
	// Redundant finds synchronization that can be removed without introducing a race. It
	// executes the launch several more times.
	Redundant Kind = "redundant"
)

// Usual are the checkers that need one execution of the launch (--check=all).
var Usual = []Kind{Race, Sync, Init, Mem, Device, Output}

// Kinds returns the names of all checkers.
func Kinds() []Kind { return append(slices.Clone(Usual), Redundant) }

// Options selects the checkers to run, and the disputed hardware guarantees on which they
// rely.
type Options struct {
	// Kinds are the checkers to run.
	Kinds []Kind
	// Strict ignores hardware guarantees that public sources dispute, and turns warnings
	// into errors.
	Strict bool
	// Assume lists disputed hardware guarantees that the checkers rely on
	// (order.Assumptions).
	Assume []string
	// Suppress selects reports to omit; nil omits none.
	Suppress *Suppressions
	// IgnoreComments disables the comments (pto-check: allow) with which a program
	// suppresses reports about itself.
	IgnoreComments bool
	// Certain limits the reports to mistakes that are certain without further analysis by
	// a person.
	Certain bool
}

// Checker is a listener that receives the events of one or more consecutive launches and
// collects reports about mistakes. Reports returns the result.
type Checker struct {
	opts  Options
	rules *order.Rules
	// launch is the current launch, or the last one.
	launch *runtime.Launch
	sites  *sites
	// main tracks the order of all events of the launch. It calls the method hazard for
	// every race.
	main    *machine
	reports []*Report
	// hazards and found are the reports so far, by the mistake that they describe. Later
	// occurrences of a mistake only increase the count of its report.
	hazards map[hazardKey]*Report
	// declares records what tasks with declared arguments have written.
	declares declaredState
	// edges is the number of reports about missing edges between tasks.
	edges int
	found map[findingKey]*Report
	// past is the recent synchronization of each core. Explanations in reports use it.
	past []history
	// flags is the number of flag, barrier and buffer events so far. A kernel without any
	// of them gets one summarized report.
	flags int
	// guards records the use of buffer tokens by each core.
	guards map[int32]*guards
	// stores is the last store to global memory of each pipe of each core.
	stores [][order.NumLines]store
	// items are the accesses of the current SIMT launch of each core.
	items map[int]*itemScope
	// units are the sets of synchronization that may be redundant. It is nil unless the
	// checker Redundant is enabled.
	units *units
	// uses records how the ranks use each word of memory that carries signals.
	uses map[wordKey]*wordUse
	// works is the type of core for which each kernel contains instructions.
	works   map[*ir.Op]sem.Unit
	faulted bool
	seen    coverage
}

// New returns a checker with the given options. The field Assume of the options lists
// assumptions about the order of instructions in pipes. New returns an error if one of
// these names is unknown.
func New(o Options) (*Checker, error) {
	c := &Checker{opts: o, sites: newSites(), hazards: map[hazardKey]*Report{}, found: map[findingKey]*Report{}, works: map[*ir.Op]sem.Unit{}}
	r := order.RulesOf(sem.A5)
	for _, a := range o.Assume {
		if err := r.Assume(a); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// wants reports whether the checker k, for example Race, is enabled in the options.
func (c *Checker) wants(k Kind) bool { return slices.Contains(c.opts.Kinds, k) }

// Begin prepares the checker for launch l. It implements runtime.Listener.
func (c *Checker) Begin(l *runtime.Launch) {
	c.launch, c.rules = l, order.RulesOf(l.Target)
	if c.opts.Strict {
		c.rules.SetStrict()
	}
	for _, a := range c.opts.Assume {
		_ = c.rules.Assume(a) // New has tried them
	}
	c.main = newMachine(l, c.rules, c.sites)
	c.main.racy, c.main.seen = c.hazard, &c.seen
	if !c.wants(Race) {
		c.main.racy = func(*hazard) {}
	}
	if c.wants(Init) {
		c.main.init = newInitState(c)
	}
	c.past = make([]history, len(l.Cores))
	c.guards = map[int32]*guards{}
	c.stores = make([][order.NumLines]store, len(l.Cores))
	c.items = map[int]*itemScope{}
	c.units = newUnits()
	c.uses = map[wordKey]*wordUse{}
	if c.wants(Output) {
		c.main.outputs = newOutputState(c, l)
	}
	if c.wants(Mem) {
		c.main.mem = &memState{c: c, extent: map[rootKey]byteRange{}}
	}
}

// Event checks event e against the events that the launch has sent so far. It implements
// runtime.Listener.
func (c *Checker) Event(e *runtime.Event) {
	s := c.sites.site(e.Op)
	if e.Kind == runtime.Instruction {
		c.seen.looked(e)
		c.sites.link(s)
		second := c.main.cores[e.Core.Number].second()
		if c.wants(Mem) && !second {
			c.bounds(e, s)
		}
		if c.wants(Init) && !c.opts.Certain && !second {
			c.contested(e, s)
		}
		if c.wants(Device) && !second {
			c.device(e, s)
		}
		c.main.event(e, s)
		c.stored(e, s)
		if c.wants(Race) {
			c.declared(e, s)
		}
		if c.wants(Race) && c.main.cores[e.Core.Number].lanes && !second {
			c.itemAccesses(e, s)
		}
		if c.wants(Sync) {
			c.held(e, s)
		}
	} else {
		if e.Kind == runtime.Notify && c.wants(Race) {
			c.announced(e, s)
		}
		if e.Kind == runtime.Notify || e.Kind == runtime.Await {
			c.balance(e, s)
			c.signalled(e)
		}
		if e.Kind == runtime.KernelEnd && c.wants(Sync) {
			c.stillCopying(e)
		}
		c.before(e, s)
		c.main.event(e, s)
		c.after(e, s)
	}
}

// End runs the checks for the end of a launch, such as flags that are still set. The
// parameter f is the fault that ended the launch, or nil. It implements runtime.Listener.
func (c *Checker) End(f *runtime.Fault) {
	c.faulted = f != nil
	if f == nil && c.wants(Sync) {
		c.leftOver()
		c.unbalanced()
	}
	if f == nil && c.main.outputs != nil {
		c.main.outputs.end()
	}
	if f == nil && c.wants(Redundant) && c.launch.Ranks > 1 {
		c.needlessAtomics()
	}
}

// Reports returns all findings (errors, warnings and remarks), sorted by their position
// in the source. In a kernel without any synchronization, flags would remove many of the
// races. For such a kernel, one report replaces the reports about all these races.
func (c *Checker) Reports() []*Report {
	rs := c.summarize(c.reports)
	rs = slices.DeleteFunc(rs, func(r *Report) bool { return c.opts.Suppress.has(r, !c.opts.IgnoreComments) })
	if c.opts.Strict {
		for _, r := range rs {
			if r.Severity == ir.Warning {
				r.Severity = ir.Error
			}
		}
	}
	slices.SortStableFunc(rs, func(a, b *Report) int { return a.Loc.Compare(b.Loc) })
	return rs
}

// summarize returns the reports rs, with one change: if the kernel has no synchronization
// at all, one report replaces all reports about races that flags between pipes would
// remove.
func (c *Checker) summarize(rs []*Report) []*Report {
	n, first := 0, (*Report)(nil)
	pipes := map[string]bool{}
	var rest []*Report
	for _, r := range rs {
		if !r.simple || c.flags > 0 {
			rest = append(rest, r)
			continue
		}
		if n++; first == nil {
			first = r
		}
		pipes[r.pipes[0]], pipes[r.pipes[1]] = true, true
	}
	if first == nil {
		return rest
	}
	k := c.launch.Cores[0].Kernel
	all := &Report{Check: Race, Severity: ir.Error, Class: "none", Loc: k.Loc()}
	all.Text = fmt.Sprintf("no flags at all in kernel @%s: %s between %s", fn.Name(k), ir.Count(n, "hazard"), ir.Count(len(pipes), "pipe"))
	all.note(first.Loc, "the first one: %s", first.Text)
	all.note(ir.Loc{}, "pto-opt --enable-insert-sync inserts them into a program of any level")
	return append([]*Report{all}, rest...)
}

// Each returns one report for each finding. Unlike Reports, it does not combine the
// findings about a kernel without flags into a summary.
func (c *Checker) Each() []*Report { return c.reports }

// Target returns the target of the last launch.
func (c *Checker) Target() ir.Target { return c.launch.Target }
