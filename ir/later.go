// This file handles references to operations that the text defines later.

package ir

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Defining the hundreds of operations of a large dialect takes longer than running
// a small program. Such a dialect therefore declares an operation with its name and
// a function that builds its definition. The function runs when the operation is
// first looked up or built. Until then the Def is only an address in zeroed memory.

// later is an operation that Dialect.Later has declared. Its definition is built on first
// use.
type later struct {
	// name is the name without the dialect.
	name string
	// make builds the definition of the operation with the given name.
	make func(name string) *Def
	// def is the Def that Dialect.Later returned; the result of make is copied to it.
	def *Def
}

// laters is the list of declared operations of a dialect. Package initialization
// fills it, so it needs no lock.
type laters struct {
	// list holds the operations in the order of their declaration.
	list []later
	// index returns a map from names to positions in list; it is built on the first call.
	index func() map[string]int
	// all builds all definitions of the dialect. Lookups of aliases need this, because
	// only a built definition contains its aliases.
	all func()
}

// making is locked while a definition is built, so that each definition is built only
// once.
var making sync.Mutex

// undefined is the unused part of the array definitions; the function Later takes the
// definitions that it returns from the start of this part. The array is static because
// the operating system provides memory pages for it only when they are first written, and
// most programs use few operations.
var undefined = definitions[:]

// definitions is an array of empty definitions, from which Later takes the Def values
// that it returns.
var definitions [1024]Def

// Later declares the operation with the given name (without the dialect) and returns its
// Def. The Def stays empty until the operation is looked up or built. At that time, the
// function make is called with the name, and its result is copied to the Def. This
// function must not look up operations. Only package initialization may call Later.
func (d *Dialect) Later(name string, make func(name string) *Def) *Def {
	l := &d.laters
	if l.list == nil {
		l.list = newLaters()
		l.index = sync.OnceValue(l.names)
		l.all = sync.OnceFunc(d.makeAll)
	}
	if len(undefined) == 0 {
		undefined = newDefs()
	}
	def := &undefined[0]
	undefined = undefined[1:]
	l.list = append(l.list, later{name, make, def})
	return def
}

// newDefs allocates many definitions at once, because one large allocation is cheaper
// than one allocation per declared operation.
func newDefs() []Def { return make([]Def, 64) }

// newLaters allocates the list of declared operations with its expected capacity, so that
// it seldom has to grow.
func newLaters() []later { return make([]later, 0, 64) }

// All returns all definitions of the dialect, sorted by name. It first builds the
// definitions that Later declared.
func (d *Dialect) All() []*Def {
	if d.laters.all != nil {
		d.laters.all()
	}
	return d.Defs
}

// makeAll builds all declared definitions and appends them to d.Defs.
func (d *Dialect) makeAll() {
	for i := range d.laters.list {
		def := d.laters.list[i].def
		def.prepare()
		d.Defs = append(d.Defs, def)
	}
	slices.SortFunc(d.Defs, func(a, b *Def) int { return strings.Compare(a.Name, b.Name) })
}

// names returns a map from the name of each declared operation to its index in l.list. It
// panics if a name was declared twice.
func (l *laters) names() map[string]int {
	index := make(map[string]int, len(l.list))
	for i := range l.list {
		if _, twice := index[l.list[i].name]; twice {
			panic("BUG: operation " + l.list[i].name + " declared twice")
		}
		index[l.list[i].name] = i
	}
	return index
}

// lookupLater returns the definition of the operation that Dialect.Later declared under
// the full name, or nil. A name that was not declared may be an alias, and only built
// definitions contain their aliases. For such a name, lookupLater builds all definitions
// of the dialect and searches their aliases.
func lookupLater(name string) *Def {
	dialect, rest, ok := strings.Cut(name, ".")
	if !ok {
		return nil
	}
	d := LookupDialect(dialect)
	if d == nil || d.laters.list == nil {
		return nil
	}
	if i, ok := d.laters.index()[rest]; ok {
		return d.laters.list[i].def
	}
	d.laters.all()
	return lookupMade(name)
}

// prepare builds the definition if Dialect.Later declared it, and compiles the syntax of
// its forms. This happens on first use, because a program uses only a few of the hundreds
// of operations.
func (d *Def) prepare() {
	if atomic.LoadUint32(&d.ready) == 0 {
		d.makeReady()
	}
}

// Made builds the definition d if necessary and returns it. Code that reads the fields of
// a Def through the Go variable of an instruction must call Made first. A Def that Op.Def
// or Lookup returns is built already.
func (d *Def) Made() *Def {
	d.prepare()
	return d
}

// makeReady builds and compiles the definition under a lock; prepare calls it when the
// fast check fails. The atomic store of the ready flag comes last, so a goroutine that
// reads the flag also sees the complete definition.
func (d *Def) makeReady() {
	making.Lock()
	defer making.Unlock()
	if d.ready != 0 {
		return
	}
	if d.Name == "" {
		d.fill()
	}
	for _, f := range d.Forms {
		compileForm(d, f)
	}
	atomic.StoreUint32(&d.ready, 1)
}

// fill calls the function that was passed to Later for d and copies its result to d.
func (d *Def) fill() {
	for _, dialect := range Dialects() {
		i := slices.IndexFunc(dialect.laters.list, func(l later) bool { return l.def == d })
		if i < 0 {
			continue
		}
		l := dialect.laters.list[i]
		made := l.make(l.name)
		if made.Name != dialect.Name+"."+l.name {
			panic("BUG: operation " + l.name + " is called " + made.Name + " in its definition")
		}
		d.become(made)
		register(dialect, d)
		return
	}
	panic("BUG: definition of an operation that no dialect has")
}

// become copies the exported fields of o to d. The address of d stays the same, because
// Go variables and operations refer to it.
func (d *Def) become(o *Def) {
	d.Name, d.Aliases, d.Old, d.Summary, d.Page, d.Examples = o.Name, o.Aliases, o.Old, o.Summary, o.Page, o.Examples
	d.Forms, d.Attrs, d.Regions, d.Succs, d.Traits = o.Forms, o.Attrs, o.Regions, o.Succs, o.Traits
	d.SuccOperands, d.Exists, d.Place, d.Verify = o.SuccOperands, o.Exists, o.Place, o.Verify
	d.Fold, d.Rewrites, d.Sem, d.Info = o.Fold, o.Rewrites, o.Sem, o.Info
}
