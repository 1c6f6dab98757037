//go:build !linux

// This file is the substitute on systems whose available memory is unknown.

package cli

import "math"

// systemMemory returns the largest number: the memory of this system is not known.
func systemMemory() byteSize { return math.MaxInt64 }
