// Package isa holds the instructions of the PTO dialect, in a package for each
// group of the manuals. A definition is found by its name: pto.tadds is TAddS in
// tile, pto.vlds is VLds in vector, pto.vmi.vadd is in vmi.
//
// Whoever imports this package registers all instructions. It also replaces the
// syntax of older texts, which needs instructions of several groups.
package isa

import (
	_ "ptogo/dialect/pto/isa/base"
	_ "ptogo/dialect/pto/isa/cube"
	_ "ptogo/dialect/pto/isa/dma"
	_ "ptogo/dialect/pto/isa/simt"
	_ "ptogo/dialect/pto/isa/sync"
	_ "ptogo/dialect/pto/isa/tile"
	_ "ptogo/dialect/pto/isa/vector"
	_ "ptogo/dialect/pto/isa/vmi"
)
