// This file classifies tokens for syntax highlighting.

package ir

import "strings"

// TokenKind is the kind of a token for highlighting.
type TokenKind uint8

// The kinds of tokens. Punctuation and text that the lexer cannot read are not
// reported.
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

// tokenKinds are the kinds that are reported, by kind of the lexer.
var tokenKinds = map[token]TokenKind{
	tokIdent: WordToken, tokInt: NumberToken, tokFloat: NumberToken, tokString: StringToken, tokValue: ValueToken,
	tokBlock: BlockToken, tokSymbol: SymbolToken, tokHash: AliasToken, tokBang: TypeToken,
}

// Token is a token of a text, from offset Start to offset End.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// Tokens returns the tokens of a text in order. It accepts any text.
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

// appendComments appends the comments of text[from:to], which contains only blanks
// and comments.
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

// TokenEnd returns the offset after the word at off, for the end of what a diagnostic
// points to: a name with its sigil, or else one character.
func TokenEnd(text string, off int) int {
	end := off
	for end < len(text) && (isSuffixByte(text[end]) || end == off && strings.IndexByte("%@!#^", text[end]) >= 0) {
		end++
	}
	return max(end, min(off+1, len(text)))
}
