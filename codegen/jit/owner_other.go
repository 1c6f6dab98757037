//go:build !unix

// This file checks the owner of cache files on systems without Unix permissions.

package jit

import "os"

// ownedByUser is true: a user's cache folder is closed to others by default.
func ownedByUser(os.FileInfo) bool { return true }
