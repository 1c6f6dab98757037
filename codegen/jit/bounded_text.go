package jit

import "bytes"

// mostText is how many bytes of the output of another process are kept.
const mostText = 1 << 20

// boundedText keeps the start of what a process writes and drops the rest, so that the
// process cannot fill the memory of this one. It does not embed the buffer, whose
// ReadFrom would keep everything.
type boundedText struct{ kept bytes.Buffer }

// Write implements io.Writer. It never fails, so the process is not ended by it.
func (b *boundedText) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), mostText-b.kept.Len())])
	return len(p), nil
}
