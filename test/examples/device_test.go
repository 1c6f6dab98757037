package examples

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// noCPP names the examples that the C++ library cannot express, and what
// refuses them.
var noCPP = map[string]string{
	"cube_gemm.pto":       "'pto.mte_gm_l1_frac' op is a micro instruction",
	"mixed_attention.pto": "'pto.mte_gm_l1_frac' op is a micro instruction",
	"ratio.pto":           "'pto.mte_gm_ub' op is a micro instruction",
	"vector_softmax.pto":  "is a micro instruction",
}

// TestDevicePath takes every example to the device by one option. What comes of
// it gives the results of the example, the checkers of races and signals are
// silent on it, and C++ is written for all that the C++ library can express.
func TestDevicePath(t *testing.T) {
	t.Chdir(root)
	for _, pattern := range []string{"examples/*.pto", "examples/level2/*.pto", "examples/tutorial/*.pto"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, file := range files {
			t.Run(filepath.ToSlash(file), func(t *testing.T) {
				for _, c := range commandsIn(t, file) {
					ready := filepath.Join(t.TempDir(), filepath.Base(file))
					run(t, cli.Opt, append(archOf(c), file, "--enable-insert-sync", "-o", ready)...)
					want := outputs(t, c, file)
					for i, got := range outputs(t, c+" --check=race,sync", ready) {
						if !bytes.Equal(got, want[i]) {
							t.Errorf("output %d of %s differs", i, c)
						}
					}
					if why := noCPP[filepath.Base(file)]; why != "" {
						var msg bytes.Buffer
						if cli.Opt(append(archOf(c), file, "--emit=cpp"), nil, io.Discard, &msg) == 0 || !strings.Contains(msg.String(), why) {
							t.Errorf("C++ of %s is not refused by %q:\n%s", file, why, &msg)
						}
						continue
					}
					run(t, cli.Opt, append(archOf(c), file, "--emit=cpp", "-o", ready+".cpp")...)
				}
			})
		}
	}
}
