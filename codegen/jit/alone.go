// This file ensures that only one build of the same program runs at a time.

package jit

import "sync"

// building holds a lock for every cache path that is in use. If several goroutines need
// the same compiled program, one of them builds it while the remaining goroutines wait.
var building struct {
	sync.Mutex
	paths map[string]*claim
}

// claim is the lock of one path in the cache. The field users is the number of goroutines
// that hold the lock or wait for it. When this number becomes 0, the claim is removed.
type claim struct {
	sync.Mutex
	users int
}

// alone reserves a path of the cache for the calling goroutine. It first waits until no
// other goroutine of this process has reserved the path. The caller calls the returned
// function to release it.
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
