//go:build !linux

// This file is the substitute on systems whose available memory is unknown.

package limit

import "math"

// systemMemory returns the largest number, because the available memory is unknown on
// this system.
func systemMemory() Bytes { return math.MaxInt64 }
