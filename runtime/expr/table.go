// This file assigns tokens to expressions.

package expr

import (
	"errors"

	"ptogo/ir"
)

// Token names one byte of the value of an expression: the ID of the expression
// times eight, plus the number of the byte. The zero token names no expression.
type Token uint32

// Unwritten is the token of memory that a program has not written.
const Unwritten Token = 0xFDFE_FDFE

// mostIDs bounds the number of expressions, so that their tokens stay below Unwritten.
const mostIDs = 0x1FB0_0000

// pageBits is the logarithm of the number of hashes in a page of Table.pages.
const pageBits = 12

// Modulo selects differences that Compare ignores.
type Modulo struct {
	// NaNBits ignores which NaN a result is.
	NaNBits bool
	// Reassociation ignores the order of sums.
	Reassociation bool
	// Reciprocal treats x/y and x*(1/y) as equal.
	Reciprocal bool
}

// Table holds the expressions of one or more executions.
type Table struct {
	Modulo Modulo
	// At is the operation that is being executed, which Record remembers for new
	// expressions.
	At *ir.Op

	// pages holds the hash of each expression by its ID.
	pages []*[1 << pageBits]Hash
	// ranges are the IDs of input bytes, in ascending order.
	ranges []inputs
	// next is the ID of the next expression, and most is the bound.
	next uint32
	most uint32
	// full reports whether an expression exceeded the bound.
	full bool
	// Broken reports that a byte had a token that names no expression. The cause is an
	// instruction that was treated as moving bytes although it computes them.
	Broken bool
	// widenings holds the exact widenings by their tag.
	widenings [tagMask + 1]*widening
	// tags holds the tags of functions whose operands may be reordered.
	tags *tags
	// bits maps a value that was assembled from eight bits to these bits.
	bits map[Hash]*[8]Hash
	// nodes describes how each expression is computed, if records is true.
	nodes    map[Hash]node
	records  bool
	bitNames [8]Hash
}

// ErrFull is the error when the number of expressions exceeds the bound of the table.
var ErrFull = errors.New("too many expressions")

// New returns an empty table for at most most expressions; 0 means as many as there are
// tokens.
func New(m Modulo, most int) *Table {
	t := &Table{Modulo: m, most: mostIDs, tags: &tags{of: map[string]uint64{}}, bits: map[Hash]*[8]Hash{}}
	if most > 0 && most < mostIDs {
		t.most = uint32(most)
	}
	t.next = 1
	for i := range t.bitNames {
		t.bitNames[i] = number(uint64(i))
	}
	return t
}

// Beside returns an empty table in which equal expressions have the same hashes as in t.
// Another goroutine may use it at the same time as t.
func (t *Table) Beside() *Table {
	u := New(t.Modulo, int(t.most))
	u.tags = t.tags
	return u
}

// Size returns the number of expressions in the table.
func (t *Table) Size() int { return int(t.next) - 1 }

// Full reports whether an expression exceeded the bound. Results computed after that have
// no meaning.
func (t *Table) Full() bool { return t.full }

// New returns the token of the first byte of a new expression.
func (t *Table) New(h Hash) Token {
	id := t.next
	for sameBytes(Token(id << 3)) {
		id++
	}
	if id >= t.most {
		t.full = true
		return Unwritten
	}
	t.next = id + 1
	p := int(id >> pageBits)
	for p >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	if t.pages[p] == nil {
		t.pages[p] = new([1 << pageBits]Hash)
	}
	t.pages[p][id&(1<<pageBits-1)] = h
	return Token(id << 3)
}

// sameBytes reports whether one of the tokens of an ID has four equal bytes. Such tokens
// are reserved for bytes that do not depend on inputs.
func sameBytes(first Token) bool {
	b := first >> 24
	return first&^7 == (b*0x01010101)&^7
}

// Known reports whether a token is that of a byte that does not depend on inputs.
func (k Token) Known() bool { return k == (k>>24)*0x01010101 }

// byte is the number of the byte.
func (k Token) byte() int { return int(k & 7) }

// Valid reports whether a token names an expression of the table.
func (t *Table) Valid(k Token) bool { return k>>3 < Token(t.next) || k == Unwritten }

// id is the hash of the expression of a token.
func (t *Table) id(k Token) Hash {
	n := uint32(k) >> 3
	if n >= t.next {
		t.Broken = true
		return brokenHash
	}
	if n < t.lastInput() {
		if in := t.input(n); in != nil {
			h := chunkHash(in.salt, in.chunk+int(n-in.first))
			if t.records {
				t.noteInput(h, in.name, 8*(in.chunk+int(n-in.first)))
			}
			return h
		}
	}
	return t.pages[n>>pageBits][n&(1<<pageBits-1)]
}

var (
	// Hashes of special bytes, and salts of what is not a function. The bits of
	// byteStep's tag are zero.
	brokenHash    = named("no expression")
	unwrittenHash = named("unwritten memory")
	byteStep      = named("next byte") // the bits of the tag are zero
	constSalt     = named("constant")
	joinSalt      = named("bytes side by side")
	inputSalt     = named("input")
)

// lastInput returns the first ID after those of all inputs.
func (t *Table) lastInput() uint32 {
	if n := len(t.ranges); n > 0 {
		return t.ranges[n-1].end
	}
	return 0
}

// From returns the hash of the bytes of an expression from the byte of k on. It is linear
// in the number of the byte, so that a part of a part has the hash of the corresponding
// part of the whole.
func (t *Table) From(k Token) Hash {
	switch {
	case k == Unwritten:
		return unwrittenHash
	case k.byte() == 0:
		return t.id(k)
	}
	id, n := t.id(k), uint64(k.byte())
	h := id.plus(Hash{n * byteStep.Lo, n * byteStep.Hi})
	t.note(h, "bytes of", int64(n), id)
	return h
}

// Const returns the hash of a constant.
func (t *Table) Const(bits uint64) Hash {
	h := Mix(constSalt, number(bits), constSalt)
	t.note(h, "constant", int64(bits))
	return h
}

// Join returns the hash of a value whose bytes come from several expressions. For a byte
// that does not depend on inputs, the token is a known one and real holds its value.
func (t *Table) Join(tokens []Token, real []byte) Hash {
	h := joinSalt
	var parts []Hash
	for i, k := range tokens {
		b := t.Const(uint64(real[i]))
		if !k.Known() {
			b = t.From(k)
		}
		h = Mix(joinSalt, h, b)
		if t.records {
			parts = append(parts, b)
		}
	}
	t.note(h, "bytes side by side", 0, parts...)
	return h
}

// inputs are the IDs of the bytes of an input buffer, one ID for each eight bytes. Their
// hashes are computed from the number, so they need no memory.
type inputs struct {
	// first and end are the range of IDs.
	first, end uint32
	// chunk is the number of the eight bytes that the first ID names.
	chunk int
	// salt is the salt of the buffer.
	salt Hash
	// name is the name of the input in texts.
	name string
}

// Input assigns tokens to an input buffer of the given number of bytes. It calls each for
// parts of the buffer: n bytes starting at at have tokens starting at first.
func (t *Table) Input(name string, buffer, bytes int, each func(at, n int, first Token)) {
	for at := 0; at < bytes; {
		id := t.next
		for sameBytes(Token(id << 3)) {
			id++
		}
		end := id
		for int(end-id)*8 < bytes-at && end < t.most && !sameBytes(Token(end<<3)) {
			end++
		}
		if end == id {
			t.full = true
			return
		}
		t.next = end
		t.ranges = append(t.ranges, inputs{id, end, at / 8, bufferSalt(buffer), name})
		n := min(int(end-id)*8, bytes-at)
		each(at, n, Token(id<<3))
		at += n
	}
}

// input returns the input that an ID belongs to, or nil.
func (t *Table) input(id uint32) *inputs {
	for i := range t.ranges {
		if in := &t.ranges[i]; id >= in.first && id < in.end {
			return in
		}
	}
	return nil
}

// IsInput reports whether k is the token of byte at of an input buffer.
func (t *Table) IsInput(k Token, buffer, at int) bool {
	return k.byte() == at%8 && k != Unwritten && t.id(k) == inputHash(buffer, at/8)
}

// inputHash returns the hash of eight bytes of an input buffer.
func inputHash(buffer, chunk int) Hash { return chunkHash(bufferSalt(buffer), chunk) }

// bufferSalt returns the salt of the hashes of a buffer.
func bufferSalt(buffer int) Hash { return Mix(inputSalt, number(uint64(buffer)), inputSalt) }

// chunkHash returns the hash of eight bytes of the buffer with the given salt.
func chunkHash(salt Hash, chunk int) Hash {
	x := uint64(chunk)
	return Mix(salt, Hash{x, ^x}, Hash{x + p0, x ^ p1})
}
