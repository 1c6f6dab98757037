package run

import (
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestBatchRanks runs cases of two ranks: with an argument for each rank, with one for
// both, and with a list that is too short.
func TestBatchRanks(t *testing.T) {
	line := func(id, in string) string {
		return `{"id":"` + id + `","file":"` + clitest.AllReduce + `","args":[` + in + `,"zeros=8x64xf32","window=8x64xf32","window=1x16xi32","comm"],"flags":{"ranks":2,"check":"all"},"digest":true}`
	}
	path := batchFile(t, line("each", `["ones=8x64xf32","fill=7,8x64xf32"]`), line("both", `"iota=8x64xf32"`), line("short", `["rand=8x64xf32"]`))
	code, out, errs := runKernel("--batch", path)
	results := resultsOf(t, out)
	if code != exit.Usage || results["each 0"].Status != "passed" || results["both 0"].Status != "passed" || results["short 0"].Status != "usage" {
		t.Fatalf("code %d: %s\n%s", code, errs, out)
	}
	if d := results["each 0"].Digests; len(d) != 10 || d[1] != d[6] || d[0] == d[5] {
		t.Errorf("digests: %v", d)
	}
	if d := results["short 0"].Diagnostics; !strings.Contains(d[0].Message, "the list has 1 argument, but requires one argument for each of 2 ranks") {
		t.Errorf("diagnostics: %+v", d)
	}
}
