// This file proposes operations and operands that the text lacks.

package repair

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

// missing returns the attempts that add what the error e misses: the definition of a value,
// the end of a function, or an operand.
func missing(a *attempt, e *ir.Diag, off int) []*attempt {
	if m := noName().FindStringSubmatch(e.Text); m != nil {
		return definitions(a, m[1], off)
	}
	switch {
	case strings.HasSuffix(e.Text, "contains a block that does not end in a terminator"):
		return returns(a, off)
	case tooFew().MatchString(e.Text), strings.HasPrefix(e.Text, "expected ',', found ':'"):
		return missingInput(a, off)
	case strings.HasPrefix(e.Text, "expected 'outs'"):
		return missingOutput(a, off)
	}
	return nil
}

// The messages and names from which missing concludes what to add.
var (
	tooFew = pattern.Of(`^'[\w.]+' op (?:expects \d+ operands here, found \d+|has \d+ operands? here, but expects at least \d+)$`)
	// numbered matches the names that frontends give to constants, as in %c16_index.
	numbered = pattern.Of(`^%c(\d+)(?:_(index|i1|i8|i16|i32|i64))?$`)
	// function matches a function up to the brace of its body.
	function = pattern.Of(`(?m)^[ \t]*func\.func\b.*(?:\n[ \t]*attributes\b.*)?\{[ \t]*$`)
	// inputs and outputs match the operands of an instruction on buffers, up to their types.
	inputs  = pattern.Of(`\bins\(([^:()]*)(:)`)
	outputs = pattern.Of(`\bouts\((%[\w$.\-]+)`)
	// allocated matches the allocation of a tile.
	allocated = pattern.Of(`(?m)^[ \t]*(%[\w$.\-]+) = pto\.alloc_tile\b`)
	// placed matches the allocation of a tile at an address.
	placed = pattern.Of(`pto\.alloc_tile addr\b`)
)

// definitions returns the attempts that define the value name, which is used at off: as the
// constant that it is called after, or as a tile that the operation at off writes.
func definitions(a *attempt, name string, off int) []*attempt {
	for _, use := range regexp.MustCompile(regexp.QuoteMeta(name)+`\b`).FindAllStringIndex(a.text, -1) {
		a = a.judging(use[0])
	}
	if m := numbered().FindStringSubmatch(name); m != nil {
		heads := function().FindAllStringIndex(a.text[:off], -1)
		if len(heads) == 0 {
			return nil
		}
		typ := m[2]
		if typ == "" {
			typ = "index"
		}
		at := heads[len(heads)-1][1]
		line := fmt.Sprintf("%s = arith.constant %s : %s", name, m[1], typ)
		return []*attempt{a.edit(span{at, at}, "\n"+indentation(strings.TrimLeft(a.text[at:], "\r\n"))+line, costType).called("with " + line)}
	}
	s := extent(a.text, off)
	m := outputs().FindStringSubmatchIndex(a.text[s.off:s.end])
	if m == nil || a.text[s.off+m[2]:s.off+m[3]] != name || placed().MatchString(a.text) || !reads(a.text, name) {
		return nil // a name that nothing else has is misspelt
	}
	all := types(a.text, span{s.off + m[3], s.end})
	if len(all) == 0 {
		return nil
	}
	line := fmt.Sprintf("%s = pto.alloc_tile : %s", name, a.text[all[0].off:all[0].end])
	return []*attempt{a.edit(span{s.off, s.off}, indentation(a.text[s.off:])+line+"\n", costType).called("with " + line)}
}

// returns returns the attempt that ends the function at off with a return.
func returns(a *attempt, off int) []*attempt {
	start := strings.LastIndexByte(a.text[:off], '\n') + 1
	head := function().FindStringIndex(a.text[start:])
	if head == nil || head[0] > 0 {
		return nil
	}
	end := closingBrace(a.text, start+head[1]-1)
	if end < 0 {
		return nil
	}
	at := strings.LastIndexByte(a.text[:end], '\n') + 1
	return []*attempt{a.edit(span{at, at}, indentation(a.text[at:])+"  return\n", costType).called("with a return at the end")}
}

// closingBrace returns the offset of the brace that closes the one at off, or -1.
func closingBrace(text string, off int) int {
	depth, comment, quoted := 0, false, false
	for i := off; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			comment, quoted = false, false
		case comment:
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.HasPrefix(text[i:], "//"):
			comment = true
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// missingInput returns the attempts that add an operand to the inputs of the instruction at
// off, which has one more type than operands: the only tile of this type before it that no
// instruction reads. The type must be that of no other operand, or the order is a guess.
func missingInput(a *attempt, off int) []*attempt {
	s := extent(a.text, off)
	m := inputs().FindStringSubmatchIndex(a.text[s.off:s.end])
	if m == nil {
		return nil
	}
	list := span{s.off + m[2], s.off + m[3]}
	names := strings.Split(strings.TrimSpace(a.text[list.off:list.end]), ", ")
	all := types(a.text, span{s.off + m[4], s.off + strings.Index(a.text[s.off:s.end], ") outs")})
	if len(all) != len(names)+1 {
		return nil
	}
	r := newReader(a.text)
	var tries []*attempt
	for i, place := range all {
		t := r.typeOf(a.text[place.off:place.end])
		name := unread(a.text, r, t, s.off)
		if name == "" || len(r.named(a.text, all, t.String())) > 1 {
			continue
		}
		full := strings.Join(slices.Insert(slices.Clone(names), i, name), ", ")
		tries = append(tries, a.edit(list, full+" ", costOperation).called("with the operand "+name+", which no instruction reads"))
	}
	return tries
}

// unread returns the only tile of type t that is allocated before the offset off and that
// no instruction reads, or "".
func unread(text string, r *reader, t ir.Type, off int) string {
	only := ""
	for _, m := range allocated().FindAllStringSubmatchIndex(text[:off], -1) {
		name := text[m[2]:m[3]]
		if r.typeOf(ofValue(text, name, off)) != t || reads(text, name) {
			continue
		}
		if only != "" {
			return ""
		}
		only = name
	}
	return only
}

// reads reports whether an operation has the value name as an operand that it does not only
// write.
func reads(text, name string) bool {
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(name)+`(?:[^\w$.\-]|$)`).FindAllStringIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:m[0]], '\n')+1 : m[0]]
		if strings.TrimSpace(line) != "" && !strings.HasSuffix(line, "outs(") && !strings.Contains(line, "//") {
			return true
		}
	}
	return false
}

// missingOutput returns the attempt that adds the output of the instruction at off: the only
// tile that is allocated before it and that no instruction writes.
func missingOutput(a *attempt, off int) []*attempt {
	written := map[string]bool{}
	for _, m := range outputs().FindAllStringSubmatch(a.text, -1) {
		written[m[1]] = true
	}
	only := ""
	for _, m := range allocated().FindAllStringSubmatch(a.text[:off], -1) {
		if written[m[1]] {
			continue
		}
		if only != "" {
			return nil
		}
		only = m[1]
	}
	if only == "" {
		return nil
	}
	end := len(strings.TrimRight(a.text[:off], " \t\r\n"))
	text := fmt.Sprintf(" outs(%s : %s)", only, ofValue(a.text, only, off))
	return []*attempt{a.edit(span{end, end}, text, costOperation).called("with the output " + only + ", which no instruction writes")}
}
