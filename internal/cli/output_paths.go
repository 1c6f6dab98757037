package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"ptogo/internal/data"
	"ptogo/kernel"
)

// namedOutput is a file that a run writes, and the option or argument that names it.
type namedOutput struct{ name, path string }

// checkOutputs reports why the files of a run cannot be written, before it starts: two
// outputs with one file would replace each other.
func (t *runTool) checkOutputs(params []kernel.Param, args []*data.Arg) error {
	outs := []namedOutput{{"--trace", t.flags.trace}, {"--check-json", t.flags.check.json}, {"--report", t.flags.report}}
	for i, a := range args {
		outs = append(outs, namedOutput{"argument " + paramName(params, i%len(params)) + t.rankSuffix(i), a.Target})
	}
	first := map[string]string{} // name by file
	for _, o := range outs {
		if o.path == "" {
			continue
		}
		if err := checkWritable(o.path); err != nil {
			return err
		}
		file, ok := fileOf(o.path)
		if !ok {
			continue
		}
		if other := first[file]; other != "" {
			return fmt.Errorf("%s and %s both write the file %s", other, o.name, o.path)
		}
		first[file] = o.name
	}
	return nil
}

// fileOf returns the one name of a file that has several: links are followed. ok is
// false for streams and devices, which several outputs can share.
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
