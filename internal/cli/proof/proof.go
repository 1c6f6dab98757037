// Package proof contains what pto-run --equivalent and pto-opt --verify-equivalence share:
// the description of two programs that package equiv compares.
package proof

import (
	"fmt"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
	"ptogo/runtime/expr"
)

// ParseModulo parses a list of names, each for a kind of differences that a proof
// ignores, such as nan-bits. The parameter option is the name of the command-line option,
// for errors.
func ParseModulo(option string, names []string) (m expr.Modulo, err error) {
	for _, name := range names {
		switch name {
		case "nan-bits":
			m.NaNBits = true
		case "reassociation":
			m.Reassociation = true
		case "reciprocal":
			m.Reciprocal = true
		default:
			return m, fmt.Errorf("unknown value '%s' for %s: expected nan-bits, reassociation or reciprocal", name, option)
		}
	}
	return m, nil
}

// ParamText returns the name of a parameter for messages, or its number i if it has no
// name.
func ParamText(p kernel.Param, i int) string {
	if p.Name == "" {
		return fmt.Sprintf("argument %d", i)
	}
	return "%" + ir.Visible(p.Name)
}

// SideOf returns the fields of the program p that package equiv needs when it compares p
// with another program.
func SideOf(p *kernel.Program) equiv.Side {
	return equiv.Side{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features}
}

// extraBytes is the size in bytes of a buffer argument in an equivalence check. It is for
// a pointer parameter that only one of the two compared programs has.
const extraBytes = 1 << 20

// WithExtra returns the program s with arguments for the parameters params, which only
// this program has. They follow the parameters that both programs have.
func WithExtra(s equiv.Side, params []kernel.Param) equiv.Side {
	for _, p := range params {
		if p.IsPointer() {
			s.Extra = append(s.Extra, runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, extraBytes)}})
		} else {
			s.Extra = append(s.Extra, runtime.Arg{Bits: data.SmallNumber(num.S32)})
		}
	}
	return s
}
