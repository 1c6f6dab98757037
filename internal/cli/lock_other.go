//go:build !unix

// This file is the substitute for file locks on systems without them.

package cli

import "os"

// lockFile does not lock the file on systems for which package syscall has no lock call.
func lockFile(*os.File) error { return nil }
