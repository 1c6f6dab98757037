package conformance

import (
	"fmt"
	"strings"

	"ptogo/ir/num"
)

// Outcome is what an implementation did with a case.
type Outcome int

// The outcomes of a case.
const (
	Passed Outcome = iota
	// Wrong means that the results differ, or that the verdict is not the required one.
	Wrong
	// NotSupported means that the adapter or the implementation states that it does not
	// support something that the case needs.
	NotSupported
	// Failed means that the adapter ended with an error or exceeded the time limit.
	Failed
)

// String returns the name of the outcome.
func (o Outcome) String() string {
	return [...]string{"passed", "wrong", "not supported", "failed"}[o]
}

// Result is the outcome of a case with a message about its cause.
type Result struct {
	*Case
	Outcome Outcome
	Detail  string
}

// Compare compares the contents of the buffers after a launch with those that the case
// requires. got has an element for each argument; those of scalars are ignored. All NaNs
// are equal, because the pages of the instructions do not define their bits.
func (c *Case) Compare(got [][]byte) *Result {
	for i, a := range c.Args {
		want := a.After
		if want == nil {
			want = a.Before
		}
		if !a.isBuffer() {
			continue
		}
		if len(got[i]) != len(want) {
			return &Result{c, Wrong, fmt.Sprintf("argument %d has %d bytes instead of %d", i, len(got[i]), len(want))}
		}
		f, isNumber := formatOf(a.Type)
		for at := 0; at+f.Bytes() <= len(want); at += f.Bytes() {
			g, w := num.Load(f, got[i][at:]), num.Load(f, want[at:])
			if g != w && !(isNumber && num.Same(f, g, w)) {
				each := len(want) / max(c.Ranks, 1)
				where := fmt.Sprintf("element %d of argument %d", at%each/f.Bytes(), i)
				if c.Ranks > 0 {
					where += fmt.Sprintf(" of rank %d", at/each)
				}
				return &Result{c, Wrong, fmt.Sprintf("%s is %s instead of %s", where, text(f, isNumber, g), text(f, isNumber, w))}
			}
		}
	}
	return &Result{c, Passed, ""}
}

// formatOf returns the format of elements of a type. For types without a format of whole
// bytes, the result is a byte and false.
func formatOf(name string) (num.Format, bool) {
	if name == "index" {
		return num.I64, true
	}
	f, ok := num.ParseFormat(strings.TrimPrefix(name, "!pto."))
	if !ok || f.Bits() < 8 {
		return num.U8, false
	}
	return f, true
}

// text returns the text of an element for messages.
func text(f num.Format, isNumber bool, bits uint64) string {
	if !isNumber {
		return fmt.Sprintf("0x%02x", bits)
	}
	return fmt.Sprintf("%v (0x%0*x)", num.Decode(f, bits), 2*f.Bytes(), bits)
}
