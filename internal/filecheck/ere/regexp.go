// This file is the interface of the package.

package ere

import (
	"fmt"
	"regexp"
	"strings"
)

// Regexp is a compiled expression. It may be used by several goroutines.
type Regexp struct {
	groups int
	parts  []node
	tree   node
	refs   []int

	fast *regexp.Regexp // the whole expression, when Go's syntax can say it
	hint *regexp.Regexp // a wider one that finds where a match can begin
	prog *program       // nil when Go's own groups are right
}

// maxCapture is the longest match whose groups are worked out by the POSIX
// rule; beyond it Go's rule has to do.
const maxCapture = 1 << 10

// Compile reads a widened expression. With fold, ASCII letters match in
// either case.
func Compile(expr string, fold bool) (*Regexp, error) {
	p, tree, err := parse(expr, fold)
	if err != nil {
		return nil, fmt.Errorf("invalid regex: %w", err)
	}
	re := &Regexp{groups: p.groups, tree: tree, parts: topLevel(tree, nil)}
	if p.hasBackref || p.hasWord {
		re.refs = referenced(tree, nil)
		// Without a hint, every position is tried.
		re.hint, _ = regexp.Compile(translate(loosen(tree)))
	} else if re.fast, err = goCompile(tree); err != nil {
		return nil, fmt.Errorf("unsupported regex: %w", err)
	}
	if re.fast == nil || ambiguous(re.parts) {
		if re.prog, err = assemble(re.parts); err != nil {
			return nil, fmt.Errorf("unsupported regex: %w", err)
		}
	}
	return re, nil
}

// goCompile compiles a tree with leftmost-longest matching.
func goCompile(n node) (*regexp.Regexp, error) {
	re, err := regexp.Compile(translate(n))
	if err == nil {
		re.Longest()
	}
	return re, err
}

// Find returns the leftmost-longest match in the widened text: the first two
// positions are its bounds, the next two those of group 1 and so on, -1 for a
// group that took no part. Of a group inside a choice or a repetition only
// back references know where it matched; its positions mean nothing. Without
// a match Find returns nil. The error says that the search gave up.
func (re *Regexp) Find(text string) ([]int, error) {
	if re.fast == nil {
		return re.slowFind(text)
	}
	loc := re.fast.FindStringSubmatchIndex(text)
	if loc != nil && re.prog != nil && loc[1]-loc[0] <= maxCapture {
		re.prog.capture(re.parts, text, loc[0], loc[1], loc)
	}
	return loc, nil
}

// slowFind is Find for what Go's syntax cannot say.
func (re *Regexp) slowFind(text string) ([]int, error) {
	s := &search{prog: re.prog, text: text, refs: re.refs, nslots: 2 * (re.groups + 1), seen: map[string]struct{}{}}
	loc, err := s.find(func(from int) int {
		if re.hint == nil || from >= len(text) {
			return from
		}
		if at := re.hint.FindStringIndex(text[from:]); at != nil {
			return from + at[0]
		}
		return -1
	})
	if loc != nil && len(re.refs) == 0 {
		re.prog.capture(re.parts, text, loc[0], loc[1], loc)
	}
	return loc, err
}

// referenced lists the groups the tree's back references name.
func referenced(n node, refs []int) []int {
	switch n := n.(type) {
	case backref:
		for _, r := range refs {
			if r == int(n) {
				return refs
			}
		}
		return append(refs, int(n))
	case sequence:
		for _, part := range n {
			refs = referenced(part, refs)
		}
	case choice:
		for _, part := range n {
			refs = referenced(part, refs)
		}
	case group:
		return referenced(n.body, refs)
	case repeat:
		return referenced(n.body, refs)
	}
	return refs
}

// loosen returns a tree that matches at least wherever n does and needs
// neither back references nor boundaries. Cutting a text into pieces can only
// add line starts, so the result is safe to look for begins of matches with.
func loosen(n node) node {
	switch n := n.(type) {
	case backref:
		var all set
		all.addRange(0, 255)
		return repeat{body: class{all}, max: -1, lazy: true}
	case anchor:
		if n == wordStart || n == wordEnd {
			return sequence{}
		}
	case sequence:
		parts := make(sequence, len(n))
		for i, part := range n {
			parts[i] = loosen(part)
		}
		return parts
	case choice:
		parts := make(choice, len(n))
		for i, part := range n {
			parts[i] = loosen(part)
		}
		return parts
	case group:
		return group{n.index, loosen(n.body)}
	case repeat:
		return repeat{body: loosen(n.body), min: n.min, max: n.max}
	}
	return n
}

// Quote returns an expression that matches the widened text and nothing else.
func Quote(text string) string {
	if !strings.ContainsAny(text, `\.+*?()|[]{}^$`) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Widen turns every byte into the rune of the same number.
func Widen(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

// Narrow undoes Widen.
func Narrow(text string) string {
	if isASCII(text) {
		return text
	}
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = append(b, byte(r))
	}
	return string(b)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
