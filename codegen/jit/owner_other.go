//go:build !unix

package jit

import "os"

// ownedByUser is true: a user's cache folder is closed to others by default.
func ownedByUser(os.FileInfo) bool { return true }
