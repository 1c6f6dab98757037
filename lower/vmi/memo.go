package vmi

import "sync"

// memo caches the results of a function by key. It drops all results when it holds
// memoLimit of them, so that a long run does not consume ever more memory.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// memoLimit is the maximum number of results that a memo (a cache of function results)
// holds.
const memoLimit = 4096

// get returns the cached result for a key. If the cache has none, get calls compute and
// stores its result.
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
