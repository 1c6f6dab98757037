//go:build !unix

package cli

import "os"

// lockFile locks nothing where package syscall has no call for it.
func lockFile(*os.File) error { return nil }
