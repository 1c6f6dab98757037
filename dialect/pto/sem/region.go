// This file defines the kinds of operations with regions.

package sem

// Kinds of meaning of operations that contain a region of other operations.
type (
	// Scope executes its region once. The block arguments of the region have the values
	// of the operands.
	Scope struct{ Kind ScopeKind }

	// ScopeYield ends a region. Its operands become the results of the operation that
	// contains the region.
	ScopeYield struct{}
)

// ScopeKind is the kind of a region. It determines which cores execute the region, or
// which purpose the region has.
type ScopeKind uint8

// The kinds of regions, by the cores that execute them or by their purpose.
const (
	// VectorFunction is a sequence of instructions for the vector unit (vecscope).
	VectorFunction ScopeKind = iota
	// CubeSection is code that only the cube core of a block executes.
	CubeSection
	// VectorSection is code that only the vector cores of a block execute.
	VectorSection
	// SimtSection is code that runs once for each of dimX*dimY*dimZ work items.
	SimtSection
	// FusionRegion groups tile instructions. It executes like code outside of any region.
	FusionRegion
)

// Unit returns the core types that execute a region of kind k.
func (k ScopeKind) Unit() Unit {
	switch k {
	case CubeSection:
		return CubeUnit
	case VectorSection, SimtSection:
		return VectorUnit
	}
	return AnyUnit
}

// Inline reports whether a region of kind k only determines which core executes its
// contents, without any effect on their order.
func (k ScopeKind) Inline() bool {
	return k == CubeSection || k == VectorSection || k == FusionRegion
}

// Stop ends the kernel with an error.
type Stop struct{}

// What these instructions do, for readers of the reference.

func (m Scope) Doc() string {
	switch m.Kind {
	case CubeSection:
		return "Other cores pass over it. Values from outside may be used inside."
	case VectorSection:
		return "Both vector cores of a block execute it; the cube core passes over it. Values from outside may be used inside."
	case SimtSection:
		return "Only vector cores execute it."
	case FusionRegion:
		return "The grouping does not change what the instructions compute."
	}
	return "The body runs once."
}

func (ScopeYield) Doc() string {
	return "Its operands become the results of the region, in their order."
}

func (Stop) Doc() string { return "The run ends with an error at this place." }
