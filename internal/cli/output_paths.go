// This file rejects outputs that replace each other or the program.

package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// namedOutput is a file that a run writes, and the option or argument that names it.
type namedOutput struct{ name, path string }

// apart checks that the files of the tool are different. It returns an error if an output
// would replace the file of the program, or if two outputs name the same file. The
// parameter program may be empty.
func apart(program string, outs []namedOutput) error {
	first := map[string]string{} // name by file
	if file, ok := fileOf(program); ok && program != "" {
		first[file] = "the program"
	}
	for _, o := range outs {
		file, ok := fileOf(o.path)
		if !ok || o.path == "" {
			continue
		}
		switch other := first[file]; other {
		case "":
			first[file] = o.name
		case "the program":
			return fmt.Errorf("the output file of %s must not replace the input program, %s", o.name, o.path)
		default:
			return fmt.Errorf("%s and %s must not both write the file %s", other, o.name, o.path)
		}
	}
	return nil
}

// fileOf returns a unique name for the file to which a path leads, through links. The
// result ok is false for streams and devices, which several outputs can share.
func fileOf(path string) (name string, ok bool) {
	path, err := behindLinks(path)
	if err != nil || path == "-" {
		return "", false
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return "", false
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	return filepath.Join(dir, filepath.Base(path)), err == nil
}
