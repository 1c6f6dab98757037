// This file reads and writes messages.

package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// maxFrame is the limit for the size of a message, in bytes. The data of arrays is
// in files and does not count.
const maxFrame = 1 << 28

// readFrame returns the body of the next message, or io.EOF at the end of the input.
// After an error of type *Error, which concerns only this message, the next message can
// be read. After any other error, the position in the stream is unknown.
func readFrame(r *bufio.Reader) ([]byte, error) {
	size := -1
	for first := true; ; first = false {
		text, err := r.ReadSlice('\n') // a line longer than the buffer of r is an error
		line := string(text)
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, errors.New("a line of a header is too long")
		}
		if err != nil {
			if first && line == "" {
				return nil, err
			}
			return nil, io.ErrUnexpectedEOF
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("expected a header line such as \"Content-Length: 42\", found %q", line)
		}
		if strings.EqualFold(name, "Content-Length") {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || size < 0 {
				return nil, fmt.Errorf("expected the length of a message as a number, found %q", value)
			}
		}
	}
	if size < 0 {
		return nil, errors.New("header without Content-Length")
	}
	if size > maxFrame {
		// Skip the body, so that the next message can be read.
		if _, err := io.CopyN(io.Discard, r, int64(size)); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, &Error{CodeInvalidRequest, fmt.Sprintf("the message has %d bytes, but at most %d are read", size, maxFrame)}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
}

// frameWriter writes messages from several goroutines to one stream, and completes each
// message before it starts the next one.
type frameWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// write writes a message with its header by a single call of the underlying writer.
func (f *frameWriter) write(body []byte) error {
	frame := make([]byte, 0, len(body)+32)
	frame = fmt.Appendf(frame, "Content-Length: %d\r\n\r\n", len(body))
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.w.Write(append(frame, body...))
	return err
}
