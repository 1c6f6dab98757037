// This file defines rewrite patterns and the builder that changes the program.

package ir

// Pattern is a rewrite rule that replaces an operation by a better equivalent.
type Pattern struct {
	// Name identifies the pattern in statistics and debug output.
	Name string
	// On is the definition that the pattern applies to; nil means every operation.
	On *Def
	// Do changes the program through rw and returns true if it changed anything.
	Do func(rw *Rewriter, op *Op) bool
}

// Builder creates operations and inserts them at a position in a block.
type Builder struct {
	// block is the block to which new operations are added.
	block *Block
	// before is the operation before which new operations are inserted; nil means the end
	// of block.
	before *Op
	// loc is the location of operations that are created without one.
	loc Loc
}

// Before returns a builder that inserts operations directly before op. The new operations
// have the source location of op.
func Before(op *Op) *Builder { return &Builder{op.block, op, op.Loc()} }

// AtEnd returns a builder that appends operations to b. They have the location loc.
func AtEnd(b *Block, loc Loc) *Builder { return &Builder{block: b, loc: loc} }

// At makes the builder insert before op from now on.
func (b *Builder) At(op *Op) { b.block, b.before = op.block, op }

// Insert inserts op at the position of the builder and returns it.
func (b *Builder) Insert(op *Op) *Op {
	if b.before != nil {
		b.block.InsertBefore(op, b.before)
	} else {
		b.block.Append(op)
	}
	return op
}

// Create inserts a new operation and returns it. If s has no location, the operation has
// the location of the builder.
func (b *Builder) Create(s State) *Op {
	if !s.Loc.Known() {
		s.Loc = b.loc
	}
	return b.Insert(New(s))
}

// Op inserts a new operation of definition d, in its first form, and returns it. The
// parameter operands contains the operands of the operation, results contains the types
// of its results, and attrs contains its attributes.
func (b *Builder) Op(d *Def, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	return b.Create(State{Def: d, Operands: operands, Results: results, Attrs: attrs})
}

// Rewriter is a Builder that can also replace and erase operations. It notifies the
// pattern driver about each change, so that the driver tries the patterns on the changed
// operation once more.
type Rewriter struct {
	Builder
	// Target is the chip that the program is compiled for.
	Target Target
	// Changed is called for every operation that is new, has new operands, or has
	// lost a user of a result. Removed is called for every operation before it is
	// erased. Both may be nil.
	Changed func(op *Op)
	Removed func(op *Op)
}

// Create inserts a new operation, calls Changed for it and returns it.
func (rw *Rewriter) Create(s State) *Op {
	op := rw.Builder.Create(s)
	rw.note(op)
	return op
}

// Op inserts a new operation of definition d, calls the callback rw.Changed for it and
// returns it. If the definition has several forms (lists of operands and results), the
// operation has the first one. operands lists the operands of the operation, results
// lists the types of its results, and attrs lists its attributes.
func (rw *Rewriter) Op(d *Def, operands []*Value, results []Type, attrs ...NamedAttr) *Op {
	return rw.Create(State{Def: d, Operands: operands, Results: results, Attrs: attrs})
}

// note calls the function rw.Changed, if it is not nil, to inform the owner of the
// rewriter that op has changed.
func (rw *Rewriter) note(op *Op) {
	if rw.Changed != nil {
		rw.Changed(op)
	}
}

// Replace replaces all uses of the results of op by vs, one value per result, and erases
// op. It panics if the number of values is different.
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

// Erase erases op, whose results must have no uses. It calls Changed for the
// operations that define its operands, because they may be dead now.
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

// Update notifies the pattern driver that op has changed in place; for this, it calls the
// function in the field Changed. A pattern must call Update after such a change, because
// the driver otherwise does not try the patterns on op again.
func (rw *Rewriter) Update(op *Op) { rw.note(op) }
