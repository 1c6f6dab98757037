package ir

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A dialect with hundreds of operations would take longer to define than a
// small program takes to run, so it may name an operation and say how its
// definition is made. That happens when the operation is first looked up or
// built. Until then the Def is an address that nobody has written to.

// later is an operation that has a name but no definition yet.
type later struct {
	name string // without the dialect
	make func(name string) *Def
	def  *Def
}

// laters belong to a dialect. Package initialisation fills the list; the lock
// guards what follows.
type laters struct {
	list  []later
	index func() map[string]int // the numbers of the operations by name
	all   func()                // makes all of them, which tells their aliases
}

// making is held while a definition is made.
var making sync.Mutex

// undefined is memory of definitions to come. It is a variable since pages of
// those cost nothing before they are written, and few of them ever are.
var undefined = definitions[:]

var definitions [1024]Def

// Later declares the operation that is called name in the dialect. The
// definition that make returns fills the result when it is needed. make gets
// name, and must not look up operations. Only package initialisation may call
// Later.
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

// Definitions are allocated many at once, so that declaring one costs nothing.
func newDefs() []Def     { return make([]Def, 64) }
func newLaters() []later { return make([]later, 0, 64) }

// All returns the definitions of the dialect, made if they were not. They are
// in the order of their names, whichever packages declare them.
func (d *Dialect) All() []*Def {
	if d.laters.all != nil {
		d.laters.all()
	}
	return d.Defs
}

func (d *Dialect) makeAll() {
	for i := range d.laters.list {
		def := d.laters.list[i].def
		def.prepare()
		d.Defs = append(d.Defs, def)
	}
	slices.SortFunc(d.Defs, func(a, b *Def) int { return strings.Compare(a.Name, b.Name) })
}

// names makes the index.
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

// lookupLater returns the operation name if it was declared for later. Only
// definitions know their aliases, so a name that is nobody's first name makes
// all of them.
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

// prepare makes the definition, if that was left for later, and its forms
// ready for use. It waits for the first operation of the definition, since a
// program has but few of the hundreds there are.
func (d *Def) prepare() {
	if atomic.LoadUint32(&d.ready) == 0 {
		d.makeReady()
	}
}

// Made returns d itself, made if it was declared for later. Whoever asks an
// instruction by its Go name needs it; those of operations and of Lookup are made.
func (d *Def) Made() *Def {
	d.prepare()
	return d
}

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

// fill makes the definition that was declared for later.
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

// become takes over all that a definition says.
func (d *Def) become(o *Def) {
	d.Name, d.Aliases, d.Old, d.Summary, d.Page, d.Examples = o.Name, o.Aliases, o.Old, o.Summary, o.Page, o.Examples
	d.Forms, d.Attrs, d.Regions, d.Succs, d.Traits = o.Forms, o.Attrs, o.Regions, o.Succs, o.Traits
	d.SuccOperands, d.Exists, d.Place, d.Verify = o.SuccOperands, o.Exists, o.Place, o.Verify
	d.Fold, d.Rewrites, d.Sem, d.Info = o.Fold, o.Rewrites, o.Sem, o.Info
}
