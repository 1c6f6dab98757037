package ir

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// forks are the isolated bodies of a text that are parsed side by side.
type forks struct {
	wg      sync.WaitGroup // of the bodies handed over
	bodies  chan func()
	workers sync.Once // starts those who parse them
	mu      sync.Mutex
	bad     bool
	late    []lateLoc
	from    *Spare
	spare   []*memory
	guess   bool        // the end of a body may be guessed,
	guessed atomic.Bool // and one has been
	old     oldSpellings
}

// begin returns memory for the parser of a body.
func (f *forks) begin() *memory {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.spare)
	if n == 0 {
		return f.from.take()
	}
	m := f.spare[n-1]
	f.spare = f.spare[:n-1]
	return m
}

// end takes what a parser leaves after.
func (f *forks) end(sub *Parser) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad = f.bad || sub.bad
	f.late = append(f.late, sub.names.late...)
	f.spare = append(f.spare, sub.memory)
}

// forkSize is the body size from which handing it to another goroutine pays.
const forkSize = 4 << 10

// fork reads an isolated region with a parser of its own, on another goroutine
// if one is free, and moves this parser after it. The body must be balanced;
// otherwise fork reports false and the caller reads on to find the error.
//
// A body parsed this way reports its own first error, whether or not there
// is another goroutine: what a user sees does not depend on the machine.
func (p *Parser) fork(r *Region, args []BlockArg) bool {
	if p.kind != '{' || p.bad || p.again != nil {
		return false
	}
	end := p.bodyEnd()
	if end < 0 || end-p.start < forkSize {
		return false
	}
	p.names.shared = true
	sub := &Parser{
		lexer:    lexer{text: p.text[:end], end: p.start},
		src:      p.src,
		diags:    p.diags,
		opts:     p.opts,
		names:    &aliases{attrs: p.names.attrs, types: p.names.types, large: p.names.large, expanded: p.names.expanded, shared: true},
		depth:    p.depth,
		defaults: p.defaults,
		forked:   p.forked,
	}
	p.jump(end)
	p.src.passed(end)
	run := func() {
		sub.memory = p.forked.begin()
		sub.body(r, args)
		p.forked.end(sub)
	}
	if !p.forked.hand(run) {
		run()
	}
	return true
}

// body parses all of a text as a body.
func (p *Parser) body(r *Region, args []BlockArg) {
	defer p.guard()
	p.next()
	p.RegionInto(r, args, true)
	if p.kind != tokEOF {
		p.expected("the end of the body")
	}
}

// guard makes an error of a panic, which is a mistake of ours and none of the
// program.
func (p *Parser) guard() {
	if x := recover(); x != nil {
		p.ErrorAt(p.start, "the text from here on cannot be read because of a mistake in this tool: %v", x).Note(Loc{}, ReportIt)
	}
}

// hand gives a body to another goroutine, or reports that none is free.
func (f *forks) hand(body func()) bool {
	f.wg.Add(1)
	select {
	case f.bodies <- body:
		f.workers.Do(f.start)
		return true
	default:
		f.wg.Done()
		return false
	}
}

// start starts the other goroutines. They are few and stay to the end, so that
// their stacks grow but once.
func (f *forks) start() {
	for range cap(f.bodies) / forkQueue {
		go func() {
			for body := range f.bodies {
				body()
				f.wg.Done()
			}
		}()
	}
}

// finish waits for all bodies.
func (f *forks) finish() {
	f.wg.Wait()
	close(f.bodies)
}

// forkQueue is how many bodies wait for each other goroutine, so that none has
// to sleep between two of them: waking up takes as long as reading a body.
const forkQueue = 8

func newForks(opts ParseOptions) *forks {
	n := forkQueue * (runtime.GOMAXPROCS(0) - 1)
	if opts.Sequential {
		n = 0
	}
	return &forks{bodies: make(chan func(), n), from: opts.Spare}
}
