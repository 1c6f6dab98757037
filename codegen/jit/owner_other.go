//go:build !unix

// This file checks the owner of cache files on systems without Unix permissions.

package jit

import "os"

// ownedByUser always returns true on this system, where a user's cache folder is not
// accessible to others by default.
func ownedByUser(os.FileInfo) bool { return true }
