// This file defines the kinds of scalar unit instructions.

package sem

// The kinds of meaning of instructions of the scalar unit.
type (
	// CastPtr keeps the address of a pointer and changes its type.
	CastPtr struct{}
	// AddPtr adds an offset, counted in elements, to a pointer.
	AddPtr struct{}

	// LoadElement loads the element at ptr + offset, where offset counts elements.
	LoadElement struct{}
	// StoreElement writes the element at ptr + offset elements.
	StoreElement struct{}

	// Query returns a property of the launch, such as the block number.
	Query struct{ What QueryKind }

	// SetBit clears or sets one bit of the first operand. The second operand is the
	// number of the bit.
	SetBit struct{ Value bool }

	// ReadRegister returns the contents of a register of the scalar unit.
	ReadRegister struct{ Name string }
	// WriteRegister sets a register of the scalar unit to its operands, 64 bits each, or
	// to a constant of the instruction, lowest part first. The instructions that use the
	// register define the meaning of its contents.
	WriteRegister struct{ Name string }
)

// QueryKind names a property of the launch.
type QueryKind uint8

// These are the properties of a launch that a kernel can read.
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
