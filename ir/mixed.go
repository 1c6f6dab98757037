// This file reads and prints lists that mix values and constants.

package ir

import "strconv"

// A mixed list holds constants and values, such as [%i, 4]. An array attribute
// holds the constants, with Dynamic at the positions of the values.

// MixedList reads a list of integers and SSA values, as in [4, %n]. open and closer are
// the tokens before and after the list. The result numbers has one entry per element,
// which is Dynamic for a value. The result values has the operands, one for each Dynamic
// in numbers.
func (p *Parser) MixedList(open, closer string) (numbers []int64, values []Operand) {
	p.Expect(open)
	p.List(closer, func() {
		if p.AtOperand() {
			values = append(values, p.Operand())
			numbers = append(numbers, Dynamic)
			return
		}
		off := p.start
		n := p.Integer()
		if n == Dynamic {
			p.ErrorAt(off, "%d is reserved for values that are known at run time only", n)
		}
		numbers = append(numbers, n)
	})
	p.Expect(closer)
	return numbers, values
}

// MixedList writes a list of integers and SSA values, such as [4, %n]. open and closer
// are the tokens around the list. The slice numbers contains the integers. For an entry
// Dynamic in numbers, MixedList writes the next element of the slice values.
func (w *Printer) MixedList(open, closer string, numbers []int64, values []*Value) {
	w.Token(open)
	for i, n := range numbers {
		if i > 0 {
			w.Token(",")
		}
		if n != Dynamic {
			w.Token(strconv.FormatInt(n, 10))
			continue
		}
		w.Value(values[0])
		values = values[1:]
	}
	w.Token(closer)
}

// FitsMixed checks a list that represents both constants and values. Each Dynamic entry
// in the list of numbers represents one value that is known only at run time. The second
// argument is the number of such values. FitsMixed reports whether the list has this
// number of Dynamic entries.
func FitsMixed(numbers []int64, values int) bool {
	for _, n := range numbers {
		if n == Dynamic {
			values--
		}
	}
	return values == 0
}
