// This file ensures that only one build of the same program runs at a time.

package jit

import "sync"

// building has a lock for each path of a cache that somebody looks for: of those
// who need the same program, as the cases of a batch do, one builds it.
var building struct {
	sync.Mutex
	paths map[string]*claim
}

// claim is a lock of a path, and how many hold it or wait for it.
type claim struct {
	sync.Mutex
	users int
}

// alone waits until no other goroutine of this process uses a path, and reserves it.
// The returned function releases it.
func alone(path string) (leave func()) {
	building.Lock()
	if building.paths == nil {
		building.paths = map[string]*claim{}
	}
	c := building.paths[path]
	if c == nil {
		c = new(claim)
		building.paths[path] = c
	}
	c.users++
	building.Unlock()
	c.Lock()
	return func() {
		c.Unlock()
		building.Lock()
		defer building.Unlock()
		if c.users--; c.users == 0 {
			delete(building.paths, path)
		}
	}
}
