// This file defines the hashes that identify expressions.

package expr

import (
	"math/bits"
)

// Hash identifies an expression: equal expressions have equal hashes. The lowest bits of
// Lo are a tag, which is zero except for results of functions with a special normal form,
// such as sums whose operands may be reordered (normal.go).
type Hash struct{ Lo, Hi uint64 }

const (
	// tagBits is the number of lowest bits of a hash that are reserved for a tag. The
	// other 122 bits make collisions improbable.
	tagBits = 6
	tagMask = 1<<tagBits - 1
)

// tag returns the lowest tagBits bits of the hash. If they are not 0, they identify a
// function whose expressions have a special normal form.
func (h Hash) tag() uint64 { return h.Lo & tagMask }

const (
	// p0 to p3 are the multipliers of the mixing function. They are odd, and their bits
	// are spread evenly.
	p0 = 0x9E3779B97F4A7C15
	p1 = 0xC2B2AE3D27D4EB4F
	p2 = 0xD6E8FEB86659FD93
	p3 = 0xA0761D6478BD642F
)

// Mix returns the hash of the ordered pair (a, b). salt distinguishes pairs with
// different meanings. Mix first combines the halves of the inputs linearly, with odd
// factors. It then applies two rounds of a Feistel network, which is a bijection, and
// clears the tag bits of the result. Two pairs therefore collide only if the linear
// combinations of their pseudorandom halves are equal, or if only the cleared tag bits
// differ. The probability is 2^-122.
func Mix(salt, a, b Hash) Hash {
	u := (a.Lo^salt.Lo)*p0 + bits.RotateLeft64(b.Lo, 32)*p1 + salt.Hi
	v := (a.Hi^salt.Hi)*p2 + bits.RotateLeft64(b.Hi, 32)*p3 + salt.Lo
	h, l := bits.Mul64(v^p1, v+p3|1)
	u ^= h ^ l
	h, l = bits.Mul64(u^p0, u+p2|1)
	return Hash{u &^ tagMask, v ^ h ^ l}
}

// less reports whether h precedes o in a fixed order. Functions with exchangeable
// operands sort them in this order.
func (h Hash) less(o Hash) bool { return h.Hi < o.Hi || h.Hi == o.Hi && h.Lo < o.Lo }

// plus returns the sum of h and o, separately for both 64-bit halves.
func (h Hash) plus(o Hash) Hash { return Hash{h.Lo + o.Lo, h.Hi + o.Hi} }

// times returns the product of h and x, separately for both 64-bit halves.
func (h Hash) times(x Hash) Hash { return Hash{h.Lo * x.Lo, h.Hi * x.Hi} }

// number returns the hash that represents the integer x.
func number(x uint64) Hash { return Mix(Hash{p2, p3}, Hash{x, ^x}, Hash{x + p0, x ^ p1}) }

// named returns the hash that represents a text, such as the name of a function.
func named(text string) Hash {
	h := number(uint64(len(text)))
	for i := 0; i < len(text); i += 8 {
		var word uint64
		for k, c := range []byte(text[i:min(i+8, len(text))]) {
			word |= uint64(c) << (8 * k)
		}
		h = Mix(Hash{p1, p0}, h, number(word))
	}
	return h
}
