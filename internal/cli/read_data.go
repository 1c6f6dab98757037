package cli

import "os"

// readData reads a file. Of a pipe or a device, which may have no end, it reads what
// the default budget allows.
func readData(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return os.ReadFile(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, defaultMaxMemory)
}

// fileSize returns the size of a file, or 0 if there is none.
func fileSize(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}
