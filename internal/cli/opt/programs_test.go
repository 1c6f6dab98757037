//go:build unix

package opt

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFolderStaysInside reads no program by way of a link out of the folder, and waits
// for no pipe.
func TestFolderStaysInside(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	for _, d := range []string{in, filepath.Join(in, "deep")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"outside.pto", "in/a.pto", "in/deep/b.pto"} {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out.pto": "../outside.pto", "zero.pto": "/dev/zero", "inside.pto": "deep/b.pto", "none.pto": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(in, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(in, "pipe.pto"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := programsIn([]string{in})
	want := []string{filepath.Join(in, "a.pto"), filepath.Join(in, "inside.pto")}
	if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}
