//go:build !linux

// This file does nothing on systems without large page requests.

package limit

// reserveHeap does nothing on systems without a call that requests large pages.
func reserveHeap(int) {}
