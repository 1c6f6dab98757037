// This file removes temporary files when the process is terminated.

package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// temporaryFiles are the files that this process has created and that do not have their
// final name yet.
type temporaryFiles struct {
	sync.Mutex
	names map[string]bool
	watch sync.Once
}

var temporaries = temporaryFiles{names: map[string]bool{}}

// createTemporary creates a file in dir whose name has the given pattern, as
// os.CreateTemp does. The file is removed if a signal ends the process.
func createTemporary(dir, pattern string) (*os.File, error) {
	temporaries.watch.Do(func() {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM, syscall.SIGHUP)
		go func() {
			s := (<-asked).(syscall.Signal)
			temporaries.removeAll()
			os.Exit(128 + int(s)) // as a shell reports a process that the signal ended
		}()
	})
	temporaries.Lock()
	defer temporaries.Unlock()
	f, err := os.CreateTemp(dir, pattern)
	if err == nil {
		temporaries.names[f.Name()] = true
	}
	return f, err
}

// removeAll removes the files before the process ends. It keeps the mutex locked, so
// that no file is created or renamed afterwards.
func (t *temporaryFiles) removeAll() {
	t.Lock()
	for name := range t.names {
		os.Remove(name)
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
