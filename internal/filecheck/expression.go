// This file evaluates numeric expressions.

package filecheck

import (
	"errors"
	"fmt"
	"math/big"
)

// expression is a numeric expression.
type expression interface {
	// eval returns the value, or the errors of all operands that have no value.
	eval(v *values) (*big.Int, error)
	// implicit returns the format that follows from the variables in the
	// expression. Its verb is 0 if there are none.
	implicit() (format, error)
	// String returns the expression for messages.
	String() string
}

// The nodes of an expression: literals, @LINE, variables and binary operations. The value
// of @LINE is known when the check file is parsed but, unlike a literal, it has a format.
type (
	literalExpr struct{ value *big.Int }
	lineExpr    int
	varExpr     struct {
		*numberVar
		pos int
	}
	binaryExpr struct {
		text        string
		f           func(a, b *big.Int) (*big.Int, error)
		left, right expression
	}
)

// undefinedError is the error of using a variable without a value.
type undefinedError struct {
	name string
	pos  int
}

func (e *undefinedError) Error() string { return "undefined variable: " + e.name }

func (e literalExpr) eval(*values) (*big.Int, error) { return e.value, nil }
func (e literalExpr) implicit() (format, error)      { return format{}, nil }
func (e literalExpr) String() string                 { return e.value.String() }

func (e lineExpr) eval(*values) (*big.Int, error) { return big.NewInt(int64(e)), nil }
func (e lineExpr) implicit() (format, error)      { return format{verb: 'u'}, nil }
func (e lineExpr) String() string                 { return "@LINE" }

// eval returns the value of the variable. It reads the current value from v at each
// match, because a directive can set the variable while the input is matched. It returns
// an error if the variable is undefined.
func (e varExpr) eval(v *values) (*big.Int, error) {
	if value, ok := v.numbers[e.numberVar]; ok {
		return value, nil
	}
	return nil, &undefinedError{e.name, e.pos}
}
func (e varExpr) implicit() (format, error) { return e.format, nil }
func (e varExpr) String() string            { return e.name }

// eval evaluates both operands even after an error, so that all undefined variables are
// reported together.
func (e binaryExpr) eval(v *values) (*big.Int, error) {
	a, errA := e.left.eval(v)
	b, errB := e.right.eval(v)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	return e.f(a, b)
}

// implicit returns the format of the expression: the format of its two operands, or of
// the only operand that has a format. Two different formats are an error, because neither
// has priority.
func (e binaryExpr) implicit() (format, error) {
	a, err := e.left.implicit()
	if err != nil {
		return a, err
	}
	b, err := e.right.implicit()
	switch {
	case err != nil || a.verb == 0:
		return b, err
	case b.verb == 0 || a == b:
		return a, nil
	}
	return a, fmt.Errorf("implicit format conflict between '%v' (%%%c) and '%v' (%%%c), need an explicit format specifier",
		e.left, a.verb, e.right, b.verb)
}

func (e binaryExpr) String() string { return e.text }

// maxBits limits the size of numbers in expressions, in bits. Otherwise a chain of
// multiplications could exhaust memory.
const maxBits = 1 << 16

// multiply returns the product of a and b, or an error if it could exceed maxBits.
func multiply(a, b *big.Int) (*big.Int, error) {
	if a.BitLen()+b.BitLen() > maxBits {
		return nil, errOverflow
	}
	return new(big.Int).Mul(a, b), nil
}

// functions maps the names of the functions in numeric expressions, and of the operators,
// to their implementations.
var functions = map[string]func(a, b *big.Int) (*big.Int, error){
	"add": func(a, b *big.Int) (*big.Int, error) { return new(big.Int).Add(a, b), nil },
	"sub": func(a, b *big.Int) (*big.Int, error) { return new(big.Int).Sub(a, b), nil },
	"mul": multiply,
	"div": func(a, b *big.Int) (*big.Int, error) {
		if b.Sign() == 0 {
			return nil, errOverflow
		}
		return new(big.Int).Quo(a, b), nil
	},
	"max": func(a, b *big.Int) (*big.Int, error) {
		if a.Cmp(b) < 0 {
			return b, nil
		}
		return a, nil
	},
	"min": func(a, b *big.Int) (*big.Int, error) {
		if a.Cmp(b) > 0 {
			return b, nil
		}
		return a, nil
	},
}

// number parses text, the contents of a numeric block [[#...]]. The syntax of the
// contents is "FORMAT, NAME: == EXPRESSION"; each part is optional. number adds the block
// to the pattern, or returns an error if the contents are malformed.
func (p *patternParser) number(text string, pos int) *patternError {
	n := &numberPiece{text: text, pos: pos}
	e := &exprParser{text: text, base: pos, vars: p.vars, line: p.line}
	explicit, err := e.format()
	if err != nil {
		return err
	}
	name, namePos, err := e.definition()
	if err != nil {
		return err
	}
	e.blanks()
	equal := e.accept("==")
	// Without an expression the block matches any number of the format.
	if e.blanks(); e.rest() == "" {
		if equal {
			return errorAt(e.at(), "empty numeric expression should not have a constraint")
		}
	} else if n.expr, err = e.expression(); err != nil {
		return err
	}
	if n.format, err = blockFormat(explicit, n.expr, pos); err != nil {
		return err
	}
	if name != "" {
		if n.define, err = p.vars.defineNumber(name, n.format, namePos); err != nil {
			return err
		}
	}
	p.pieces = append(p.pieces, n)
	return nil
}

// blockFormat returns the format in which a numeric block matches numbers. explicit is
// the format that the block states, e is its expression, and pos is the offset of the
// block in the check file. If the explicit format has a conversion letter, it is the
// result. If it has no letter, the result is the format of the variables in the
// expression. A precision that the block states is then ignored, as in LLVM. If the
// variables have no format either, the default completes the explicit format. The error
// result is set if the variables have different formats.
func blockFormat(explicit format, e expression, pos int) (format, *patternError) {
	if explicit.verb == 0 && e != nil {
		implicit, err := e.implicit()
		if err != nil {
			return implicit, errorAt(pos, "%v", err)
		}
		if implicit.verb != 0 {
			return implicit, nil
		}
	}
	return explicit.orDefault(), nil
}

// defineNumber declares the numeric variable name, which the current pattern defines with
// format f.
func (d *declarations) defineNumber(name string, f format, pos int) (*numberVar, *patternError) {
	if d.strings[name] {
		return nil, errorAt(pos, "string variable with name '%s' already exists", name)
	}
	v := d.numbers[name]
	if v == nil {
		v = &numberVar{name: name, format: f}
		d.numbers[name] = v
	} else if v.format != f {
		return nil, errorAt(pos, "format different from previous variable definition")
	}
	v.fresh = true
	return v, nil
}

// undefined returns the uses of undefined variables in err, the error of an evaluation.
func undefined(err error) []*undefinedError {
	switch err := err.(type) {
	case *undefinedError:
		return []*undefinedError{err}
	case interface{ Unwrap() []error }:
		var all []*undefinedError
		for _, e := range err.Unwrap() {
			all = append(all, undefined(e)...)
		}
		return all
	}
	return nil
}
