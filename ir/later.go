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

// later is an operation that has been declared but not defined yet.
type later struct {
	// name is the name without the dialect.
	name string
	// make builds the definition.
	make func(name string) *Def
	// def is the Def that make's result is copied to.
	def *Def
}

// laters is the list of declared operations of a dialect. Package initialization
// fills it, so it needs no lock.
type laters struct {
	// list holds the operations in the order of their declaration.
	list []later
	// index returns the positions in list by name.
	index func() map[string]int // positions in list by name
	// all builds all definitions, which makes their aliases known.
	all func() // builds all definitions, which makes their aliases known
}

// making is held while a definition is built, so that each is built once.
var making sync.Mutex

// undefined is the unused part of definitions. The array is static, because the
// system provides its zeroed pages only when they are written, and a program
// defines only few operations.
var undefined = definitions[:]

// definitions is the memory of the Defs that Later returns.
var definitions [1024]Def

// Later declares the operation name (without the dialect) and returns its Def,
// which is empty until it is needed. Then make is called with name, and its result
// is copied to the Def. make must not look up operations. Only package
// initialization may call Later.
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

// newDefs allocates many definitions at once, so that declaring one is cheap. So
// does newLaters for the list.
func newDefs() []Def { return make([]Def, 64) }

// newLaters allocates the list of declared operations at once; see newDefs.
func newLaters() []later { return make([]later, 0, 64) }

// All returns all definitions of the dialect, sorted by name. It builds those that
// were declared for later.
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

// names returns the index by name. It panics if a name was declared twice.
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

// lookupLater returns the declared operation name, or nil. If no operation was
// declared under this name, it builds all of the dialect, because only definitions
// contain aliases.
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

// prepare builds the definition if it was declared for later, and compiles its
// forms. It runs on first use, because a program uses only a few of the hundreds of
// operations.
func (d *Def) prepare() {
	if atomic.LoadUint32(&d.ready) == 0 {
		d.makeReady()
	}
}

// Made returns d after building it. Code that reads an instruction's Def through
// its Go variable needs this. A Def from Op.Def or Lookup is already built.
func (d *Def) Made() *Def {
	d.prepare()
	return d
}

// makeReady is the slow path of prepare. The atomic store comes last: a goroutine
// that sees it also sees the complete definition.
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

// fill builds the definition of d by the function that was passed to Later.
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

// become copies the exported fields of o to d, which keeps its own address.
func (d *Def) become(o *Def) {
	d.Name, d.Aliases, d.Old, d.Summary, d.Page, d.Examples = o.Name, o.Aliases, o.Old, o.Summary, o.Page, o.Examples
	d.Forms, d.Attrs, d.Regions, d.Succs, d.Traits = o.Forms, o.Attrs, o.Regions, o.Succs, o.Traits
	d.SuccOperands, d.Exists, d.Place, d.Verify = o.SuccOperands, o.Exists, o.Place, o.Verify
	d.Fold, d.Rewrites, d.Sem, d.Info = o.Fold, o.Rewrites, o.Sem, o.Info
}
