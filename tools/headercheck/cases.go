package headercheck

import (
	"fmt"
	"path/filepath"

	"ptogo/dialect/pto/sem"
	"ptogo/tools/conformance"
)

// mostCases is the number of cases for each instruction, target and error of the verifier.
const mostCases = 4

// WriteCases writes cases of the conformance suite to a folder: programs that both the
// headers and the verifier reject.
func WriteCases(folder string, results []Result) error {
	of := map[string][]*conformance.Case{}
	same := map[string]int{}
	for _, r := range results {
		profile := sem.ProfileName(r.Target)
		class := profile + r.Op + shape(r.Ours)
		if r.Header == nil || r.Ours == "" || same[class] == mostCases {
			continue
		}
		same[class]++
		file := filepath.Join(folder, profile, r.Op+".jsonl")
		of[file] = append(of[file], &conformance.Case{
			ID:       fmt.Sprintf("%s/rejected-%s/%d", profile, r.Op, len(of[file])+1),
			Requires: "An implementation rejects this call: " + r.Ours,
			Source:   []string{"docs/isa/header-legality.md, " + r.Op},
			Profile:  profile, Program: r.Text(), Verdict: conformance.Rejected,
			Witnesses: []string{"the verifier", "the NPU headers of pto-isa, compiled"},
		})
	}
	for file, cases := range of {
		if err := conformance.Write(file, cases); err != nil {
			return err
		}
	}
	return nil
}
