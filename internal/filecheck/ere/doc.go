// Package ere matches POSIX extended regular expressions with the rules
// FileCheck's patterns rely on, which Go's regexp package does not offer as
// they stand:
//
//   - back references, \1 to \9, because a variable may be used again on the
//     line that defines it;
//   - one byte is one character, whatever the encoding of the text;
//   - POSIX syntax: `\d` is the letter d, `]` alone is a literal, `[[:<:]]`
//     and `[[:>:]]` are word boundaries, `a**` is an error;
//   - the leftmost-longest match, and inside it every part of the expression
//     as long as the parts after it allow.
//
// What can be said in Go's regexp syntax is translated and runs there, in
// linear time. Only expressions with back references or word boundaries use
// the package's own search, which remembers the states it has seen and gives
// up with an error instead of running for ever.
//
//	set.go      sets of characters
//	parse.go    text to syntax tree
//	bracket.go  bracket expressions
//	translate.go  syntax tree to Go's regexp syntax
//	program.go  syntax tree to instructions of the package's own search
//	search.go   the search, with back references
//	capture.go  which part of a match belongs to which group
//	regexp.go   Compile and Find
//
// Texts are handed in widened: every byte of the original is one rune of the
// same number (Widen, Narrow). Positions are byte positions in the widened
// text, so nothing needs translating for text that is plain ASCII.
package ere
