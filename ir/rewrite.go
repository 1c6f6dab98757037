package ir

// Pattern replaces operations of one definition by something better. Do is
// plain Go; it reports whether it changed anything.
type Pattern struct {
	Name string
	On   *Def // nil: every operation
	Do   func(rw *Rewriter, op *Op) bool
}

// Builder makes operations and puts them at a place in a block.
type Builder struct {
	block  *Block
	before *Op // nil: at the end of block
	loc    Loc
}

// Before returns a builder that inserts before op, with its location.
func Before(op *Op) *Builder { return &Builder{op.block, op, op.Loc()} }

// AtEnd returns a builder that appends to b.
func AtEnd(b *Block, loc Loc) *Builder { return &Builder{block: b, loc: loc} }

// At moves the builder before op.
func (b *Builder) At(op *Op) { b.block, b.before = op.block, op }

// Insert puts an operation at the place of the builder.
func (b *Builder) Insert(op *Op) *Op {
	if b.before != nil {
		b.block.InsertBefore(op, b.before)
	} else {
		b.block.Append(op)
	}
	return op
}

// Create makes an operation from s and inserts it. It has the location of the
// builder unless s has one.
func (b *Builder) Create(s State) *Op {
	if !s.Loc.Known() {
		s.Loc = b.loc
	}
	return b.Insert(New(s))
}

// Op makes an operation with operands and result types and inserts it.
func (b *Builder) Op(d *Def, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	return b.Create(State{Def: d, Operands: operands, Results: results, Attrs: attrs})
}

// Rewriter is a Builder that also changes and removes operations, and tells
// the driver about it.
type Rewriter struct {
	Builder
	// Target is the profile the program is rewritten for.
	Target Target
	// Changed is called for every operation that is new or has new operands,
	// and Removed for every one that goes away.
	Changed func(op *Op)
	Removed func(op *Op)
}

// Create makes an operation, inserts it and notes the change.
func (rw *Rewriter) Create(s State) *Op {
	op := rw.Builder.Create(s)
	rw.note(op)
	return op
}

// Op makes an operation with operands and result types and inserts it.
func (rw *Rewriter) Op(d *Def, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	return rw.Create(State{Def: d, Operands: operands, Results: results, Attrs: attrs})
}

func (rw *Rewriter) note(op *Op) {
	if rw.Changed != nil {
		rw.Changed(op)
	}
}

// Replace makes the users of op's results use vs, and erases op.
func (rw *Rewriter) Replace(op *Op, vs ...*Value) {
	if len(vs) != len(op.results) {
		panic("BUG: replacing " + op.def.Name + " by a different number of values")
	}
	for i, v := range vs {
		for u := range op.results[i].Uses() {
			rw.note(u.owner)
		}
		op.results[i].ReplaceAllUses(v)
	}
	rw.Erase(op)
}

// Erase removes op, whose results have no uses. Operations that lose a user
// are noted, since they may be dead now.
func (rw *Rewriter) Erase(op *Op) {
	for i := range op.operands {
		if d := op.operands[i].value.op; d != nil {
			rw.note(d)
		}
	}
	if rw.Removed != nil {
		for o := range op.Walk() {
			rw.Removed(o)
		}
	}
	op.Erase()
}

// Update notes that op was changed in place.
func (rw *Rewriter) Update(op *Op) { rw.note(op) }
