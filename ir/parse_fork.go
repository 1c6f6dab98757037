// This file parses function bodies in parallel.

package ir

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// forks parses the isolated bodies in a text (function bodies) on several goroutines.
type forks struct {
	// wg counts the bodies that are still being parsed.
	wg sync.WaitGroup
	// bodies is the queue of bodies for the workers. Its capacity is a multiple of the
	// number of workers.
	bodies chan func()
	// workers starts the worker goroutines when the first body is found.
	workers sync.Once
	// mu guards the fields from bad to spare.
	mu sync.Mutex
	// bad reports whether a body has an error.
	bad bool
	// late are operations in bodies whose location must be parsed again at the end of the
	// text, because it uses an alias that is defined later; see lateLoc.
	late []lateLoc
	// from is the reusable memory that the caller supplied in ParseOptions.Spare, or nil.
	from *Spare
	// spare is the memory of parsers whose bodies are finished; the next bodies reuse it.
	spare []*memory
	// guess allows the parser to guess the end of a body from its indentation; see
	// Parser.guessEnd.
	guess bool
	// guessed reports whether the parser has guessed the end of at least one body. An
	// error may then result from a wrong guess, so ReadText parses the text again without
	// guesses.
	guessed atomic.Bool
	// old collects the outdated syntax in all bodies.
	old oldSpellings
}

// begin returns memory for the parser of a body. It prefers memory that an earlier body
// used, because the cache in it speeds up the parsing of similar text.
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

// end is called after the parser sub has parsed a function body. It merges the results of
// sub into f, and keeps the memory of sub for reuse by other parsers.
func (f *forks) end(sub *Parser) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad = f.bad || sub.bad
	f.late = append(f.late, sub.names.late...)
	f.spare = append(f.spare, sub.memory)
}

// forkSize is the size of a body in bytes from which parsing on another goroutine saves
// more time than it costs.
const forkSize = 4 << 10

// fork parses an isolated region, such as the body of a function, with a separate parser,
// and moves p past the region. If a worker goroutine is idle, it executes the separate
// parser; otherwise the current goroutine does. Each parser stops at the first error of
// its region, so the diagnostics do not depend on the number of processors.
//
// fork returns false if the region is small or its end is not found. The caller then
// parses the region itself.
func (p *Parser) fork(r *Region, args []BlockArg) bool {
	if p.kind != '{' || p.bad || p.again != nil || p.opts.Index != nil {
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

// body parses the whole text of p as the body of the region r, whose entry block has the
// arguments args.
func (p *Parser) body(r *Region, args []BlockArg) {
	defer p.guard()
	p.next()
	p.RegionInto(r, args, true)
	if p.kind != tokEOF {
		p.expected("the end of the body")
	}
}

// guard, as a deferred call, converts a panic to a diagnostic. A panic is a bug in the
// tool, not an error of the program, so the note asks the user to report it.
func (p *Parser) guard() {
	if x := recover(); x != nil {
		p.ErrorAt(p.start, "failed to parse the text from here on because of a bug in the parser: %v", x).As(CodeMistake).Note(Loc{}, ReportIt)
	}
}

// hand passes a body to a worker goroutine. It returns false if the queues of all workers
// are full.
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

// start starts the worker goroutines. They run until the end of the text, because a new
// goroutine per body would have to grow its stack each time.
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

// finish waits until all bodies have been parsed and stops the workers.
func (f *forks) finish() {
	f.wg.Wait()
	close(f.bodies)
}

// forkQueue is the number of function bodies that may wait for each worker goroutine,
// which parses them. With a queue, a worker does not sleep between two bodies. Waking a
// sleeping worker lasts about as long as parsing a body.
const forkQueue = 8

// newForks returns the state for parsing one text. If opts allow only one goroutine, the
// queue has no capacity and the parser parses every body itself.
func newForks(opts ParseOptions) *forks {
	n := forkQueue * (runtime.GOMAXPROCS(0) - 1)
	if opts.Sequential {
		n = 0
	}
	return &forks{bodies: make(chan func(), n), from: opts.Spare}
}
