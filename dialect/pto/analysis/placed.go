// This file collects the memory with constant addresses.

package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Occupied holds, for each memory space, the ranges that a program uses at constant
// addresses, for tiles and for the buffers of queues. Each list is sorted by address.
//
// Tiles without an address are allocated consecutively in the remaining memory. Engines
// and passes call Beside for the next free address. Ranges at computed addresses and
// through pointers are not included.
type Occupied map[sem.Space][]Bytes

// OccupiedBy returns the ranges of local memory that the functions fns use at constant
// addresses.
func OccupiedBy(fns []*ir.Op) Occupied {
	o := Occupied{}
	for _, f := range fns {
		for op := range f.Walk() {
			if b, ok := PlacedBytes(op); ok {
				o[b.Space] = append(o[b.Space], b)
			}
		}
	}
	for _, all := range o {
		slices.SortFunc(all, func(a, b Bytes) int { return cmp.Compare(a.From, b.From) })
	}
	return o
}

// PlacedBytes returns the range of bytes that op allocates at a constant address. The
// bool result is false for other operations.
func PlacedBytes(op *ir.Op) (Bytes, bool) {
	switch op.Def().Sem.(type) {
	case sem.AllocTile, sem.PlaceTile:
		v := op.Result(0)
		at, known := pto.ConstantInt(op.Arg("addr"))
		return Bytes{Space: pto.SpaceOf(v.Type()), From: at, To: at + pto.StorageOf(v.Type())}, known
	case sem.LocalBuffer:
		r := ReservedOf(op)
		return Bytes{Space: r.Space, From: r.Base, To: r.Base + r.Size}, r.Placed
	}
	return Bytes{}, false
}

// Beside returns the lowest aligned address of a free range of size bytes in a memory
// space. The range must not overlap an occupied range, and its address must be at least
// the parameter from.
func (o Occupied) Beside(space sem.Space, from, size int64) int64 {
	at := alignTile(from)
	for _, b := range o[space] {
		if at+size <= b.From {
			break
		}
		at = max(at, alignTile(b.To))
	}
	return at
}

// alignTile rounds an address up to the alignment of tiles, 32 bytes.
func alignTile(n int64) int64 { return (n + pto.TileAlign - 1) &^ (pto.TileAlign - 1) }

// PlanMemoryHint is the note of the error that TooLarge returns: it names the option that
// reports which tiles are needed at the same time.
const PlanMemoryHint = "pto-opt --pto-plan-memory reports which of them are needed at the same time"

// TooLarge returns the text of the error for a tile that does not fit into a memory space
// on target t. others is the number of other tiles in this space. need is the number of
// bytes that all these tiles need together, which exceeds the size of the space.
func (o Occupied) TooLarge(space sem.Space, others int, need int64, t ir.Target) string {
	text := fmt.Sprintf("and %d other tiles need", others)
	switch others {
	case 0:
		text = "needs"
	case 1:
		text = "and 1 other tile need"
	}
	text += fmt.Sprintf(" %d bytes of %s, which has %d on %s", need, space.Loc(), space.Size(t), sem.ProfileName(t))
	if len(o[space]) > 0 {
		text += ", beside the tiles that have addresses"
	}
	return text
}

// Reserved is the memory that an instruction of kind sem.LocalBuffer reserves: Size bytes
// of a memory space, at address Base if Placed is set.
type Reserved struct {
	Space      sem.Space
	Size, Base int64
	Placed     bool
}

// ReservedOf decodes the attributes of op, which reserves local memory (kind
// sem.LocalBuffer).
func ReservedOf(op *ir.Op) (r Reserved) {
	r.Size, _ = op.Attr("size").AsInt()
	r.Base, r.Placed = op.Attr("base").AsInt()
	r.Space = pto.SpaceOfAttr(op.Attr("location"))
	return r
}
