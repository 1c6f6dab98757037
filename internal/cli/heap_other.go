//go:build !linux

package cli

// reserveHeap does nothing on systems without a call that requests large pages.
func reserveHeap(int) {}
