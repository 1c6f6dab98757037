//go:build unix

package files

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ptogo/internal/temporary"
)

// TestOutputsAllOrNone writes two outputs of which the second cannot get its name:
// the first must not be there either, nor a temporary file.
func TestOutputsAllOrNone(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	var outs []*Output
	for _, path := range []string{filepath.Join(dir, "a"), filepath.Join(sub, "b")} {
		o, err := NewOutput(path, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(o, "text")
		outs = append(outs, o)
	}
	outs[1].tmp.Close() // as a write that the disk refuses
	if err := CommitAll(outs); err == nil {
		t.Error("an output that cannot be written is none")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*", "*"))
	if len(left) != 1 || len(hidden) != 0 {
		t.Errorf("left are %v %v", left, hidden)
	}
	if names := temporary.Below(dir); len(names) > 0 {
		t.Errorf("%v are still listed", names)
	}
}

// TestReadOnlyStays refuses to replace a read-only file.
func TestReadOnlyStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("old"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("new"), io.Discard); err == nil {
		t.Error("a read-only file is replaced")
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("it holds %q", text)
	}
}

// TestTermination runs this test again as a process that gets a signal while it writes:
// its temporary file and folder go, and the process that it has started ends.
func TestTermination(t *testing.T) {
	if path := os.Getenv("PTOGO_TEST_TERMINATE"); path != "" {
		if _, err := NewOutput(path, io.Discard); err != nil {
			t.Fatal(err)
		}
		dir, _, err := temporary.Folder("", "pto-test")
		if err != nil {
			t.Fatal(err)
		}
		child := exec.Command("sleep", "600")
		go func() { _ = temporary.Run(child) }()
		for temporary.Running() == 0 {
			time.Sleep(time.Millisecond)
		}
		fmt.Println(dir)
		fmt.Println(child.Process.Pid)
		n, _ := strconv.Atoi(os.Getenv("PTOGO_TEST_SIGNAL"))
		syscall.Kill(os.Getpid(), syscall.Signal(n))
		select {}
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT} {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestTermination$")
		cmd.Env = append(os.Environ(), "PTOGO_TEST_TERMINATE="+filepath.Join(dir, "out"), fmt.Sprintf("PTOGO_TEST_SIGNAL=%d", int(s)))
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 128+int(s) {
			t.Errorf("%v: exit code %d\n%s", s, code, out)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%v: %d files are left", s, len(left))
		}
		words := strings.Fields(string(out))
		if len(words) < 2 {
			t.Fatalf("%v: %s", s, out)
		}
		if _, err := os.Stat(words[0]); err == nil {
			t.Errorf("%v: the temporary folder is left", s)
		}
		pid, _ := strconv.Atoi(words[1])
		for range 1000 { // the system needs a moment to end a process
			if syscall.Kill(pid, 0) != nil {
				pid = 0
				break
			}
			if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(stat), ") Z ") {
				pid = 0 // ended, and its new parent has not noticed
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if pid != 0 {
			t.Errorf("%v: the started process still runs", s)
		}
	}
}
