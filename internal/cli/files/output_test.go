package files

import (
	"bytes"
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
		if err := WriteFile(path("y.npy"), []byte(text), io.Discard); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path(filepath.Join("far", "y.npy"))); string(got) != text {
			t.Errorf("the file behind the links holds %q, %v", got, err)
		}
	}
	if st, err := os.Lstat(path("y.npy")); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", st, err)
	}
	if err := WriteFile(path("round"), nil, io.Discard); err == nil || !strings.Contains(err.Error(), path("round")) {
		t.Errorf("a link to itself: %v", err)
	}
}

// TestOutputStreams writes to a stream: the start appears when the run has succeeded,
// and what follows goes on at once, so that it needs no memory.
func TestOutputStreams(t *testing.T) {
	var small, large bytes.Buffer
	o, err := NewOutput("-", &small)
	if err != nil {
		t.Fatal(err)
	}
	o.Write(make([]byte, streamFrom-1))
	if o.Discard(); small.Len() != 0 {
		t.Errorf("%d bytes of a run that failed", small.Len())
	}
	if o, err = NewOutput("-", &large); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		o.Write(make([]byte, streamFrom))
	}
	if large.Len() < 2*streamFrom {
		t.Errorf("%d bytes are written before the end", large.Len())
	}
	if err := o.Commit(); err != nil || large.Len() != 3*streamFrom {
		t.Errorf("%d bytes, %v", large.Len(), err)
	}
}
