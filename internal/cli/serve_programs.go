// This file caches the programs of a server.

package cli

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// mostPrograms is how many programs are kept ready, and mostTexts how many bytes their
// texts have together, unless the last one alone has more.
const (
	mostPrograms = 256
	mostTexts    = 16 << 20
)

// programCache keeps programs that were used last. Its zero value is empty.
type programCache struct {
	mu   sync.Mutex
	byID map[string]*list.Element // of *loaded
	used list.List                // the latest first
	text int                      // bytes of all texts
}

// mostPlans is for how many combinations of options plans are kept.
const mostPlans = 16

// loaded is a program that is ready to run.
type loaded struct {
	id   string
	name string // of its source
	text int    // bytes of its source
	prog *kernel.Program

	mu    sync.Mutex
	ran   bool
	plans map[string][]*readyPlan // by their options; those that do not run just now
}

// load returns the program of a text, the same one for the same text and options.
func (c *programCache) load(src *ir.Source, o kernel.Options) (*loaded, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %v %d %s", src.Name, o.Arch, o.Kernel, o.SoftLib, o.Arguments, src.Text))
	id := hex.EncodeToString(sum[:12])
	if l := c.get(id); l != nil {
		return l, nil
	}
	prog, err := kernel.Load(src, o)
	if err != nil {
		return nil, err
	}
	return c.add(&loaded{id: id, name: src.Name, text: len(src.Text), prog: prog}), nil
}

func (c *programCache) get(id string) *loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byID[id]
	if e == nil {
		return nil
	}
	c.used.MoveToFront(e)
	return e.Value.(*loaded)
}

// add keeps a program unless the cache already has it, and evicts the least recently
// used one.
func (c *programCache) add(l *loaded) *loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byID[l.id]; e != nil {
		return e.Value.(*loaded)
	}
	if c.byID == nil {
		c.byID = map[string]*list.Element{}
	}
	c.byID[l.id] = c.used.PushFront(l)
	c.text += l.text
	for c.used.Len() > mostPrograms || c.text > mostTexts && c.used.Len() > 1 {
		old := c.used.Remove(c.used.Back()).(*loaded)
		delete(c.byID, old.id)
		c.text -= old.text
	}
	return l
}

// readyPlan is a plan that is kept. What differs from run to run, it asks its
// present user for.
type readyPlan struct {
	key  string
	plan *kernel.Plan
	user runtime.Options
}

// take returns a plan for the given options that no other request is using; give
// returns it to the pool.
func (l *loaded) take(o runtime.Options) (*readyPlan, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := planKey(o)
	if free := l.plans[key]; len(free) > 0 {
		r := free[len(free)-1]
		l.plans[key] = free[:len(free)-1]
		r.user = o
		return r, nil
	}
	r := &readyPlan{key: key, user: o}
	o.Stop = func() string { return r.user.Stop() }
	o.Warn = func(f *runtime.Fault) { r.user.Warn(f) }
	o.Out = writerFunc(func(p []byte) (int, error) { return r.user.Out.Write(p) })
	var err error
	r.plan, err = l.prog.Plan(o)
	return r, err
}

// give returns a plan to the pool.
func (l *loaded) give(r *readyPlan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.user = runtime.Options{}
	if l.plans == nil || len(l.plans) == mostPlans {
		l.plans = map[string][]*readyPlan{}
	}
	l.plans[r.key] = append(l.plans[r.key], r)
}

// planKey is what plans must agree on: all options but those that readyPlan asks
// for.
func planKey(o runtime.Options) string {
	o.Stop, o.Warn, o.Out = nil, nil, nil
	return fmt.Sprintf("%+v", o)
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

var _ io.Writer = writerFunc(nil)

// firstRun reports whether the program runs for the first time, and what is
// certainly wrong with it has still to be said.
func (l *loaded) firstRun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := !l.ran
	l.ran = true
	return first
}

// launchLoaded launches a program with the plans that are kept of it.
func (t *runTool) launchLoaded(l *loaded, expect []comparison) int {
	t.loaded, t.path, t.quiet = l, l.name, !l.firstRun()
	return t.launch(l.prog, expect)
}

// plan plans kernels, or takes a plan that is kept. release is to be called when
// the run is over.
func (t *runTool) plan(prog *kernel.Program, o runtime.Options) (plan *kernel.Plan, release func(), err error) {
	if t.loaded == nil || len(o.Listeners) > 0 || o.Seed != 0 {
		release = func() {}
		if t.shared && len(o.Listeners) > 0 {
			o, release = listening.watch(o, t.maxMemory)
		}
		plan, err = prog.Plan(o)
		return plan, release, err
	}
	r, err := t.loaded.take(o)
	if err != nil {
		return nil, nil, err
	}
	return r.plan, func() { t.loaded.give(r) }, nil
}

// argSources returns the arguments of the launch.
func (t *runTool) argSources() []argSource {
	if t.given != nil {
		return t.given
	}
	sources := make([]argSource, len(t.flags.args))
	for i, a := range t.flags.args {
		sources[i] = textArg(a)
	}
	return sources
}
