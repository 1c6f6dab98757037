// This file reads .npz archives.

package debug

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
)

// NamedArray is an array together with its name in a .npz file, an archive of numpy
// arrays.
type NamedArray struct {
	Name string
	*kernel.Array
}

// Npz returns the contents of a .npz file with the arrays, which numpy.load can read. It
// appends a number to a repeated name.
func Npz(arrays []NamedArray) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	seen := map[string]int{}
	for _, a := range arrays {
		name := a.Name
		if n := seen[name]; n > 0 {
			name = fmt.Sprintf("%s#%d", name, n)
		}
		seen[a.Name]++
		f, err := w.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(a.Npy()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// ReadNpz returns the arrays in a .npz file. It returns an error if they have more than
// limit bytes together, because a small archive can expand to any size.
func ReadNpz(data []byte, limit int64) ([]NamedArray, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("the file is not a .npz file: %w", err)
	}
	var arrays []NamedArray
	for _, f := range r.File {
		name, isNpy := strings.CutSuffix(f.Name, ".npy")
		if !isNpy {
			continue
		}
		name = ir.Visible(name) // whoever made the file chose the name
		a, err := readMember(f, limit)
		if err != nil {
			return nil, fmt.Errorf("array '%s': %w", name, err)
		}
		limit -= int64(len(a.Data))
		arrays = append(arrays, NamedArray{name, a})
	}
	return arrays, nil
}

// readMember reads one array from an archive. It returns an error if the array has more
// than limit bytes.
func readMember(f *zip.File, limit int64) (*kernel.Array, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("the arrays of the .npz file need more than the %d bytes of memory that remain for them", limit)
	}
	return kernel.ReadNpy(data)
}
