//go:build !linux

package cli

// reserveHeap does nothing where large pages cannot be asked for.
func reserveHeap(int) {}
