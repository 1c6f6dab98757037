// This file classifies tokens for syntax highlighting.

package ir

import "strings"

// TokenKind is the kind of a token for syntax highlighting.
type TokenKind uint8

// The kinds of tokens that Tokens lists. The list omits punctuation, and text that the
// lexer cannot read.
const (
	WordToken    TokenKind = iota // keyword, name of an operation or attribute
	NumberToken                   // 12, 1.5
	StringToken                   // "..."
	ValueToken                    // %name
	BlockToken                    // ^name
	SymbolToken                   // @name
	AliasToken                    // #name
	TypeToken                     // !name
	CommentToken                  // // to the end of the line
)

// tokenKinds maps the token kinds of the lexer to the kinds that Tokens reports.
var tokenKinds = map[token]TokenKind{
	tokIdent: WordToken, tokInt: NumberToken, tokFloat: NumberToken, tokString: StringToken, tokValue: ValueToken,
	tokBlock: BlockToken, tokSymbol: SymbolToken, tokHash: AliasToken, tokBang: TypeToken,
}

// Token is a token of a text; it occupies the bytes from offset Start up to, but
// excluding, offset End.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// Tokens returns the tokens of a text in order, for syntax highlighting. It also accepts
// texts with errors.
func Tokens(text string) (all []Token) {
	l := lexer{text: text}
	for l.next(); ; l.next() {
		all = appendComments(all, text, l.prevEnd, l.start)
		if l.kind == tokEOF {
			return all
		}
		if kind, ok := tokenKinds[l.kind]; ok {
			all = append(all, Token{kind, l.start, l.end})
		}
		if l.kind == tokBad && l.end == len(text) { // an unterminated string ends with its line
			for l.end = l.start + 1; l.end < len(text) && text[l.end] != '\n'; l.end++ {
			}
		}
	}
}

// appendComments appends a token for each comment in a range of the text to the list in
// the parameter all, and returns the extended list. from is the offset of the first byte
// of the range, and to is the offset after its last byte. The range must contain only
// white space and comments.
func appendComments(all []Token, text string, from, to int) []Token {
	for i := from; i < to; i++ {
		if text[i] != '/' {
			continue
		}
		start := i
		for i < to && text[i] != '\n' {
			i++
		}
		all = append(all, Token{CommentToken, start, i})
	}
	return all
}

// TokenEnd returns the end of the text range that a diagnostic at offset off should mark.
// If a name starts at off, it is the end of the name, where the name may begin with %, @,
// !, # or ^. Otherwise it is the offset after one character.
func TokenEnd(text string, off int) int {
	end := off
	for end < len(text) && (isSuffixByte(text[end]) || end == off && strings.IndexByte("%@!#^", text[end]) >= 0) {
		end++
	}
	return max(end, min(off+1, len(text)))
}
