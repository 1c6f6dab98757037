package jit

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTrim checks that trim keeps the most recently used programs up to the capacity, and
// entries that are being built.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	add := func(name string, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-age)
		if err := os.Chtimes(path, used, used); err != nil {
			t.Fatal(err)
		}
	}
	add("old", 2*keep)
	add("first", 3*time.Hour)
	add("second", 2*time.Hour)
	add("third", time.Hour)
	if err := os.Mkdir(filepath.Join(dir, "build-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	trim(dir, 250)
	for name, want := range map[string]bool{"old": false, "first": false, "second": true, "third": true, "build-1": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
}
