//go:build !unix

package serve

import (
	"io"
	"os"
)

// Files are files that clients share.
type Files struct{}

// use reads the bytes, and done writes them back: the file is what both sides
// share, though not in memory.
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

// Forget does nothing: no file is kept open.
func (f *Files) Forget(path string) {}
