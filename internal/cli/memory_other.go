//go:build !linux

// This file is the substitute on systems whose available memory is unknown.

package cli

import "math"

// systemMemory returns the largest number, because the available memory is unknown on
// this system.
func systemMemory() byteSize { return math.MaxInt64 }
