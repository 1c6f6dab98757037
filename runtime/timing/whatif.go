// This file predicts the effect of changes to the chip or the program.

package timing

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/pto/sem"
)

// WhatIf is a what-if prediction: a change of the chip or of the program, and the
// predicted time of the kernel after the change.
type WhatIf struct {
	Change string `json:"what"`
	// By is a text that describes how to achieve the change.
	By     string  `json:"by,omitempty"`
	Micros float64 `json:"kernel_us"`
	// Gain is the relative change of the time of the kernel: -0.1 means 10 % less.
	Gain float64 `json:"change"`
}

// LargerCopies is the name of a what-if change: the kernel uses larger tiles, so that
// each copy transfers at least 16 KiB and the constant overhead per tile decreases.
const LargerCopies = "copies of 16 KiB"

// usualChanges lists changes of the chip or of the program, such as faster global memory.
// Every report predicts the time after each of these changes, if the change affects the
// recorded launch.
var usualChanges = []struct {
	name, by string
	changes  []string
	opt      Options
	matter   func(r *Recorder) bool
}{
	{"global memory 10 % faster", anotherChip, []string{"gm.hit*1.1", "gm.miss*1.1", "bw.GM_L1*1.1", "bw.GM_UB*1.1"}, Options{}, always},
	{"flags and barriers free", "no pass; it bounds what fewer of them can give", nil, Options{FreeSync: true}, always},
	{"all copies aligned", "the program, with rows that begin at multiples of 512 bytes", []string{"gm.unaligned=1"}, Options{}, (*Recorder).unaligned},
	{"inputs in L2", "a launch before that touches them, as --timing-warm assumes", nil, Options{Warm: true}, always},
	{"cube head 0", anotherChip, []string{"cube.head=0"}, Options{}, uses(sem.PipeM)},
	{"vector unit 10 % faster", anotherChip, []string{"vec.**0.9"}, Options{}, uses(sem.PipeV)},
}

// anotherChip is a text in reports about what-if changes. For each change, a report
// states how the user can achieve it. This text means that only another chip has the
// changed property; changes of the program have no influence on it.
const anotherChip = "another chip"

// Offer is a change of the program that a compiler pass can make. The caller has checked
// that the pass accepts the program.
type Offer struct {
	Change, By string
	Options    Options
}

// always returns true for every recording. It is the condition of what-if changes that
// affect all kernels.
func always(*Recorder) bool { return true }

// uses returns a condition on a recording: a function that reports whether the recording
// contains instructions on pipe p. A report shows the predicted effect of a change of
// pipe p only if this condition is true.
func uses(p sem.Pipe) func(r *Recorder) bool {
	return func(r *Recorder) bool {
		return slices.ContainsFunc(r.works, func(w work) bool { return w.pipe == p })
	}
}

// unaligned reports whether the recording contains copies with ranges that do not start
// at multiples of 512 bytes.
func (r *Recorder) unaligned() bool {
	return slices.ContainsFunc(r.moves, func(m move) bool { return r.alignment(&m) < bestAlign })
}

// leastGain is the smallest relative change of the kernel's time for which a report shows
// a what-if prediction.
const leastGain = 0.0005

// WhatIfs predicts the time of the recorded launch with each of several changes. A change
// has the syntax of Chip.With, and + combines several changes into one. WhatIfs returns
// an error for a malformed change.
//
// If the parameter changes is empty, WhatIfs uses two other lists. One is usualChanges,
// with changes such as faster global memory. The other is the parameter offers, changes
// that compiler passes can make. From these two lists, it omits changes without an
// effect.
func WhatIfs(r *Recorder, base *Result, o Options, changes []string, offers ...Offer) ([]WhatIf, error) {
	var runs []whatIfRun
	for _, change := range changes {
		c, err := base.Chip.With(strings.Split(change, "+")...)
		if err != nil {
			return nil, err
		}
		runs = append(runs, whatIfRun{change, "", c, o})
	}
	if len(changes) > 0 {
		return predictRuns(r, base, runs)
	}
	if part := r.copyPart(); part < 0.5 {
		runs = append(runs, whatIfRun{LargerCopies, "the program, with larger tiles", base.Chip.largerCopies(part), o})
	}
	for _, u := range usualChanges {
		c, err := base.Chip.With(u.changes...)
		if err != nil || !u.matter(r) {
			continue // another profile has no such constant
		}
		opt := o
		opt.FreeSync, opt.Warm = o.FreeSync || u.opt.FreeSync, o.Warm || u.opt.Warm
		runs = append(runs, whatIfRun{u.name, u.by, c, opt})
	}
	for _, f := range offers {
		f.Options.Warm = o.Warm
		runs = append(runs, whatIfRun{f.Change, f.By, base.Chip, f.Options})
	}
	list, err := predictRuns(r, base, runs)
	return slices.DeleteFunc(list, func(w WhatIf) bool { return math.Abs(w.Gain) < leastGain }), err
}

// goodCopy is the recommended minimum size of a copy in bytes (CANN best practices
// 10_0013).
const goodCopy = 16 << 10

// copyPart returns the average size of the recorded copies as a fraction of goodCopy, the
// recommended minimum size of a copy. It returns 1 if the copies are larger than this
// size, or if the recording contains only a few copies.
func (r *Recorder) copyPart() float64 {
	bytes := r.copyBytes()
	if len(r.moves) < 16*r.launch.Blocks || bytes >= goodCopy {
		return 1
	}
	return bytes / goodCopy
}

// copyBytes returns the average size in bytes of the recorded copies.
func (r *Recorder) copyBytes() float64 {
	var bytes int64
	for i := range r.moves {
		bytes += r.moves[i].bytes
	}
	return share(float64(bytes), float64(len(r.moves)))
}

// largerCopies returns a copy of chip c that serves to predict the time of a program with
// fewer and larger tiles. Such a program has less constant overhead in total, because the
// overhead occurs once per tile. The copy therefore has smaller constants for this
// overhead, all multiplied by the parameter part.
func (c *Chip) largerCopies(part float64) *Chip {
	d := &Chip{Name: c.Name, Profile: c.Profile, values: maps.Clone(c.values)}
	for key, k := range d.values {
		switch {
		case strings.HasPrefix(key, "gm.latency"), strings.HasPrefix(key, "sync."), key == "issue", key == "scalar.op", key == "barrier.V":
			k.Value *= part
		case k.isThreefold:
			k.Head, k.Tail = k.Head*part, k.Tail*part
		default:
			continue
		}
		d.values[key] = k
	}
	return d
}

// whatIfRun describes one what-if prediction: a replay with a changed chip or changed
// options.
type whatIfRun struct {
	name, by string
	chip     *Chip
	opt      Options
}

// predictRuns replays the recording once for each change in the parameter runs, in
// parallel. It returns one what-if prediction per change. base is the prediction without
// changes.
func predictRuns(r *Recorder, base *Result, runs []whatIfRun) ([]WhatIf, error) {
	list, free := make([]WhatIf, len(runs)), make(chan struct{}, min(runtime.GOMAXPROCS(0), mostReplays))
	var wg sync.WaitGroup
	errs := make([]error, len(runs))
	for i, run := range runs {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			res, err := Replay(r, run.chip, run.opt)
			if errs[i] = err; err == nil {
				list[i] = WhatIf{run.name, run.by, res.Micros, share(res.Micros-base.Micros, base.Micros)}
			}
		})
	}
	wg.Wait()
	return list, errors.Join(errs...)
}

// mostReplays limits the number of parallel replays, because each needs much memory.
const mostReplays = 4

// WhatIfText returns the section of the report that lists the what-if predictions. what names
// the predicted work, for example "kernel".
func WhatIfText(what string, list []WhatIf) string {
	var b strings.Builder
	if len(list) > 0 {
		b.WriteString("what if:\n")
	}
	for _, w := range list {
		fmt.Fprintf(&b, "  %-28s %+6.1f %%  (%s %s)", w.Change, 100*w.Gain, what, micros(w.Micros))
		if w.By != "" {
			b.WriteString("  by: " + w.By)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Constants returns a text that lists the constants which a change can modify, with
// value, reliability class and source.
func (c *Chip) Constants() string {
	var b strings.Builder
	for _, key := range c.Keys() {
		k := c.values[key]
		value := fmt.Sprintf("%g", k.Value)
		if k.Head != 0 || k.Tail != 0 {
			value = fmt.Sprintf("%g + %g per repeat + %g", k.Head, k.Value, k.Tail)
		}
		fmt.Fprintf(&b, "%-16s %-28s %-12s %s\n", key, strings.TrimSpace(value+" "+k.Unit), k.Class, k.Source)
	}
	return b.String()
}
