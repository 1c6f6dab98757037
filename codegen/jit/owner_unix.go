//go:build unix

// This file checks the owner of cache files on Unix.

package jit

import (
	"os"
	"syscall"
)

// ownedByUser reports whether a file belongs to the user of the process.
func ownedByUser(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
