// This file rejects outputs that replace each other or the program.

package files

import (
	"fmt"
	"os"
	"path/filepath"
)

// NamedOutput is a file that a run writes, and the option or argument that names it.
type NamedOutput struct{ Name, Path string }

// Apart checks that the files of the tool are different. It returns an error if an output
// would replace the file of the program, or if two outputs name the same file. The
// parameter program may be empty.
func Apart(program string, outs []NamedOutput) error {
	first := map[string]string{} // name by file
	if file, ok := fileOf(program); ok && program != "" {
		first[file] = "the program"
	}
	for _, o := range outs {
		file, ok := fileOf(o.Path)
		if !ok || o.Path == "" {
			continue
		}
		switch other := first[file]; other {
		case "":
			first[file] = o.Name
		case "the program":
			return fmt.Errorf("the output file of %s must not replace the input program, %s", o.Name, o.Path)
		default:
			return fmt.Errorf("%s and %s must not both write the file %s", other, o.Name, o.Path)
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
