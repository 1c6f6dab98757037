// Package temporary creates files and folders that a signal that ends the process removes,
// and starts processes that such a signal ends.
package temporary

import (
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// all are the files and folders that this process has created and that do not have their
// final name yet, and the processes that it has started.
var all = struct {
	sync.Mutex
	names    map[string]bool
	children map[*os.Process]bool
	watch    sync.Once
}{names: map[string]bool{}, children: map[*os.Process]bool{}}

// interrupts are the functions that handle SIGINT instead of ending the process.
var interrupts struct {
	sync.Mutex
	handlers map[int]func()
	next     int
}

// watchSignals makes signals that end the process also remove the temporary files and end
// the started processes.
func watchSignals() {
	all.watch.Do(func() {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, ending...)
		go func() {
			for s := range asked {
				if s == os.Interrupt && interrupted() {
					continue
				}
				RemoveAll()
				os.Exit(128 + int(s.(syscall.Signal))) // as a shell reports a process that the signal ended
			}
		}()
	})
}

// OnInterrupt makes SIGINT call handle, instead of ending the process, until end is called.
// There is one receiver of signals: with a second one, a handler could end before the
// first receiver has seen the signal that the handler was for.
func OnInterrupt(handle func()) (end func()) {
	watchSignals()
	interrupts.Lock()
	defer interrupts.Unlock()
	if interrupts.handlers == nil {
		interrupts.handlers = map[int]func(){}
	}
	interrupts.next++
	n := interrupts.next
	interrupts.handlers[n] = handle
	return func() {
		interrupts.Lock()
		defer interrupts.Unlock()
		delete(interrupts.handlers, n)
	}
}

// interrupted calls the functions that handle SIGINT, and reports whether there are any.
func interrupted() bool {
	interrupts.Lock()
	handlers := slices.Collect(maps.Values(interrupts.handlers))
	interrupts.Unlock()
	for _, handle := range handlers {
		handle()
	}
	return len(handlers) > 0
}

// File creates a file in dir whose name has the given pattern, as os.CreateTemp does. The
// caller calls Forget after it has renamed the file, or Remove.
func File(dir, pattern string) (*os.File, error) {
	watchSignals()
	all.Lock()
	defer all.Unlock()
	f, err := os.CreateTemp(dir, pattern)
	if err == nil {
		all.names[f.Name()] = true
	}
	return f, err
}

// Folder creates a folder in dir whose name has the given pattern, as os.MkdirTemp does.
// The function remove removes it.
func Folder(dir, pattern string) (name string, remove func(), err error) {
	watchSignals()
	all.Lock()
	defer all.Unlock()
	name, err = os.MkdirTemp(dir, pattern)
	if err != nil {
		return "", nil, err
	}
	all.names[name] = true
	return name, func() {
		os.RemoveAll(name)
		Forget(name)
	}, nil
}

// Run runs a command, and ends it when a signal ends the process.
func Run(cmd *exec.Cmd) error {
	watchSignals()
	all.Lock()
	if err := cmd.Start(); err != nil {
		all.Unlock()
		return err
	}
	all.children[cmd.Process] = true
	all.Unlock()
	err := cmd.Wait()
	all.Lock()
	delete(all.children, cmd.Process)
	all.Unlock()
	return err
}

// RemoveAll removes the files and folders and ends the started processes, before the
// process ends. No file can be created or renamed afterwards, because RemoveAll keeps the
// mutex locked.
func RemoveAll() {
	all.Lock()
	for child := range all.children {
		_ = child.Kill()
	}
	for name := range all.names {
		os.RemoveAll(name)
	}
}

// Forget leaves a file alone from now on, because it was renamed or removed.
func Forget(name string) {
	all.Lock()
	defer all.Unlock()
	delete(all.names, name)
}

// Remove removes a file.
func Remove(name string) {
	os.Remove(name)
	Forget(name)
}

// Running returns the number of processes that Run has started and that have not ended.
func Running() int {
	all.Lock()
	defer all.Unlock()
	return len(all.children)
}

// Below returns the temporary files and folders whose names start with the given prefix.
func Below(prefix string) (names []string) {
	all.Lock()
	defer all.Unlock()
	for name := range all.names {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}
