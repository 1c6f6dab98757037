// Package outside runs external programs with which tests compare this project: LLVM's
// opt, mlir-opt and FileCheck.
//
// Starting such a program needs about 0.1 s of processor time, which is more than most of
// its work, and its output depends only on its arguments and input files. Ask therefore
// caches each output in the user's cache folder. The key consists of the program, its
// size and date, and the complete input. After a change of this project, only changed
// texts cause new runs.
package outside

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Question describes one run of an external program.
type Question struct {
	// Tool is the path of the program.
	Tool string
	// Args are the arguments. They refer to files by their names in Files.
	Args  []string
	Stdin string
	// Files maps the name of each file in the working folder to its content.
	Files map[string]string
}

// Answer is the result of running an external program: its output and its exit status.
// The status is -1 if a signal ended the program.
type Answer struct {
	Stdout, Stderr string
	Status         int
}

// Ask runs an external program, or returns the cached answer of an earlier run. It
// returns an error if the program cannot be started.
func Ask(q Question) (Answer, error) {
	info, err := os.Stat(q.Tool)
	if err != nil {
		return Answer{}, err
	}
	all, err := json.Marshal([]any{info.Size(), info.ModTime().UnixNano(), q})
	if err != nil {
		return Answer{}, err
	}
	sum := sha256.Sum256(all)
	path := filepath.Join(folder(), hex.EncodeToString(sum[:]))
	if a, ok := load(path); ok {
		return a, nil
	}
	a, err := q.run()
	if err == nil && a.Status >= 0 { // a signal may have come from outside
		store(path, a)
	}
	return a, err
}

func (q Question) run() (Answer, error) {
	cmd := exec.Command(q.Tool, q.Args...)
	if len(q.Files) > 0 {
		dir, err := os.MkdirTemp("", "outside-")
		if err != nil {
			return Answer{}, err
		}
		defer os.RemoveAll(dir)
		cmd.Dir = dir
		for name, text := range q.Files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return Answer{}, err
			}
		}
	}
	cmd.Stdin = strings.NewReader(q.Stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return Answer{}, err
	}
	return Answer{out.String(), errs.String(), cmd.ProcessState.ExitCode()}, nil
}

// unused is the time after which an entry of the cache that no test has used is deleted.
const unused = 30 * 24 * time.Hour

// folder returns the folder with the cached answers of external programs. On its first
// call, it removes answers that were not used recently.
var folder = sync.OnceValue(func() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	dir := filepath.Join(base, "ptogo", "outside")
	entries, _ := os.ReadDir(dir) // there is none before the first answer
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unused {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	return dir
})

// load reads a cached answer and updates the time of its last use. The result ok is false
// if the file is missing or unreadable; the caller then runs the external program.
func load(path string) (a Answer, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &a) != nil {
		return Answer{}, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // if not, it is removed earlier
	return a, true
}

// store writes the answer a to a file of the cache. The write is atomic, because tests of
// several packages run concurrently. If writing fails, store ignores the failure; a later
// test then runs the external program again.
func store(path string, a Answer) {
	text, err := json.Marshal(a)
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if errors.Join(err, f.Close()) != nil || os.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name())
	}
}
