package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"ptogo/kernel"
	"ptogo/runtime"
)

// observeFlags are the options of pto-run that look into a run.
type observeFlags struct {
	dump dumpFlags
	plot string
}

func (f *observeFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.plot, "expect-plot", "", "draw the errors of each --expect as a heat map into `FILE`, as SVG")
	f.dump.define(fs)
}

// option is the first option that is given and that only the Go engine can serve,
// or "".
func (f *observeFlags) option() string {
	switch {
	case len(f.dump.specs) > 0:
		return "--dump"
	}
	return ""
}

// check reports what is wrong with the options.
func (f *observeFlags) check(expects int) error {
	if f.plot != "" && expects == 0 {
		return errors.New("--expect-plot needs --expect, such as --expect y=want.npy")
	}
	return f.dump.check()
}

// observer looks at a run.
type observer interface {
	runtime.Listener
	// finish writes what it has seen, also of a run that has faulted.
	finish(t *runTool) error
}

// observers are what the options ask for.
func (t *runTool) observers(prog *kernel.Program) ([]observer, error) {
	return t.flags.observe.dump.observers(prog)
}

// executeObserved runs kernels with observers.
func (t *runTool) executeObserved(prog *kernel.Program, o runtime.Options, run func(o runtime.Options) int) int {
	list, err := t.observers(prog)
	if err != nil {
		return t.usage("%v", err)
	}
	for _, l := range list {
		o.Listeners = append(o.Listeners, l)
	}
	code := run(o)
	if code == exitDiag {
		return code
	}
	for _, l := range list {
		if err := l.finish(t); err != nil {
			return t.fail("%v", err)
		}
	}
	return code
}
