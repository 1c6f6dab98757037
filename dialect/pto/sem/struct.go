package sem

// The kinds of meaning of storage on the stack of a core.
type (
	// DeclareLocal reserves the storage of its result, an array or a struct.
	// The contents are undefined until they are written. Each execution makes
	// new storage.
	DeclareLocal struct{}

	// LocalGet gives one scalar of the first operand: of an array the one at
	// indices, each of which must be below its extent; of a struct the one at
	// the attribute path, the number of a field at every level.
	LocalGet struct{}

	// LocalSet writes value at the place that LocalGet reads.
	LocalSet struct{}
)
