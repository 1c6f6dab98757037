// Package jsonform writes results of other packages as JSON documents. The packages that
// compute the results do not import encoding/json, so that small programs that execute
// kernels compile faster.
package jsonform

import (
	"encoding/json"

	"ptogo/ir"
	"ptogo/lower/plan"
)

// MemoryMap returns a memory map as a JSON document for other programs.
func MemoryMap(m *plan.MemoryMap) []byte { return document(m) }

// document returns v, which must consist of texts, numbers and containers of them, as a
// JSON document with a newline at its end.
func document(v any) []byte {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // texts and numbers always have a JSON form
	}
	return append(ir.VisibleJSON(text), '\n')
}
