// This file defines the synchronization options of ptoas.

package opt

import (
	"fmt"

	"github.com/spf13/pflag"

	"ptogo/lower/insertsync"
)

// syncFlags are the options of ptoas that request the insertion of synchronization. For
// each option, the command appends passes, which insert the synchronization, to the list
// of passes that it executes.
type syncFlags struct {
	// insert and solver request flags and barriers, buffers requests buffer tokens
	// instead of flags where possible, and barriers requests a barrier of all pipes
	// before every instruction.
	insert, solver, buffers, barriers bool
	// implied reports that C++ is written, which needs synchronization even if the user
	// requests no option for it.
	implied bool
	// refused reports that the user gave --enable-insert-sync=false.
	refused bool
	// eventIDs is the maximum number of event IDs for each pair of pipes.
	eventIDs int
}

// define declares in fs the command-line options that insert synchronization.
func (s *syncFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&s.insert, "enable-insert-sync", false, "prepare a program of any level for the device. This allocates buffers and scratch tiles, assigns addresses (not with --pto-level=level3), and inserts flags and barriers. --emit=cpp implies this option; --enable-insert-sync=false disables it")
	fs.BoolVar(&s.solver, "enable-graph-sync-solver", false, "do the same as --enable-insert-sync, for command lines of ptoas")
	fs.IntVar(&s.eventIDs, "graph-sync-solver-event-id-max", 8, "let inserted flags use at most `N` event IDs, 1 to 8, for each pair of pipes")
	fs.BoolVar(&s.buffers, "enable-bufid_sync", false, "like --enable-insert-sync, but insert buffer tokens (pto.get_buf, pto.rls_buf) instead of flags where possible; only for a5")
	fs.BoolVar(&s.barriers, "enable-inject-barrier-all-sync", false, "like --enable-insert-sync, but insert a barrier of all pipes before every instruction")
}

// modes returns the names of the options that select a mode of pass pto-insert-sync and
// that the user has given. The result mode is the mode of the last one, or "" if the user
// has given none.
func (s *syncFlags) modes() (names []string, mode string) {
	for _, f := range []struct {
		given      bool
		name, mode string
	}{
		{s.insert, "enable-insert-sync", "flags"}, {s.solver, "enable-graph-sync-solver", "flags"},
		{s.buffers, "enable-bufid_sync", "buffers"}, {s.barriers, "enable-inject-barrier-all-sync", "barrier-all"},
	} {
		if f.given {
			names, mode = append(names, f.name), f.mode
		}
	}
	return names, mode
}

// check returns an error if the options about synchronization contradict each other or
// the pipeline. The parameter pipeline is the value of --pass-pipeline.
func (s *syncFlags) check(pipeline string) error {
	names, _ := s.modes()
	switch {
	case len(names) > 1:
		return fmt.Errorf("--%s and --%s cannot be used together", names[0], names[1])
	case len(names) > 0 && pipeline != "":
		return fmt.Errorf("--pass-pipeline and --%s cannot be used together: write pto-insert-sync into the pipeline", names[0])
	case s.eventIDs < 1 || s.eventIDs > 8:
		return fmt.Errorf("--graph-sync-solver-event-id-max must be between 1 and 8, but is %d", s.eventIDs)
	}
	return nil
}

// steps adds passes to the pipeline in the parameter steps, and returns the longer
// pipeline. The last added pass inserts synchronization. Before it, steps adds those
// passes that prepare a program for the device, if the pipeline does not contain them
// yet. The parameter level is the value of --pto-level. If the options do not request
// synchronization, the result is the parameter unchanged.
func (s *syncFlags) steps(steps []passStep, level string) []passStep {
	names, mode := s.modes()
	asked := "--emit=cpp"
	if names != nil {
		asked = "--" + names[0]
	} else if mode = "flags"; !s.implied || hasStep(steps, insertsync.Pass) {
		return steps
	}
	steps = deviceSteps(steps, level, asked)
	return append(steps, passStep{insertsync.Pass, fmt.Sprintf("mode=%s event-ids=%d", mode, s.eventIDs), asked})
}
