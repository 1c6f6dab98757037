// This file splits command lines into words.

package lit

import (
	"errors"
	"fmt"
	"strings"
)

// fragment is a section of a word in a command line with one kind of quoting. The shell
// expands globs only in unquoted fragments. It replaces variables in all fragments except
// those in single quotes.
type fragment struct {
	// text is the contents without the quotes.
	text string
	// quoted reports whether the fragment is in quotes of any kind.
	quoted bool
	// single reports whether the fragment is in single quotes, or is an escaped
	// character.
	single bool
}

// word is an argument before expansion.
type word []fragment

// token is an operator or a word.
type token struct {
	// op is the operator, or empty for a word.
	op string
	// fd is the file descriptor of a redirection, or -1.
	fd   int
	word word
}

// errSubstitution is the error for $(...) and backquotes.
var errSubstitution = errors.New("command substitution is not supported in RUN lines")

// operators lists the operators of the shell. A longer operator precedes its prefixes.
var operators = []string{"<<<", "&>>", "&&", "||", "|&", "&>", ">&", "<&", ">>", "<<", ">|", "|", ";", "(", ")", "<", ">", "&"}

// unsupportedOperators maps each shell operator that the package does not support to its
// name, for messages.
var unsupportedOperators = map[string]string{
	"<<<": "here string", "<<": "here document", "&": "background command",
}

// lex splits a command line into tokens.
func lex(line string) ([]token, error) {
	var tokens []token
	for i := 0; i < len(line); {
		if strings.IndexByte(" \t\n", line[i]) >= 0 {
			i++
			continue
		}
		if t, n, err := lexOperator(line[i:]); err != nil {
			return nil, err
		} else if n > 0 {
			tokens = append(tokens, t)
			i += n
			continue
		}
		w, n, err := lexWord(line[i:])
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token{word: w, fd: -1})
		i += n
	}
	return tokens, nil
}

// lexOperator scans an operator at the start of the text. It returns the operator as a
// token, and its length in bytes. The length is 0 if the text does not start with an
// operator. If a digit directly precedes < or >, it is part of the operator: the number
// of the file descriptor that is redirected. lexOperator returns an error for an operator
// of the shell that this package does not support.
func lexOperator(text string) (token, int, error) {
	// -1 means the default descriptor of the operator.
	t, n := token{fd: -1}, 0
	if len(text) > 1 && '0' <= text[0] && text[0] <= '9' && (text[1] == '<' || text[1] == '>') {
		t.fd, n = int(text[0]-'0'), 1
	}
	for _, op := range operators {
		if !strings.HasPrefix(text[n:], op) {
			continue
		}
		if what, bad := unsupportedOperators[op]; bad {
			return t, 0, fmt.Errorf("the shell feature %s (%s) is not supported in RUN lines", what, op)
		}
		t.op = op
		return t, n + len(op), nil
	}
	return t, 0, nil
}

// lexWord scans a word at the start of the text, which ends before a blank or an
// operator. It returns the word and its length in bytes. It returns an error for syntax
// that is not supported, such as $(command), and for a word that is not complete.
func lexWord(text string) (word, int, error) {
	var w word
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			w = append(w, fragment{text: plain.String()})
			plain.Reset()
		}
	}
	i := 0
	for i < len(text) && !strings.ContainsRune(" \t\n|&;()<>", rune(text[i])) {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "$("):
			return nil, 0, errSubstitution
		case c == '\'' || c == '"':
			flush()
			f, n, err := lexQuoted(text[i:])
			if err != nil {
				return nil, 0, err
			}
			w = append(w, f...)
			i += n
		case c == '\\':
			if i+1 == len(text) {
				return nil, 0, fmt.Errorf("expected a character after the backslash at the end of a command")
			}
			flush()
			w = append(w, fragment{text: text[i+1 : i+2], quoted: true, single: true})
			i += 2
		case c == '`':
			return nil, 0, errSubstitution
		default:
			plain.WriteByte(c)
			i++
		}
	}
	flush()
	return w, i, nil
}

// lexQuoted scans a quoted section at the start of the text. The returned length includes
// the quotes.
func lexQuoted(text string) ([]fragment, int, error) {
	quote := text[0]
	if quote == '\'' {
		end := strings.IndexByte(text[1:], quote)
		if end < 0 {
			return nil, 0, fmt.Errorf("missing closing '")
		}
		return []fragment{{text: text[1 : 1+end], quoted: true, single: true}}, end + 2, nil
	}
	var parts []fragment
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return append(parts, fragment{text: b.String(), quoted: true}), i + 1, nil
		case c == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0:
			// An escaped character is not expanded.
			parts = append(parts, fragment{text: b.String(), quoted: true},
				fragment{text: text[i+1 : i+2], quoted: true, single: true})
			b.Reset()
			i++
		case c == '`' || strings.HasPrefix(text[i:], "$("):
			return nil, 0, errSubstitution
		default:
			b.WriteByte(c)
		}
	}
	return nil, 0, fmt.Errorf(`missing closing "`)
}
