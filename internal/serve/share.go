// This file defines the use of shared files.

package serve

import "fmt"

// Use returns n bytes of the file at path, starting at offset. The caller must call done
// when it no longer uses the data. The function done writes the data back if necessary,
// and returns an error if this fails.
func (f *Files) Use(path string, offset, n int64) (data []byte, done func() error, err error) {
	if offset < 0 || n < 0 || offset+n < offset {
		return nil, nil, fmt.Errorf("%s: expected a valid range of bytes, found %d bytes at offset %d", path, n, offset)
	}
	if n == 0 {
		return nil, func() error { return nil }, nil
	}
	return f.use(path, offset, n)
}
