package jit

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestCacheFolder checks that a cache folder in which other users can write is refused,
// and that a new folder is accessible to the user only.
func TestCacheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of unix")
	}
	made := filepath.Join(t.TempDir(), "a", "b")
	if err := secure(made); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is made as %v, %v", info, err)
	}
	for _, mode := range []os.FileMode{0o777, 0o770, 0o702} {
		if err := os.Chmod(made, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Build("", nil, Options{Cache: made}); !errors.Is(err, ErrCache) {
			t.Errorf("a folder of mode %o: %v", mode, err)
		}
	}
	if os.Geteuid() == 0 {
		other := t.TempDir()
		if err := os.Chown(other, 12345, 0); err != nil {
			t.Skip(err)
		}
		if err := secure(other); err == nil {
			t.Error("a folder of another user is used")
		}
	}
}

// TestNoSharedCache checks that a shared folder is never used if the user has no cache
// folder.
func TestNoSharedCache(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	if dir, err := cacheDir(); err == nil {
		t.Errorf("without a home the cache is %s", dir)
	}
}

// TestSeal checks that damaged cache entries are detected: truncated, changed or replaced
// ones.
func TestSeal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "entry")
	write := func(data []byte) {
		if err := os.WriteFile(path, data, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write([]byte("program"))
	if sealed(path) {
		t.Error("an entry without a seal counts")
	}
	if err := seal(path); err != nil || !sealed(path) {
		t.Fatalf("an entry as it was built does not count: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		changed := append([]byte(nil), whole...)
		changed[at] ^= 1
		write(changed)
		if sealed(path) {
			t.Errorf("byte %d may change", at)
		}
		write(whole[:at])
		if sealed(path) {
			t.Errorf("an entry may be cut off at %d", at)
		}
	}
	notes := 0
	o := Options{Note: func(string) { notes++ }}
	if o.touch(path) || notes != 1 {
		t.Errorf("a broken entry is used, with %d notes", notes)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a broken entry stays")
	}
	if err := os.Symlink("/bin/sh", path); err == nil && o.touch(path) {
		t.Error("a link counts as an entry")
	}
}
