// This file assigns C++ names that neither collide with keywords nor with the library.

package cpp

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// reserved are names that a variable must not have: keywords of C++, and names of the
// library that the variable would hide.
var reserved = sync.OnceValue(func() map[string]bool {
	return words(`alignas alignof and asm auto bitand bitor bool break case catch char class compl concept
	const constexpr continue decltype default delete do double else enum explicit export extern false float for
	friend goto if inline int int8_t int16_t int32_t int64_t long mutable namespace new noexcept not nullptr
	operator or private protected public register requires return short signed sizeof static struct switch
	template this throw true try typedef typeid typename uint8_t uint16_t uint32_t uint64_t union unsigned using
	virtual void volatile wchar_t while xor half bfloat16_t event_t main pto std comm cce trap dcci dsb dim3
	get_block_idx get_block_num get_subblockid get_subblockdim set_flag wait_flag pipe_barrier Tile GlobalTensor
	TPipe Shape Stride Layout printf linux unix`)
})

// words splits a text at spaces and returns the resulting words as a set.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// nameFor chooses a C++ variable name for a value. It is the name of the value in the
// source if it has one, and a letter with a number if it has none.
func (f *function) nameFor(v *ir.Value) string {
	hint := v.Name()
	if hint == "" || '0' <= hint[0] && hint[0] <= '9' {
		return f.number("v")
	}
	return f.unique(hint)
}

// number returns a new variable name that consists of the given letter and a number,
// which is one higher than that of the previous name.
func (f *function) number(letter string) string {
	f.numbered++
	return f.unique(letter + strconv.Itoa(f.numbered))
}

// unique returns a variable name derived from hint that is not used in the function. It
// also avoids names of functions, because the variable would hide the function from later
// calls.
func (f *function) unique(hint string) string {
	name := identifier(hint)
	for {
		n, taken := f.taken[name]
		if !taken && !f.functions.taken[name] {
			f.taken[name] = 0
			return name
		}
		f.taken[name] = n + 1
		name += "_" + strconv.Itoa(n)
	}
}

// functionNames are the C++ names of the functions of a program.
type functionNames struct {
	of    map[*ir.Op]string
	taken map[string]bool
	// inner are the names of functions with the code of kernels that other functions call:
	// device code cannot call a kernel.
	inner map[*ir.Op]string
}

// nameFunctions assigns C++ names to functions. It keeps every name that is valid in C++
// and not the name of another defined function, because other code may call the function
// by this name. Functions without a body, which other code defines, come first. Any other name is changed: symbols of the IR may contain any characters,
// and nested modules may define the same symbol. nameFunctions replaces invalid
// characters, and appends an underscore and a number until the name is free. It warns if
// other code could depend on the original name.
func (m *module) nameFunctions(fns []*ir.Op) {
	m.functions = functionNames{map[*ir.Op]string{}, map[string]bool{}, map[*ir.Op]string{}}
	for _, defines := range []bool{false, true} {
		for _, f := range fns {
			name := fn.Name(f)
			if defines != (fn.Body(f) != nil) || word(name) != name || defines && m.functions.taken[name] {
				continue
			}
			m.functions.give(f, name)
		}
	}
	clashes := map[string]int{} // by name, so that n equal names need n steps
	for _, f := range fns {
		if m.functions.of[f] != "" {
			continue
		}
		base := word(fn.Name(f))
		name := base
		for m.functions.taken[name] {
			if clashes[base]++; clashes[base] == 1 {
				name = base + "_"
			} else {
				name = fmt.Sprintf("%s_%d", base, clashes[base])
			}
		}
		m.functions.give(f, name)
		if fn.Body(f) == nil || m.isEntry(f) {
			m.diags.Add(ir.Warning, f.Loc(), "function @"+fn.Name(f)+" is called "+name+" in C++, where its own name is not allowed or taken")
		}
	}
	for _, f := range fns {
		if m.called[f] && m.isEntry(f) {
			name := m.functions.of[f] + "_called"
			for m.functions.taken[name] {
				name += "_"
			}
			m.functions.inner[f], m.functions.taken[name] = name, true
		}
	}
}

// give assigns a C++ name to the function f. It marks the name as used, so that no other
// function receives it.
func (n *functionNames) give(f *ir.Op, name string) {
	n.of[f], n.taken[name] = name, true
}

// identifier converts a hint to a valid name of a variable. A name that consists of
// capitals receives a suffix, because it could be a macro or a function of the library.
func identifier(hint string) string {
	name := word(hint)
	if len(name) > 2 && strings.IndexFunc(name, unicode.IsLower) < 0 {
		name += "_"
	}
	return name
}

// word converts a name hint to a valid C++ identifier. It replaces all characters except
// letters, digits and underscores by underscores. It also changes names that begin with a
// digit and names that are reserved.
func word(hint string) string {
	clean := true
	for i := range len(hint) {
		clean = clean && isWord(hint[i])
	}
	if !clean {
		hint = strings.Map(func(r rune) rune {
			if r < 128 && isWord(byte(r)) {
				return r
			}
			return '_'
		}, hint)
	}
	switch {
	case hint == "" || '0' <= hint[0] && hint[0] <= '9':
		return "v" + hint
	case reserved()[hint]:
		return hint + "_"
	}
	return hint
}

// isWord reports whether c may be part of an identifier.
func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}
