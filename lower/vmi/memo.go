package vmi

import "sync"

// memo keeps results of a function. It forgets all of them when there are too many, so that a
// long run does not need more and more memory.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// memoLimit is the largest number of results.
const memoLimit = 4096

// get returns the result for a key, which compute computes if it is not known.
func (m *memo[K, V]) get(key K, compute func() V) V {
	m.mu.Lock()
	v, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= memoLimit {
		m.known = map[K]V{}
	}
	m.known[key] = v
	return v
}
