//go:build unix

// This file maps shared files into memory on Unix.

package serve

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Files maps files that contain the clients' arrays into memory. A file stays mapped
// until Forget is called or the file has grown.
type Files struct {
	mu    sync.Mutex
	files map[string]*mapping
}

// mapping is the mapped memory of a file. The file is unmapped when it has left the cache
// of the type Files (the field gone is set) and no run uses it (the field uses is 0).
type mapping struct {
	data []byte
	uses int
	gone bool
}

// use returns n bytes of the file at path, starting at offset, and maps the file if
// necessary. The capacity of the slice is limited, so that an append cannot write past
// the requested range. The returned function ends the use.
func (f *Files) use(path string, offset, n int64) ([]byte, func() error, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.files[path]
	if m == nil || offset+n > int64(len(m.data)) { // the file may have grown
		data, err := mapFile(path)
		if err != nil {
			return nil, nil, err
		}
		if offset+n > int64(len(data)) {
			size := len(data)
			unmap(data)
			return nil, nil, fmt.Errorf("file %s has only %d bytes, but the request uses %d bytes", path, size, offset+n)
		}
		f.remove(path)
		m = &mapping{data: data}
		if f.files == nil {
			f.files = map[string]*mapping{}
		}
		f.files[path] = m
	}
	m.uses++
	done := func() error {
		f.mu.Lock()
		defer f.mu.Unlock()
		m.uses--
		m.release()
		return nil
	}
	return m.data[offset : offset+n : offset+n], done, nil
}

// mapFile maps an entire file into memory for reading and writing. It returns an error if
// the file is empty, because mmap does not accept an empty range. It also returns an
// error if the file is not a regular file.
func mapFile(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() == 0 || st.Size() != int64(int(st.Size())) {
		return nil, fmt.Errorf("file %s cannot be mapped into memory: it is not a regular file, or is empty", path)
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(st.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be mapped: %w", path, err)
	}
	return data, nil
}

// Forget removes the file at path from the table of mapped files. Its memory is unmapped
// as soon as the last run that uses it has ended.
func (f *Files) Forget(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.remove(path)
}

// remove removes a file from the table of mapped files. Its memory is unmapped once no
// run uses it. The caller holds f.mu.
func (f *Files) remove(path string) {
	if m := f.files[path]; m != nil {
		delete(f.files, path)
		m.gone = true
		m.release()
	}
}

// release unmaps the memory if no table and no run refers to it. The caller holds
// f.mu.
func (m *mapping) release() {
	if m.gone && m.uses == 0 && m.data != nil {
		unmap(m.data)
		m.data = nil
	}
}

func unmap(data []byte) {
	if err := unix.Munmap(data); err != nil {
		panic("BUG: " + err.Error()) // each mapping is unmapped exactly once
	}
}
