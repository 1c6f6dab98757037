// This file rejects outputs that replace each other or the program.

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

// checkOutputs returns an error, before the run starts, if the output files conflict:
// two outputs must not name the same file, and no output may replace the program.
func (t *runTool) checkOutputs(params []kernel.Param, args []*data.Arg) error {
	f := &t.flags
	outs := []namedOutput{
		{"--trace", f.trace}, {"--check-json", f.check.json}, {"--timing-json", f.timing.json}, {"--timing-csv", f.timing.csv},
		{"--stats-json", f.observe.counts}, {"--expect-plot", f.observe.plot}, {"--report", f.report},
		{"--numerics-json", f.numerics.json}, {"--numerics-plot", f.numerics.plot},
	}
	for i, a := range args {
		outs = append(outs, namedOutput{"argument " + data.ParamName(params, i%len(params)) + t.rankSuffix(i), a.Target})
	}
	for _, o := range outs {
		if err := checkWritable(o.path); err != nil {
			return err
		}
	}
	return apart(t.path, outs)
}

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
