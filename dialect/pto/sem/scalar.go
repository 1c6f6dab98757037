// This file defines the kinds of scalar unit instructions.

package sem

// Kinds of meaning of the scalar unit.
type (
	// CastPtr changes the type of a pointer and leaves its address unchanged.
	CastPtr struct{}
	// AddPtr adds an offset, counted in elements, to a pointer.
	AddPtr struct{}

	// LoadElement loads the element at ptr + offset, where offset counts elements.
	LoadElement struct{}
	// StoreElement writes the element at ptr + offset elements.
	StoreElement struct{}

	// Query returns a property of the launch, such as the number of the block that
	// executes it.
	Query struct{ What QueryKind }

	// SetBit clears or sets one bit of the first operand. The second operand is the
	// number of the bit.
	SetBit struct{ Value bool }

	// ReadRegister returns the 64-bit contents of a register of the scalar unit.
	ReadRegister struct{ Name string }
	// WriteRegister sets a register of the scalar unit. The value consists of the
	// operands, 64 bits each and lowest bits first, or is a constant of the instruction.
	// The instructions that read the register define what its contents mean.
	WriteRegister struct{ Name string }
)

// QueryKind selects the property of the launch that an instruction reads, such as the
// number of the executing block.
type QueryKind uint8

// The properties of a launch: the number of the executing block and of blocks in total,
// and the number of the executing vector core and of vector cores in its block.
const (
	BlockIdx QueryKind = iota
	BlockNum
	SubBlockIdx
	SubBlockNum
)

// What these instructions do, for readers of the reference.

func (CastPtr) Doc() string { return "The address stays the same. Nothing is read or written." }

func (AddPtr) Doc() string {
	return "An element has the size of the type that the pointer points to. The offset may be negative."
}

func (LoadElement) Doc() string { return "The offset counts elements of the type that is read." }

func (StoreElement) Doc() string { return "The offset counts elements of the type that is written." }

func (m Query) Doc() string {
	switch m.What {
	case BlockIdx, BlockNum:
		return "A launch runs the kernel once for each block: a cube core with its vector cores, or one core alone."
	}
	return "A block has two vector cores, or a single core that executes everything."
}

func (SetBit) Doc() string { return "Bit 0 is the lowest. The other bits stay as they are." }
