// Package all registers every dialect that PTO programs use. A program that
// reads text imports it for this effect alone, so that the list of dialects is
// in one place.
package all

import (
	_ "ptogo/dialect/arith"
	_ "ptogo/dialect/builtin"
	_ "ptogo/dialect/cf"
	_ "ptogo/dialect/fn"
	_ "ptogo/dialect/llvm"
	_ "ptogo/dialect/math"
	_ "ptogo/dialect/memref"
	_ "ptogo/dialect/pto/isa"
	_ "ptogo/dialect/scf"
)
