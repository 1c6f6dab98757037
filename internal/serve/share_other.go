//go:build !unix

// This file reads shared files on systems without memory mapping.

package serve

import (
	"io"
	"os"
)

// Files provides access to files that contain the arrays of clients. On this system,
// files are read and written instead of mapped.
type Files struct{}

// use reads n bytes of the file at path, starting at offset, into memory. The returned
// function writes these bytes back to the file. On this system, server and client share
// the file but not memory.
func (f *Files) use(path string, offset, n int64) ([]byte, func() error, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(file, offset, n), data); err != nil {
		file.Close()
		return nil, nil, err
	}
	done := func() error {
		defer file.Close()
		_, err := file.WriteAt(data, offset)
		return err
	}
	return data, done, nil
}

// Forget does nothing, because no file stays open between uses.
func (f *Files) Forget(path string) {}
