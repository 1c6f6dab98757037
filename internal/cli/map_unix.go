//go:build unix

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// mapText returns the text of a file without copying it, or false if that is
// not possible. The text stays mapped to the end of the run, since the program
// read from it refers to it. As with every tool that maps its input, nobody may
// cut the file short meanwhile; replacing it does no harm.
func mapText(f *os.File, size int) (string, bool) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil || len(b) == 0 {
		return "", false
	}
	return unsafe.String(&b[0], len(b)), true
}
