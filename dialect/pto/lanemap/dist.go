// This file defines the distribution modes of loads and stores.

package lanemap

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// DistPattern is a way to map memory to lanes.
type DistPattern uint8

// The distributions of elements in memory to lanes. An element has Bits bits.
const (
	// Contiguous: lane i is element i of memory.
	Contiguous DistPattern = iota
	// OneToAll: all lanes are the first element. Stores write only lane 0 and ignore the
	// mask.
	OneToAll
	// BlockToAll repeats the first 32 bytes.
	BlockToAll
	// Repeat repeats element i Factor times.
	Repeat
	// Every selects element i*Factor of memory. With two registers, elements alternate
	// between them.
	Every
	// Spaced puts element i at the start of Factor elements of the register, followed by
	// zeros. Stores write the first of each Factor elements, packed.
	Spaced
	// ElementToBlock fills block i of 32 bytes with element i.
	ElementToBlock
	// BlockEvery alternates between two registers in blocks of 32 bytes.
	BlockEvery
	// Channels is a distribution of stores. The lanes of each block of 32 bytes consist
	// of Factor groups of adjacent lanes, one per channel. The store interleaves the
	// groups, so that the channels of one element are adjacent in memory.
	Channels
)

// Dist is a distribution mode of a vector load or store: it determines which element in
// memory belongs to which lane.
type Dist struct {
	Token   string
	Pattern DistPattern
	// Bits is the width in bits of an element in memory. 0 means the width of a lane.
	Bits   int
	Factor int
	// Pair reports that the mode uses two registers.
	Pair bool
	// Mask is the width in bits of the lanes to which the mask of a store refers. 0
	// means the width of a lane.
	Mask int
}

// LoadDists are the distribution modes of the loads vlds and vldsx2.
var LoadDists = []Dist{
	{Token: "NORM"},
	{Token: "BRC_B8", Pattern: OneToAll, Bits: 8},
	{Token: "BRC_B16", Pattern: OneToAll, Bits: 16},
	{Token: "BRC_B32", Pattern: OneToAll, Bits: 32},
	{Token: "US_B8", Pattern: Repeat, Bits: 8, Factor: 2},
	{Token: "US_B16", Pattern: Repeat, Bits: 16, Factor: 2},
	{Token: "DS_B8", Pattern: Every, Bits: 8, Factor: 2},
	{Token: "DS_B16", Pattern: Every, Bits: 16, Factor: 2},
	{Token: "UNPK_B8", Pattern: Spaced, Bits: 8, Factor: 2},
	{Token: "UNPK_B16", Pattern: Spaced, Bits: 16, Factor: 2},
	{Token: "UNPK_B32", Pattern: Spaced, Bits: 32, Factor: 2},
	{Token: "BRC_BLK", Pattern: BlockToAll},
	{Token: "E2B_B16", Pattern: ElementToBlock, Bits: 16},
	{Token: "E2B_B32", Pattern: ElementToBlock, Bits: 32},
	{Token: "UNPK4", Pattern: Spaced, Bits: 8, Factor: 4},
	{Token: "SPLT4CHN", Pattern: Every, Bits: 8, Factor: 4},
	{Token: "SPLT2CHN_B8", Pattern: Every, Bits: 8, Factor: 2},
	{Token: "SPLT2CHN_B16", Pattern: Every, Bits: 16, Factor: 2},
	{Token: "BDINTLV", Pattern: BlockEvery, Pair: true},
	{Token: "DINTLV_B8", Pattern: Every, Bits: 8, Factor: 2, Pair: true},
	{Token: "DINTLV_B16", Pattern: Every, Bits: 16, Factor: 2, Pair: true},
	{Token: "DINTLV_B32", Pattern: Every, Bits: 32, Factor: 2, Pair: true},
}

// StoreDists are the distribution modes of the stores vsts and vstsx2.
var StoreDists = []Dist{
	{Token: "NORM_B8", Bits: 8},
	{Token: "NORM_B16", Bits: 16},
	{Token: "NORM_B32", Bits: 32},
	{Token: "1PT_B8", Pattern: OneToAll, Bits: 8},
	{Token: "1PT_B16", Pattern: OneToAll, Bits: 16},
	{Token: "1PT_B32", Pattern: OneToAll, Bits: 32},
	{Token: "PK_B16", Pattern: Spaced, Bits: 8, Factor: 2, Mask: 16},
	{Token: "PK_B32", Pattern: Spaced, Bits: 16, Factor: 2, Mask: 32},
	{Token: "PK_B64", Pattern: Spaced, Bits: 32, Factor: 2, Mask: 32},
	{Token: "PK4_B32", Pattern: Spaced, Bits: 8, Factor: 4, Mask: 32},
	{Token: "MRG4CHN_B8", Pattern: Channels, Bits: 8, Factor: 4, Mask: 32},
	{Token: "MRG2CHN_B8", Pattern: Channels, Bits: 8, Factor: 2, Mask: 16},
	{Token: "MRG2CHN_B16", Pattern: Channels, Bits: 16, Factor: 2, Mask: 32},
	{Token: "INTLV_B8", Pattern: Every, Bits: 8, Factor: 2, Pair: true},
	{Token: "INTLV_B16", Pattern: Every, Bits: 16, Factor: 2, Pair: true},
	{Token: "INTLV_B32", Pattern: Every, Bits: 32, Factor: 2, Pair: true},
}

// StrideDists are the values of the attribute that selects the stride of vsld and vsst.
// For example, STRIDE_S3_B16 means every third 16-bit element.
var StrideDists = []Dist{
	{Token: "STRIDE_S3_B16", Pattern: Every, Bits: 16, Factor: 3},
	{Token: "STRIDE_S4_B64", Pattern: Every, Bits: 64, Factor: 4},
	{Token: "STRIDE_S8_B32", Pattern: Every, Bits: 32, Factor: 8},
	{Token: "STRIDE_S2_B64", Pattern: Every, Bits: 64, Factor: 2},
}

// DistTokens returns the names of the distribution modes that use one register, or two
// registers if pair is set.
func DistTokens(dists []Dist, pair bool) []string {
	var tokens []string
	for _, d := range dists {
		if d.Pair == pair {
			tokens = append(tokens, d.Token)
		}
	}
	return tokens
}

// DistOf returns the distribution mode of op, a vector load or store. Without an
// attribute, lanes are contiguous in memory.
func DistOf(op *ir.Op) Dist {
	if token, ok := op.Attr("stride").AsString(); ok {
		return FindDist(StrideDists, token)
	}
	token, _ := op.Attr("dist").AsString()
	if _, store := op.Def().Sem.(sem.VecStore); store {
		return FindDist(StoreDists, token)
	}
	return FindDist(LoadDists, token)
}

// FindDist returns the distribution mode in the list dists with the name token, or the
// zero Dist if there is none.
func FindDist(dists []Dist, token string) Dist {
	for _, d := range dists {
		if d.Token == token {
			return d
		}
	}
	return Dist{}
}
