//go:build !unix

// This file is the substitute for file locks on systems without them.

package cli

import "os"

// lockFile does nothing on systems for which package syscall has no function to lock
// files.
func lockFile(*os.File) error { return nil }
