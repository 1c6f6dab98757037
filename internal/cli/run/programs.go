// This file caches the programs of a server.

package run

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"ptogo/internal/cli/files"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Limits of the program cache: the maximum number of programs, and the maximum size of
// all their texts in bytes. A program whose own text exceeds the second limit is still
// cached, but alone.
const (
	mostPrograms = 256
	mostTexts    = 16 << 20
)

// Programs caches the most recently used programs, so that repeated requests need
// not parse them. Its zero value is empty.
type Programs struct {
	mu   sync.Mutex
	byID map[string]*list.Element // of *loaded
	// used is the list of *loaded values, most recently used first.
	used list.List
	// text is the size of all texts in bytes.
	text int
}

// mostPlans is the maximum number of option combinations for which a program caches
// plans (kernels prepared for execution).
const mostPlans = 16

// Loaded is a parsed program with its cached plans (kernels prepared for execution).
type Loaded struct {
	ID string
	// name is the name of the program's source.
	name string
	// text is the size of the source in bytes.
	text    int
	Program *kernel.Program

	mu sync.Mutex
	// ran means that the program has been executed.
	ran bool
	// plans are the cached plans (kernels prepared for execution) that are not in use,
	// by their options.
	plans map[string][]*readyPlan
}

// Load returns the loaded program for a source and options. For equal inputs, it
// returns the cached program.
func (c *Programs) Load(src *ir.Source, o kernel.Options) (*Loaded, error) {
	id := programID(src, o)
	if l := c.Get(id); l != nil {
		return l, nil
	}
	prog, err := loadOrRepair(src, o)
	if err != nil {
		return nil, err
	}
	return c.add(&Loaded{ID: id, name: src.Name, text: len(src.Text), Program: prog}), nil
}

// programID returns the key of a program in the cache. Programs with equal keys are equal.
func programID(src *ir.Source, o kernel.Options) string {
	h := sha256.New()
	if o.Original != nil {
		fmt.Fprintf(h, "%q %q ", o.Original.Name, o.Original.Text)
		o.Original = nil
	}
	fmt.Fprintf(h, "%q %+v %s", src.Name, o, src.Text)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Get returns the cached program with the given id, or nil.
func (c *Programs) Get(id string) *Loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byID[id]
	if e == nil {
		return nil
	}
	c.used.MoveToFront(e)
	return e.Value.(*Loaded)
}

// add caches a program. While the cache has too many programs or their texts are too
// large together, add evicts the least recently used program. If another request has
// already cached the program, add returns the cached one.
func (c *Programs) add(l *Loaded) *Loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byID[l.ID]; e != nil {
		return e.Value.(*Loaded)
	}
	if c.byID == nil {
		c.byID = map[string]*list.Element{}
	}
	c.byID[l.ID] = c.used.PushFront(l)
	c.text += l.text
	for c.used.Len() > mostPrograms || c.text > mostTexts && c.used.Len() > 1 {
		old := c.used.Remove(c.used.Back()).(*Loaded)
		delete(c.byID, old.ID)
		c.text -= old.text
	}
	return l
}

// readyPlan is a cached plan (a kernel prepared for execution). Its output, warnings
// and cancellation belong to the request that currently uses it.
type readyPlan struct {
	// key identifies the options of the plan, as planKey returns them.
	key  string
	plan *kernel.Plan
	// user are the options of the request that currently uses the plan.
	user runtime.Options
}

// take returns a plan for the given options. A plan is a kernel prepared for execution.
// The caller has exclusive use of the plan: take returns a plan that no request uses, or
// builds a new one.
func (l *Loaded) take(o runtime.Options) (*readyPlan, error) {
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
	o.Out = files.WriterFunc(func(p []byte) (int, error) { return r.user.Out.Write(p) })
	var err error
	r.plan, err = l.Program.Plan(o)
	return r, err
}

// give returns the plan r to the cache after a run, so that later requests can use it.
func (l *Loaded) give(r *readyPlan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.user = runtime.Options{}
	if l.plans == nil || len(l.plans) == mostPlans {
		l.plans = map[string][]*readyPlan{}
	}
	l.plans[r.key] = append(l.plans[r.key], r)
}

// planKey returns a key for the options of a run. The server caches plans (kernels
// prepared for execution). Runs with equal keys can use the same plan, one after the
// other. The key excludes the output, the warnings and the cancellation, because these
// belong to the request that currently uses the plan.
func planKey(o runtime.Options) string {
	o.Stop, o.Warn, o.Out = nil, nil, nil
	return fmt.Sprintf("%+v", o)
}

// firstRun reports whether the program runs for the first time. Warnings about the
// program are only printed then.
func (l *Loaded) firstRun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := !l.ran
	l.ran = true
	return first
}
