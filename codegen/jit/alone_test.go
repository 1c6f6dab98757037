package jit

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestBuiltOnce requests the same program from many goroutines at once. The compiler,
// which records each run, must compile it and the driver only once. Another program uses
// the same driver.
func TestBuiltOnce(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	lines := filepath.Join(dir, "lines")
	script := "#!/bin/sh\n" + `if [ "$1" = --version ]; then echo clang version 19.1.0; exit; fi
while [ $# -gt 0 ]; do
  case $1 in
  -o) shift; echo object > "$1" ;;
  *.ll|*.c) echo "${1##*/}" >> ` + lines + ` ;;
  esac
  shift
done
`
	if err := os.WriteFile(filepath.Join(dir, "clang"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, text := range []string{"one", "two"} {
				if _, err := Build(text, nil, Options{Cache: cache}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(got), "kernels.ll"); n != 2 {
		t.Errorf("two programs were compiled %d times", n)
	}
	if n := strings.Count(string(got), "driver.c"); n != 1 {
		t.Errorf("the driver was compiled %d times", n)
	}
	if len(building.paths) != 0 {
		t.Errorf("%d paths are still taken", len(building.paths))
	}
}
