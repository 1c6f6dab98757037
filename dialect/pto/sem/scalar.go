package sem

// The kinds of meaning of instructions of the scalar unit.
type (
	// CastPtr keeps the address and changes what it is taken for.
	CastPtr struct{}
	// AddPtr moves a pointer by elements.
	AddPtr struct{}

	// LoadElement gives the element at ptr + offset elements.
	LoadElement struct{}
	// StoreElement writes the element at ptr + offset elements.
	StoreElement struct{}

	// Query gives a property of the launch.
	Query struct{ What QueryKind }

	// SetBit clears or sets the bit of the first operand that the second
	// numbers.
	SetBit struct{ Value bool }

	// ReadRegister gives a register of the scalar unit.
	ReadRegister struct{ Name string }
	// WriteRegister sets a register of the scalar unit to its operands, 64
	// bits each, or to a constant of the instruction, the lowest first. Other
	// instructions say what they take from it.
	WriteRegister struct{ Name string }
)

// QueryKind names a property of the launch.
type QueryKind uint8

// The properties a kernel can ask for.
const (
	BlockIdx QueryKind = iota
	BlockNum
	SubBlockIdx
	SubBlockNum
)
