package jit

import "bytes"

// mostText is the number of bytes of another process's output that are kept.
const mostText = 1 << 20

// boundedText keeps the first mostText bytes of what a process writes and discards the
// rest, so that the process cannot fill the memory. It does not embed the buffer, whose
// method ReadFrom would keep everything.
type boundedText struct{ kept bytes.Buffer }

// Write implements io.Writer. It stores the first bytes of p, up to mostText bytes in
// total, and discards the rest. It never fails, because an error would end the process
// whose output it receives.
func (b *boundedText) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), mostText-b.kept.Len())])
	return len(p), nil
}
