// This file implements --verify-roundtrip.

package opt

import (
	"bytes"
	"fmt"

	"ptogo/ir"
	"ptogo/kernel"
)

// roundTrip implements --verify-roundtrip. It prints the program, parses the printed
// text, and prints the parsed program again. It reports an error if the two printed texts
// differ, or if the first one cannot be parsed. It does so for the custom syntax and for
// the generic syntax. It returns false after an error.
func roundTrip(t *optTool, src *ir.Source, module *ir.Op, diags *ir.Diags) bool {
	for _, generic := range []bool{false, true} {
		text := ir.Bytes(module, ir.PrintOptions{Generic: generic, Sequential: t.flags.passes.sequential})
		form := "custom"
		if generic {
			form = "generic"
		}
		var problems ir.Diags
		again := kernel.Parse(&ir.Source{Name: src.Name + " in " + form + " form", Text: string(text)}, ir.ParseOptions{AllowUnregistered: t.flags.unregistered}, &problems)
		if again == nil {
			diags.Error(module.Loc(), "the program cannot be read again in "+form+" form").
				Note(ir.Loc{}, problems.All()[0].Format())
			return false
		}
		if next := ir.Bytes(again, ir.PrintOptions{Generic: generic}); !bytes.Equal(text, next) {
			diags.Error(module.Loc(), "the program changes when it is written and read again in "+form+" form").
				Note(ir.Loc{}, firstChange(text, next))
			return false
		}
	}
	return true
}

// firstChange describes the first line in which two texts differ, for an error message.
func firstChange(a, b []byte) string {
	for x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n")); ; x, y = x[1:], y[1:] {
		if len(x) == 0 || len(y) == 0 || !bytes.Equal(x[0], y[0]) {
			return fmt.Sprintf("written:    %s\nread again: %s", first(x), first(y))
		}
	}
}

// first returns the first line, or nil for an empty text.
func first(lines [][]byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	return bytes.TrimSpace(lines[0])
}
