// This file implements semantic tokens.

package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"ptogo/ir"
)

// tokenLegend names the types of semantic tokens; tokenTypes holds indices in it.
var tokenLegend = protocol.SemanticTokensLegend{
	TokenTypes:     []string{"keyword", "number", "string", "variable", "label", "function", "macro", "type", "comment", "method", "parameter"},
	TokenModifiers: []string{"definition"},
}

// tokenTypes maps each kind of token to the index of its type in tokenLegend.
var tokenTypes = map[ir.TokenKind]uint32{
	ir.WordToken: 0, ir.NumberToken: 1, ir.StringToken: 2, ir.ValueToken: 3, ir.BlockToken: 4, ir.SymbolToken: 5,
	ir.AliasToken: 6, ir.TypeToken: 7, ir.CommentToken: 8,
}

const (
	// The indices of token types that the lexer does not distinguish, and the modifier of
	// a definition.
	typeToken      = 7
	operationToken = 9
	parameterToken = 10
	definitionBit  = 1
)

// SemanticTokensFull implements protocol.Server. It returns the type of every token of a
// document, from which editors derive colors.
func (s *server) SemanticTokensFull(_ context.Context, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	defs := map[int]*ir.ValueDef{}
	params := map[int]bool{}
	for _, def := range d.analysis().index.Defs {
		defs[def.Off] = def
		if def.Values[0].IsBlockArg() {
			params[def.Off] = true
			for _, use := range def.Uses {
				params[use] = true
			}
		}
	}
	data := []uint32{}
	var last protocol.Position
	for _, t := range ir.Tokens(d.src.Text) {
		kind, modifiers := tokenTypes[t.Kind], uint32(0)
		switch word := d.src.Text[t.Start:t.End]; {
		case t.Kind == ir.WordToken && isElementType(word):
			kind = typeToken
		case t.Kind == ir.WordToken && strings.Contains(word, ".") && d.isOpName(t.Start):
			kind = operationToken
		case params[t.Start]:
			kind = parameterToken
		}
		if defs[t.Start] != nil {
			modifiers = definitionBit
		}
		from, to := d.position(t.Start), d.position(t.End)
		if from.Line != to.Line {
			continue // no token of the language has several lines
		}
		column := from.Character
		if from.Line == last.Line {
			column -= last.Character
		}
		data = append(data, from.Line-last.Line, column, to.Character-from.Character, kind, modifiers)
		last = from
	}
	return &protocol.SemanticTokens{Data: data}, nil
}

// isElementType reports whether a word is an element type such as f32, bf16 or ui8.
func isElementType(word string) bool {
	digits := strings.TrimLeft(word, "bfhiestuxm")
	return word == "index" || len(digits) > 0 && digits != word && strings.Trim(digits, "0123456789") == ""
}
