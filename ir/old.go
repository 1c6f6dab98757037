// This file replaces outdated syntax forms and reports the current ones.

package ir

import (
	"cmp"
	"slices"
	"sync"
)

// oldSpellings collects the outdated syntax that a program text uses. The parser warns
// once for each outdated syntax, at its first position.
type oldSpellings struct {
	// mu guards the fields, since several goroutines parse the bodies of a text.
	mu sync.Mutex
	// uses maps each outdated syntax to its first use.
	uses map[string]oldSpelling
	// renew reports whether Parser.Renew must pass the module to the dialects; see
	// Dialect.Renew.
	renew bool
}

// oldSpelling is the offset of the first use of an outdated syntax, and the current
// syntax that replaces it.
type oldSpelling struct {
	off   int
	today string
}

// Old records that the text at byte offset off uses the outdated syntax old. The
// parameter today is the current syntax that replaces it, for the warning. After the
// parse, the method Renew passes the module to all dialects, so that they can replace
// outdated operations. Renew does this only if Old has been called.
func (p *Parser) Old(off int, old, today string) {
	o := &p.forked.old
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.uses == nil {
		o.uses = map[string]oldSpelling{}
	}
	o.renew = true
	if u, ok := o.uses[old]; !ok || off < u.off {
		o.uses[old] = oldSpelling{off, today}
	}
}

// MayBeOld requests that Parser.Renew pass the parsed module to all dialects, which then
// rewrite outdated syntax. Unlike Parser.Old, MayBeOld does not cause a warning. Dialects
// call it for text that is outdated only in certain contexts, which are not known before
// the whole module has been read.
func (p *Parser) MayBeOld() {
	p.forked.old.mu.Lock()
	p.forked.old.renew = true
	p.forked.old.mu.Unlock()
}

// Renew calls the Renew functions of the dialects, which rewrite outdated syntax in the
// parsed module. Afterwards it warns about each outdated syntax that the program uses. It
// returns false if a dialect reported an error.
func (p *Parser) Renew(module *Op) bool {
	o := &p.forked.old
	if !o.renew {
		return true
	}
	for _, d := range Dialects() {
		if d.Renew != nil {
			d.Renew(module, p)
		}
	}
	var olds []string
	for old := range o.uses {
		olds = append(olds, old)
	}
	slices.SortFunc(olds, func(a, b string) int { return cmp.Compare(o.uses[a].off, o.uses[b].off) })
	for _, old := range olds {
		p.diags.Add(Warning, LocAt(p.src, o.uses[old].off), "old form '"+old+"'; today: "+o.uses[old].today).As(CodeOutdated)
	}
	return !p.bad
}

// Before inserts op before the operation that is being read. A dialect calls it if an
// outdated operation is replaced by two operations.
func (p *Parser) Before(op *Op) { p.before = append(p.before, op) }
