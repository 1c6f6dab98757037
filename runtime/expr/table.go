// This file assigns tokens to expressions.

package expr

import (
	"ptogo/ir"
)

// Token identifies one byte of the value of an expression: it is the ID of the expression
// times eight, plus the number of the byte. Token 0 means that the byte does not depend
// on inputs.
type Token uint32

// Unwritten is the token of a byte of memory that the program has not written. A token
// identifies the expression of a byte.
const Unwritten Token = 0xFDFE_FDFE

// mostIDs is the maximum number of expressions. With this limit, the tokens of their
// bytes are smaller than Unwritten, the token of memory that was never written.
const mostIDs = 0x1FB0_0000

// pageBits determines the size of the pages in which a Table stores hashes: a page
// contains 2^pageBits hashes.
const pageBits = 12

// Modulo selects the kinds of differences that a comparison of two expressions ignores.
type Modulo struct {
	// NaNBits ignores the sign and payload of NaN results.
	NaNBits bool
	// Reassociation ignores the order of floating-point additions.
	Reassociation bool
	// Reciprocal treats x/y and x*(1/y) as equal.
	Reciprocal bool
}

// Table stores the expressions that symbolic executions of one or more programs compute.
// Each expression has a number (ID) and a hash; equal expressions have equal hashes.
type Table struct {
	Modulo Modulo
	// At is the operation that is being executed. Record stores it for new expressions.
	At *ir.Op

	// pages contains the hash of each expression, indexed by its ID.
	pages []*[1 << pageBits]Hash
	// ranges are the ID ranges of input bytes, in ascending order.
	ranges []inputs
	// next is the ID of the next new expression, and most is the maximum number of
	// expressions.
	next uint32
	// most is the maximum number of expressions.
	most uint32
	// full means that the number of expressions has exceeded the maximum.
	full bool
	// Broken means that a byte had a token that identifies no expression. The cause is an
	// instruction that was treated as moving bytes although it computes them.
	Broken bool
	// widenings contains the exact widenings (conversions to wider formats), by their
	// tag.
	widenings [tagMask + 1]*widening
	// tags assigns tags to functions whose operands may be reordered.
	tags *tags
	// bits maps a value that was assembled from eight bits to these bits.
	bits map[Hash]*[8]Hash
	// nodes contains how each expression is computed, if records is set.
	nodes    map[Hash]node
	records  bool
	bitNames [8]Hash
	// definedness means that the table follows only whether bytes are defined (taint.go).
	definedness bool
}

// New returns an empty table. m lists kinds of differences between expressions, such as
// the bits of a NaN, that comparisons ignore. most is the maximum number of expressions
// that the table can store. If it is 0, the only limit is the number of available tokens
// (IDs of bytes of expressions).
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

// Beside returns an empty table for another goroutine: it can use the new table while the
// current goroutine uses t. Both tables assign the same hashes to equal expressions, so
// hashes from the two tables can be compared.
func (t *Table) Beside() *Table {
	u := New(t.Modulo, int(t.most))
	u.tags = t.tags
	return u
}

// Size returns the number of expressions in the table.
func (t *Table) Size() int { return int(t.next) - 1 }

// Full reports whether the number of expressions has exceeded the maximum. Results that
// were computed after that are meaningless.
func (t *Table) Full() bool { return t.full }

// New adds the expression with hash h to the table and returns the token of its first
// byte. A token is a number that identifies one byte of the value of an expression.
func (t *Table) New(h Hash) Token {
	if t.definedness {
		return garbageToken
	}
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

// sameBytes reports whether a token of an expression has four equal bytes. An expression
// has eight consecutive tokens, one for each byte of its value, and first is the smallest
// of them. Tokens with four equal bytes are reserved: they identify bytes that do not
// depend on inputs.
func sameBytes(first Token) bool {
	b := first >> 24
	return first&^7 == (b*0x01010101)&^7
}

// Known reports whether the token k belongs to a byte that does not depend on inputs. The
// four bytes of such a token are equal, and the four bytes of any other token are not.
func (k Token) Known() bool { return k == (k>>24)*0x01010101 }

// byte returns a part of the token k. A token identifies one byte in the value of an
// expression; the result is the number of this byte in the value, from 0 to 7.
func (k Token) byte() int { return int(k & 7) }

// Valid reports whether the token k belongs to an expression in the table, or is the
// token of unwritten memory.
func (t *Table) Valid(k Token) bool { return k>>3 < Token(t.next) || k == Unwritten }

// id returns the hash of the expression that token k belongs to. If k does not belong to
// an expression of the table, id sets the field Broken, because some instruction was then
// executed incorrectly, and returns a special hash.
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
	// These are the hashes of special bytes, and the salts of expressions that are not
	// function applications. The tag bits of byteStep are zero.
	brokenHash    = named("no expression")
	unwrittenHash = named("unwritten memory")
	byteStep      = named("next byte") // the bits of the tag are zero
	constSalt     = named("constant")
	joinSalt      = named("bytes side by side")
	inputSalt     = named("input")
)

// lastInput returns the end of the expression IDs that identify bytes of input buffers:
// the ID after the largest of them. It returns 0 if the table has no input buffers.
func (t *Table) lastInput() uint32 {
	if n := len(t.ranges); n > 0 {
		return t.ranges[n-1].end
	}
	return 0
}

// From returns a hash for a sequence of bytes. Token k names one byte of an expression's
// value; the sequence starts with this byte and ends with the last byte of the value. The
// hash is the hash of the expression plus a multiple of the index of the byte. Therefore
// it is the same whether the bytes are selected in one step or in several.
func (t *Table) From(k Token) Hash {
	switch {
	case t.definedness:
		return Garbage
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

// Const returns the hash of the constant expression with the given bits.
func (t *Table) Const(bits uint64) Hash {
	if t.definedness {
		return Defined
	}
	h := Mix(constSalt, number(bits), constSalt)
	t.note(h, "constant", int64(bits))
	return h
}

// Join returns the hash of a value whose bytes belong to several expressions. tokens
// contains, for each byte, the number that identifies its expression. A byte that does
// not depend on inputs has a special token (Known), and real contains its value.
func (t *Table) Join(tokens []Token, real []byte) Hash {
	if t.definedness {
		return Garbage // bytes that are all defined are not joined
	}
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

// inputs is the range of expression IDs of an input buffer. Each ID represents eight
// bytes of the buffer. The hash of such an expression is computed from its ID, so the
// table stores no entry for it.
type inputs struct {
	// first and end are the range of IDs.
	first, end uint32
	// chunk is the number of the group of eight bytes that the first ID represents.
	chunk int
	// salt is the salt of the buffer.
	salt Hash
	// name is the name of the input in printed expressions.
	name string
}

// Input assigns tokens (numbers that identify expressions) to the bytes of an input
// buffer. buffer is the number of the buffer, and bytes is its size. Input calls the
// function each for consecutive ranges of the buffer. The function receives the byte
// offset of the range, its number of bytes, and the token of its first byte. The tokens
// of the other bytes of the range follow this token.
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

// input returns the description of the input buffer that contains the expression with the
// given ID. Each expression of an input buffer represents eight of its initial bytes. The
// result is nil if the expression was computed from other expressions.
func (t *Table) input(id uint32) *inputs {
	for i := range t.ranges {
		if in := &t.ranges[i]; id >= in.first && id < in.end {
			return in
		}
	}
	return nil
}

// IsInput reports whether the token k identifies a certain byte of an input buffer. The
// parameter buffer is the number of the buffer, and at is the number of the byte. A byte
// of memory with this token contains the unchanged input.
func (t *Table) IsInput(k Token, buffer, at int) bool {
	return k.byte() == at%8 && k != Unwritten && t.id(k) == inputHash(buffer, at/8)
}

// inputHash returns the hash of the group of eight bytes with number chunk in an input
// buffer.
func inputHash(buffer, chunk int) Hash { return chunkHash(bufferSalt(buffer), chunk) }

// bufferSalt returns a number that depends only on the index of an input buffer. The
// hashes of all bytes of the buffer include this number, so that equal offsets in
// different buffers have different hashes.
func bufferSalt(buffer int) Hash { return Mix(inputSalt, number(uint64(buffer)), inputSalt) }

// chunkHash returns the hash of a chunk, a group of eight consecutive bytes of an input
// buffer. salt is the hash that represents the buffer, and chunk is the number of the
// chunk in the buffer.
func chunkHash(salt Hash, chunk int) Hash {
	x := uint64(chunk)
	return Mix(salt, Hash{x, ^x}, Hash{x + p0, x ^ p1})
}
