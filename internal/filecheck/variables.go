// This file holds the variables of a check.

package filecheck

import (
	"math/big"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// numberVar is a numeric variable. Its format cannot change after its first definition.
type numberVar struct {
	name   string
	format format
	// fresh states that the pattern that is being parsed defines the variable.
	fresh bool
}

// declarations holds the variables that are known while the check file is parsed. A name
// denotes either a string or a number.
type declarations struct {
	strings map[string]bool
	numbers map[string]*numberVar
}

func newDeclarations() *declarations {
	return &declarations{strings: map[string]bool{}, numbers: map[string]*numberVar{}}
}

// endPattern is called at the end of a pattern. From then on, the numeric variables that
// the pattern defines are available to the following patterns.
func (d *declarations) endPattern() {
	for _, v := range d.numbers {
		v.fresh = false
	}
}

// values holds the current values of variables during matching.
type values struct {
	// strings maps a string variable to its value, in which each rune represents a byte.
	strings map[string]string
	// numbers maps a numeric variable to its value.
	numbers map[*numberVar]*big.Int
}

// newValues returns the values of the variables that the option -D defines. Each string
// in the parameter defines is one definition. newValues adds the numeric variables to
// decls, the declarations of variables. It also returns a diagnostic for each invalid
// definition. For these diagnostics, the definitions are the lines of a virtual file.
func newValues(defines []string, decls *declarations) (*values, []Diagnostic) {
	v := &values{strings: map[string]string{}, numbers: map[*numberVar]*big.Int{}}
	global := fileOf("global defines", ere.Widen(strings.Join(defines, "\n")))
	var problems []Diagnostic
	pos := 0
	for _, define := range defines {
		define = ere.Widen(define)
		if err := v.define(define, pos, decls); err != nil {
			problems = append(problems, global.at(err.pos, SeverityError, "%s", err.message))
		}
		pos += len(define) + 1
	}
	return v, problems
}

// define parses text, one definition of a variable with the option -D, and defines the
// variable. Error messages need a position, so the definitions count as lines of a
// virtual file; the parameter pos is the offset of the definition in this file. decls are
// the variables that are already declared, and receives this one. define returns an error
// if the definition is malformed.
func (v *values) define(text string, pos int, decls *declarations) *patternError {
	left, right, ok := strings.Cut(text, "=")
	if !ok || left == "" {
		return errorAt(pos, "missing equal sign in global definition '%s'", text)
	}
	if number, ok := strings.CutPrefix(left, "#"); ok {
		return v.defineNumber(number, right, pos+1, decls)
	}
	name, err := scanName(left, pos)
	if err != nil {
		return err
	}
	if name != left || name[0] == '@' {
		return errorAt(pos, "invalid name in string variable definition '%s'", left)
	}
	if decls.numbers[name] != nil {
		return errorAt(pos, "numeric variable with name '%s' already exists", name)
	}
	decls.strings[name] = true
	v.strings[name] = right
	return nil
}

// defineNumber parses the definition of a numeric variable, FORMAT,NAME=EXPRESSION. The
// parameter left is the text before the equals sign, and right is the text after it. A
// definition has the syntax of a numeric block, with an equals sign in place of the
// colon. pos is the offset of the definition in the virtual file of definitions.
func (v *values) defineNumber(left, right string, pos int, decls *declarations) *patternError {
	if strings.TrimLeft(right, " \t") == "" {
		return errorAt(pos, "missing value of numeric variable '%s'", left)
	}
	p := &patternParser{pattern: &pattern{pos: pos}, vars: decls, line: -1}
	defer decls.endPattern()
	if err := p.number(left+":"+right, pos); err != nil {
		return err
	}
	n := p.pieces[0].(*numberPiece)
	value, err := n.expr.eval(v)
	if err == nil {
		_, err = n.format.text(value)
	}
	if err != nil {
		return errorAt(pos, "unable to evaluate '%s': %v", right, err)
	}
	v.numbers[n.define] = value
	return nil
}

// clearLocal removes the local variables, whose names do not start with $. It is called
// at a label.
func (v *values) clearLocal() {
	for name := range v.strings {
		if name[0] != '$' {
			delete(v.strings, name)
		}
	}
	for n := range v.numbers {
		if n.name[0] != '$' {
			delete(v.numbers, n)
		}
	}
}
