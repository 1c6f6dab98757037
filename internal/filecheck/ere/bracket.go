// This file parses bracket expressions.

package ere

import "strings"

// bracket parses a bracket expression after its opening bracket.
func (p *parser) bracket() (node, error) {
	if n := p.wordBoundary(); n != 0 {
		p.hasWord = true
		return n, nil
	}
	var s set
	negated := p.accept('^')
	// Directly after the opening, ']' and '-' stand for themselves.
	if p.accept(']') {
		s.add(']')
	} else if p.accept('-') {
		s.add('-')
	}
	for p.more() && p.peek() != ']' && !strings.HasPrefix(p.text[p.pos:], "-]") {
		if err := p.bracketTerm(&s); err != nil {
			return nil, err
		}
	}
	if p.accept('-') {
		s.add('-')
	}
	if !p.accept(']') {
		return nil, errBrackets
	}
	if p.fold {
		s.fold()
	}
	if negated {
		s.negate()
	}
	return class{s}, nil
}

// wordBoundary consumes [:<:]] or [:>:]], which look like classes but are word
// boundaries. It returns 0 if the text is neither.
func (p *parser) wordBoundary() anchor {
	rest := p.text[p.pos:]
	for _, a := range []anchor{wordStart, wordEnd} {
		if spelled := "[:" + string(rune(a)) + ":]]"; strings.HasPrefix(rest, spelled) {
			p.pos += len(spelled)
			return a
		}
	}
	return 0
}

// bracketTerm parses one class, equivalence class, character or range, and adds it to the
// set s.
func (p *parser) bracketTerm(s *set) error {
	if p.peek() == '-' {
		return errRange
	}
	if name, ok, err := p.delimited(':', errClass); ok || err != nil {
		if err == nil && !s.addClass(name) {
			err = errClass
		}
		return err
	}
	if name, ok, err := p.delimited('=', errCollate); ok || err != nil {
		if err != nil {
			return err
		}
		c, ok := single(name)
		if !ok {
			return errCollate
		}
		s.add(c)
		return nil
	}
	lo, err := p.bracketChar()
	if err != nil {
		return err
	}
	hi := lo
	if p.peek() == '-' && !strings.HasPrefix(p.text[p.pos:], "-]") {
		p.pos++
		if p.accept('-') {
			hi = '-'
		} else if hi, err = p.bracketChar(); err != nil {
			return err
		}
	}
	if hi < lo {
		return errRange
	}
	s.addRange(lo, hi)
	return nil
}

// bracketChar parses one character or a collating element [.c.]. Inside brackets, a
// backslash is an ordinary character.
func (p *parser) bracketChar() (rune, error) {
	if !p.more() {
		return 0, errBrackets
	}
	name, ok, err := p.delimited('.', errCollate)
	if err != nil {
		return 0, err
	}
	if !ok {
		return p.next(), nil
	}
	c, ok := single(name)
	if !ok {
		return 0, errCollate
	}
	return c, nil
}

// delimited parses a name between delimiters, such as [:name:]; the parameter mark is the
// character in place of the colon. The result found is false if the text does not start
// with the delimiter. If the name is empty, it returns the error missing.
func (p *parser) delimited(mark byte, missing error) (name string, found bool, err error) {
	if !strings.HasPrefix(p.text[p.pos:], "["+string(mark)) {
		return "", false, nil
	}
	rest := p.text[p.pos+2:]
	end := strings.Index(rest, string(mark)+"]")
	switch {
	case end < 0 && mark == ':':
		return "", false, errBrackets
	case end < 0:
		return "", false, errBrackets
	case end == 0:
		return "", false, missing
	}
	p.pos += 2 + end + 2
	return rest[:end], true, nil
}

// single returns the character that a collating element in brackets represents. The name
// of the element is the character itself, or one of the portable names that POSIX
// defines, such as hyphen. The second result is false for an unknown name.
func single(name string) (rune, bool) {
	if r := []rune(name); len(r) == 1 {
		return r[0] & 0xff, true
	}
	c, ok := collatingNames[name]
	return c, ok
}

var collatingNames = map[string]rune{
	"NUL": 0, "tab": '\t', "newline": '\n', "vertical-tab": '\v',
	"form-feed": '\f', "carriage-return": '\r', "space": ' ',
	"exclamation-mark": '!', "quotation-mark": '"', "number-sign": '#',
	"dollar-sign": '$', "percent-sign": '%', "ampersand": '&',
	"apostrophe": '\'', "left-parenthesis": '(', "right-parenthesis": ')',
	"asterisk": '*', "plus-sign": '+', "comma": ',', "hyphen": '-',
	"hyphen-minus": '-', "period": '.', "full-stop": '.', "slash": '/',
	"solidus": '/', "colon": ':', "semicolon": ';', "less-than-sign": '<',
	"equals-sign": '=', "greater-than-sign": '>', "question-mark": '?',
	"commercial-at": '@', "left-square-bracket": '[', "backslash": '\\',
	"reverse-solidus": '\\', "right-square-bracket": ']', "circumflex": '^',
	"circumflex-accent": '^', "underscore": '_', "low-line": '_',
	"grave-accent": '`', "left-brace": '{', "left-curly-bracket": '{',
	"vertical-line": '|', "right-brace": '}', "right-curly-bracket": '}',
	"tilde": '~', "DEL": 127,
}
