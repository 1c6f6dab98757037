// This file is the interface of the package.

package ere

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Regexp is a compiled POSIX extended regular expression. Several goroutines may use it
// concurrently.
type Regexp struct {
	groups int
	parts  []node
	tree   node
	refs   []int

	// fast is the entire expression, if Go's syntax can express it.
	fast *regexp.Regexp
	// hint is a more general expression in Go's syntax. It finds possible starts of
	// matches.
	hint *regexp.Regexp
	// prog is the program for this package's own search. It is nil if Go's groups are
	// right.
	prog *program
}

// maxCapture is the maximum length of a match, in bytes, whose groups are determined by
// the POSIX rule. The groups of longer matches follow Go's rule.
const maxCapture = 1 << 10

// Compile compiles expr, an expression in which each rune represents a byte (see Widen).
// If fold is set, the expression ignores the case of ASCII letters.
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

// ambiguous reports whether the parts of an expression contain a choice, or a repetition
// whose body can match more than one character. In such expressions, the group matches of
// Go can differ from those that POSIX prescribes. In all other expressions, Go's greedy
// matching finds the same groups.
func ambiguous(parts []node) bool {
	return slices.ContainsFunc(parts, func(n node) bool {
		switch n := n.(type) {
		case choice:
			return true
		case repeat:
			switch n.body.(type) {
			case char, class:
				return false
			}
			return true
		}
		return false
	})
}

// goCompile compiles a syntax tree with Go's package regexp, using leftmost-longest
// matching.
func goCompile(n node) (*regexp.Regexp, error) {
	re, err := regexp.Compile(translate(n))
	if err == nil {
		re.Longest()
	}
	return re, err
}

// Find searches a text in which each rune represents a byte (see Widen). It returns the
// leftmost-longest match, or nil. The first two elements of the result are the bounds of
// the match. The next two elements are the bounds of group 1, and so on; they are -1 for
// a group that does not take part in the match.
//
// The bounds of a group inside a choice or a repetition may differ from those that POSIX
// prescribes; only back references in the same expression use them. An error means that
// the search exceeded its limit.
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

// slowFind implements the method Find for expressions that Go's syntax cannot express. It
// searches the text with the matcher of this package. It returns the offsets of the match
// and of its groups, or nil if no match exists.
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

// referenced appends to refs the numbers of the groups to which back references in the
// tree n refer, and returns the extended list.
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

// loosen returns an expression that is less strict than n: it has no back references and
// no anchors for the start or end of a word. It matches wherever n matches, so that a
// search with it finds all positions at which a match of n can start. It may also find
// other positions. For example, a search that processes the text in sections treats the
// start of each section as the start of a line.
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

// Quote returns an expression that matches exactly the given text. In the text and in the
// expression, each rune represents a byte (see Widen).
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

// Widen converts every byte of the text to the rune with the same number, so that an
// expression matches single bytes.
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

// Narrow is the inverse of Widen: it converts each rune of the text to the byte with the
// same number.
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
