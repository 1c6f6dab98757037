//go:build unix

// This file locks files on Unix.

package files

import (
	"errors"
	"os"
	"syscall"
)

// LockFile locks a file for this process until it is closed. It returns an error if
// another process has locked it. On file systems without locks, it does nothing.
func LockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return nil
	}
	return err
}
