// This file defines the distribution modes of loads and stores.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A distribution is how one instruction maps memory to lanes. The token that
// names it also names the width of the elements it is about.

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

// distTokens returns the names of the distribution modes that use one register, or two
// registers if pair is set.
func distTokens(dists []Dist, pair bool) []string {
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
		return findDist(StrideDists, token)
	}
	token, _ := op.Attr("dist").AsString()
	if _, store := op.Def().Sem.(sem.VecStore); store {
		return findDist(StoreDists, token)
	}
	return findDist(LoadDists, token)
}

// findDist returns the distribution mode in the list dists with the name token, or the
// zero Dist if there is none.
func findDist(dists []Dist, token string) Dist {
	for _, d := range dists {
		if d.Token == token {
			return d
		}
	}
	return Dist{}
}

// storeMask is the constraint on the mask of a store. Depending on the distribution mode,
// the mask must have the lane width of the register or the width of the packed elements
// in memory. The string is the name of the operand that contains this register.
type storeMask string

// bits returns the lane width in bits that the mask of a vector store must have. The
// width depends on the distribution mode of the store, or on the type of the stored
// register. The result is 0 if any width is accepted.
func (c storeMask) bits(e *ir.Env) int {
	token, _ := e.Attr("dist").AsString()
	if d := findDist(StoreDists, token); d.Mask != 0 {
		return d.Mask
	}
	if v, ok := ir.As[VReg](e.Type(string(c))); ok {
		return LaneBits(v.Elem)
	}
	return 0
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c storeMask) Check(t ir.Type, e *ir.Env) bool {
	m, ok := ir.As[Mask](t)
	return ok && (c.bits(e) == 0 || int(m.Bits) == c.bits(e))
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c storeMask) Want(e *ir.Env) string {
	token, _ := e.Attr("dist").AsString()
	if token == "" {
		return MaskFor(string(c)).Want(e)
	}
	return ir.TypeOf(Mask{Bits: uint8(c.bits(e))}).String() + ", the mask of a store with dist " + token
}
