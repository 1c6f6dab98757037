package npuheaders

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ptogo/tools/cpptest"
)

// Record is a comparison in a file. The known reasons (Known) are applied when it is read,
// so a long series of comparisons need not be repeated for a new entry.
type Record struct {
	Name, Arch string
	Outcome    cpptest.Outcome
	Detail     string
	Reports    []string
}

// Write writes the results to a file.
func Write(file string, results []*Judged) error {
	records := make([]Record, len(results))
	for i, j := range results {
		records[i] = Record{j.Name, j.Source.Arch, j.Outcome, j.Detail, j.Reports}
	}
	data, err := json.MarshalIndent(records, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", data, 0o666); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// Exists reports whether there is a file of results.
func Exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// Read reads the results in the files that match a pattern (filepath.Glob), and explains
// them.
func Read(pattern string) (results []*Judged, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var records []Record
		if err := json.Unmarshal(data, &records); err != nil {
			return nil, err
		}
		for _, r := range records {
			c := &cpptest.Case{Name: r.Name, Source: &cpptest.Source{Arch: r.Arch}}
			j := &Judged{Result: &cpptest.Result{Case: c, Outcome: r.Outcome, Detail: r.Detail}, Reports: r.Reports}
			if j.Outcome != cpptest.Equal && len(j.Reports) == 0 {
				j.Known = cpptest.Explain(Known, j.Result)
			}
			results = append(results, j)
		}
	}
	return results, nil
}
