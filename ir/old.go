// This file replaces outdated syntax forms and reports the current ones.

package ir

import (
	"cmp"
	"slices"
	"sync"
)

// oldSpellings collects the outdated forms in a text. The parser warns once for
// each form, at its first position.
type oldSpellings struct {
	// mu guards the fields, since several goroutines parse the bodies of a text.
	mu sync.Mutex
	// uses holds the first use of each outdated form.
	uses map[string]oldSpelling
	// renew reports whether the dialects must see the whole module; see Dialect.Renew.
	renew bool
}

// oldSpelling is the first position of an outdated form, and its current form.
type oldSpelling struct {
	off   int
	today string
}

// Old records that the text at offset off has the outdated form old, which is
// written as today now. It also makes Renew pass the module to all dialects.
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

// MayBeOld makes Renew pass the module to all dialects, without a warning. It is
// for text that is outdated only in some contexts, which the parser cannot see.
func (p *Parser) MayBeOld() {
	p.forked.old.mu.Lock()
	p.forked.old.renew = true
	p.forked.old.mu.Unlock()
}

// Renew lets the dialects replace outdated forms in a module that has been read,
// then warns of each form. It reports whether the dialects found no error.
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

// Before inserts op before the operation that is being read. It is for an outdated
// text that stands for two operations.
func (p *Parser) Before(op *Op) { p.before = append(p.before, op) }
