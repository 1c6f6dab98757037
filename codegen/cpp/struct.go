package cpp

import (
	"ptogo/dialect/pto"
)

// structName returns the name of a struct, which is defined in front of the
// functions.
func (m *module) structName(s pto.Struct) string { return "" }

func (m *module) structDef(b []byte, s pto.Struct) []byte { return b }
