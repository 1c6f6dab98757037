package ir

import (
	"cmp"
	"slices"
	"sync"
)

// oldSpellings are what a text spells as it was spelt before. Each is worth one
// warning, where it stands first.
type oldSpellings struct {
	mu    sync.Mutex
	uses  map[string]oldSpelling // by the old spelling
	renew bool                   // dialects have something to do
}

type oldSpelling struct {
	off   int
	today string
}

// Old notes that old, at an offset of the text, is spelt as today now. Dialects
// get the whole text, see Renew.
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

// MayBeOld asks that dialects see the whole text, since only all of it reports whether
// a spelling is old.
func (p *Parser) MayBeOld() {
	p.forked.old.mu.Lock()
	p.forked.old.renew = true
	p.forked.old.mu.Unlock()
}

// Renew warns of old spellings and lets dialects replace what is left of them,
// in a module that has been read. It reports whether nothing is wrong with them.
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
		p.diags.Add(Warning, LocAt(p.src, o.uses[old].off), "old form '"+old+"'; today: "+o.uses[old].today)
	}
	return !p.bad
}

// Before puts an operation before the one that is being read, whose old
// spelling stands for both.
func (p *Parser) Before(op *Op) { p.before = append(p.before, op) }
