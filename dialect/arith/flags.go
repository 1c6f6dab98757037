// This file defines fast-math and overflow flags.

package arith

import (
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// FastMath is the set of assumptions that an operation may make about
// floating-point numbers.
var FastMath = func() *ir.Flags {
	f := ir.NewFlags("arith", "fastmath", ",", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
	f.Groups = []ir.EnumCase{{Name: "fast", Value: 127}}
	return f
}()

// Overflow is the set of overflows that an integer operation must not have: signed
// (nsw) and unsigned (nuw).
var Overflow = ir.NewFlags("arith", "overflow", ", ", "nsw", "nuw")

// The attribute declarations that many operations share.
var (
	// FastMathAttr declares the flags of a floating-point operation.
	FastMathAttr = ir.AttrDef{Name: "fastmath", Type: FastMath, Default: FastMath.Attr(0),
		Doc: "what may be assumed of the numbers"}
	overflowAttr = ir.AttrDef{Name: "overflowFlags", Type: Overflow, Default: Overflow.Attr(0),
		Doc: "the kinds of overflow that do not happen"}
)

// Parts of format strings for the optional flags of operations, such as fastmath. The
// flags are printed only if at least one is set.
const (
	// FastMathText is the part of a format string that prints FastMathAttr.
	FastMathText = " (`fastmath` `` $fastmath^)? "
	overflowText = " (`overflow` `` $overflowFlags^)? "
)

// keyword describes an attribute that is stored as a number and written as a keyword.
type keyword struct {
	attr     string
	typ      ir.Type
	words    []string
	optional bool
}

// check returns a constraint on an integer attribute: its value must be the number of one
// of the keywords.
func (k keyword) check() ir.AttrConstraint {
	want := "an " + k.typ.String() + " that numbers one of " + strings.Join(k.words, ", ")
	return ir.AttrIf(want, func(a ir.Attr) bool {
		d, ok := ir.AttrAs[ir.IntegerAttr](a)
		return ok && d.Type == k.typ && d.Big == "" && d.V >= 0 && d.V < int64(len(k.words))
	})
}

// syntax returns the parser and the printer of the keyword. As in MLIR, a program may
// also write the keyword as a string in quotes.
func (k keyword) syntax() ir.Hook {
	return ir.Hook{
		ParseFn: func(p *ir.Parser, st *ir.OpParse) {
			off, word := p.Offset(), ""
			switch {
			case p.AtString():
				word = p.Quoted()
			case k.optional && !k.at(p):
				return
			default:
				word = p.Keyword(k.words...)
			}
			if p.Failed() {
				return
			}
			for i, w := range k.words {
				if w == word {
					st.Attr(k.attr, ir.IntAttr(k.typ, int64(i)))
					return
				}
			}
			p.ErrorAt(off, "expected one of %s, found '%s'", strings.Join(k.words, ", "), word)
		},
		PrintFn: func(w *ir.Printer, op *ir.Op) {
			if v, ok := op.Attr(k.attr).AsInt(); ok && v >= 0 && v < int64(len(k.words)) {
				w.Token(k.words[v])
			}
		},
	}
}

// named returns the attribute for one of the words. It panics on another word.
func (k keyword) named(word string) ir.NamedAttr {
	i := slices.Index(k.words, word)
	if i < 0 {
		panic("BUG: " + word + " is not a " + k.attr)
	}
	return ir.NamedAttr{Name: k.attr, Attr: ir.IntAttr(k.typ, int64(i))}
}

// Rounding returns the rounding attribute of a truncf for a keyword, such as
// "toward_zero". It panics on an unknown keyword.
func Rounding(word string) ir.NamedAttr { return roundingMode.named(word) }

// at reports whether the next token is one of the words that the attribute k can have as
// its value.
func (k keyword) at(p *ir.Parser) bool {
	for _, w := range k.words {
		if p.At(w) {
			return true
		}
	}
	return false
}

// roundingMode declares the optional attribute of the operation arith.truncf that selects
// the rounding. The program text contains one of the listed keywords.
var roundingMode = keyword{
	attr: "roundingmode", typ: ir.I32, optional: true,
	words: []string{"to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"},
}

// roundings lists the rounding modes that the words of the attribute roundingMode denote,
// in the order of these words.
var roundings = []num.Rounding{num.NearestEven, num.Floor, num.Ceil, num.Zero, num.NearestAway}
