// This file removes temporary files when the process is terminated.

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// temporaryFiles are the files and folders that this process has created and that do not
// have their final name yet, and the processes that it has started.
type temporaryFiles struct {
	sync.Mutex
	names    map[string]bool
	children map[*os.Process]bool
	watch    sync.Once
	// interruptible is the number of parts of the process that handle SIGINT themselves.
	interruptible atomic.Int32
}

var temporaries = temporaryFiles{names: map[string]bool{}, children: map[*os.Process]bool{}}

// watchSignals makes signals that end the process also remove the temporary files and end
// the started processes.
func (t *temporaryFiles) watchSignals() {
	t.watch.Do(func() {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
		go func() {
			for s := range asked {
				if s == os.Interrupt && t.interruptible.Load() > 0 {
					continue
				}
				t.removeAll()
				os.Exit(128 + int(s.(syscall.Signal))) // as a shell reports a process that the signal ended
			}
		}()
	})
}

// createTemporary creates a file in dir whose name has the given pattern, as
// os.CreateTemp does. The file is removed if a signal ends the process.
func createTemporary(dir, pattern string) (*os.File, error) {
	temporaries.watchSignals()
	temporaries.Lock()
	defer temporaries.Unlock()
	f, err := os.CreateTemp(dir, pattern)
	if err == nil {
		temporaries.names[f.Name()] = true
	}
	return f, err
}

// createTemporaryFolder creates a folder for temporary files. The folder is removed if a
// signal ends the process, or by the function remove.
func createTemporaryFolder(pattern string) (dir string, remove func(), err error) {
	temporaries.watchSignals()
	temporaries.Lock()
	defer temporaries.Unlock()
	dir, err = os.MkdirTemp("", pattern)
	if err != nil {
		return "", nil, err
	}
	temporaries.names[dir] = true
	return dir, func() {
		os.RemoveAll(dir)
		temporaries.forget(dir)
	}, nil
}

// runChild runs a command, and ends it when a signal ends the process.
func (t *temporaryFiles) runChild(cmd *exec.Cmd) error {
	t.watchSignals()
	t.Lock()
	if err := cmd.Start(); err != nil {
		t.Unlock()
		return err
	}
	t.children[cmd.Process] = true
	t.Unlock()
	err := cmd.Wait()
	t.Lock()
	delete(t.children, cmd.Process)
	t.Unlock()
	return err
}

// removeAll removes the files and ends the started processes before the process ends. It keeps the mutex locked, so
// that no file is created or renamed afterwards.
func (t *temporaryFiles) removeAll() {
	t.Lock()
	for child := range t.children {
		_ = child.Kill()
	}
	for name := range t.names {
		os.RemoveAll(name)
	}
}

// forget removes a file from the list, because it was renamed or removed.
func (t *temporaryFiles) forget(name string) {
	t.Lock()
	defer t.Unlock()
	delete(t.names, name)
}

// removeTemporary removes a temporary file.
func removeTemporary(name string) {
	os.Remove(name)
	temporaries.forget(name)
}
