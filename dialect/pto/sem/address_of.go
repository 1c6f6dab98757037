// This file lists the kinds that do not keep the address of global memory.

package sem

// OnlyNow marks kinds whose instructions access global memory through an operand only while
// they execute. Other kinds may keep the address for later instructions, such as the
// initialization of a queue.
type OnlyNow interface{ OnlyNow() }

func (TileLoad) OnlyNow()    {}
func (LoadElement) OnlyNow() {}
func (CopyBursts) OnlyNow()  {}
func (Prefetch) OnlyNow()    {}

// PassesAddress marks kinds whose instructions access no memory, but have results with the
// address of an operand, or without any address.
type PassesAddress interface{ PassesAddress() }

func (MakeView) PassesAddress() {}
func (PartView) PassesAddress() {}
func (AddPtr) PassesAddress()   {}
func (ViewDim) PassesAddress()  {}
