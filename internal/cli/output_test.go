package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputLink writes through symbolic links, also to a file that is not
// there yet, and leaves the links alone.
func TestOutputLink(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(path("far"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"y.npy": "middle", "middle": filepath.Join("far", "y.npy"), "round": "round"} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Skip(err) // not every system lets everybody make links
		}
	}
	for _, text := range []string{"new", "replaced"} {
		if err := writeFile(path("y.npy"), []byte(text), io.Discard); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path(filepath.Join("far", "y.npy"))); string(got) != text {
			t.Errorf("the file behind the links holds %q, %v", got, err)
		}
	}
	if st, err := os.Lstat(path("y.npy")); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", st, err)
	}
	if err := writeFile(path("round"), nil, io.Discard); err == nil || !strings.Contains(err.Error(), path("round")) {
		t.Errorf("a link to itself: %v", err)
	}
}
