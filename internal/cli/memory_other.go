//go:build !linux

package cli

import "math"

// systemMemory returns the largest number: the memory of this system is not known.
func systemMemory() byteSize { return math.MaxInt64 }
