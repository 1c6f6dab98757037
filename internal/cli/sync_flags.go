package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"ptogo/lower/insertsync"
)

// syncFlags are the options by which ptoas is asked for synchronization. They
// stand for the passes that put it in, after those of the command line.
type syncFlags struct {
	insert, solver, buffers, barriers bool
	// implied says that C++ is written, which has to be synchronized although no
	// option asks for it.
	implied bool
	// refused is --enable-insert-sync=false.
	refused  bool
	eventIDs int
}

func (s *syncFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&s.insert, "enable-insert-sync", false, "take a program of any level to the device: give tiles buffers, scratch tiles and, unless with --pto-level=level3, addresses, and insert the flags and barriers that pipes need; --emit=cpp does so unless the option is =false")
	fs.BoolVar(&s.solver, "enable-graph-sync-solver", false, "the same as --enable-insert-sync")
	fs.IntVar(&s.eventIDs, "graph-sync-solver-event-id-max", 8, "use `N` events of each pair of pipes")
	fs.BoolVar(&s.buffers, "enable-bufid_sync", false, "the same with buffer tokens, on a5")
	fs.BoolVar(&s.barriers, "enable-inject-barrier-all-sync", false, "the same with a barrier of all pipes before every instruction")
}

// modes are the options given, with the mode of the pass that they mean.
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

// check reports a wrong combination of options.
func (s *syncFlags) check(pipeline string) error {
	names, _ := s.modes()
	switch {
	case len(names) > 1:
		return fmt.Errorf("--%s and --%s exclude each other", names[0], names[1])
	case len(names) > 0 && pipeline != "":
		return fmt.Errorf("--pass-pipeline and --%s exclude each other: write pto-insert-sync into the pipeline", names[0])
	case s.eventIDs < 1 || s.eventIDs > 8:
		return fmt.Errorf("--graph-sync-solver-event-id-max must be between 1 and 8, but is %d", s.eventIDs)
	}
	return nil
}

// steps are the passes that take a program to the device with synchronization,
// as far as steps lacks them.
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
