//go:build !unix

// This file is the substitute for file locks on systems without them.

package files

import "os"

// LockFile does nothing on systems for which package syscall has no function to lock
// files.
func LockFile(*os.File) error { return nil }
