// This file suggests edits that remove errors.

package opt

import (
	"io"

	"ptogo/internal/cli/files"
	"ptogo/internal/repair"
	"ptogo/ir"
)

// suggestRepairs adds to errors of the program src the edits that remove them. Without --fix
// it does not search for those of the proof of synchronization, which takes longer than
// verifying a program.
func (t *optTool) suggestRepairs(src *ir.Source, diags *ir.Diags) {
	if src.Program != nil || t.flags.diagnostics != "" {
		return
	}
	repair.Suggest(src, diags.All(), func(edited *ir.Source) []*ir.Diag {
		examiner := *t
		examiner.out, examiner.Err, examiner.spare = &files.Output{Writer: io.Discard}, io.Discard, nil
		examiner.flags.passes = passFlags{sequential: true}
		if !t.flags.fix.used() {
			examiner.flags.syncProof.word = "false"
		}
		var found ir.Diags
		examiner.transform(edited, &found)
		return found.All()
	})
}
