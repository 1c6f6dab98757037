// This file writes output files only if the whole run succeeds.

package files

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/temporary"
)

// Output is a file or stream that is written only if the whole run succeeds. A file
// receives its final name at commit. Data that has been written to a stream or device
// cannot be withdrawn, so the output is held in memory until Commit. If the output to a
// stream is larger than streamFrom bytes, it is written immediately, to limit the memory
// of the process.
type Output struct {
	io.Writer
	path string
	// tmp is the temporary file in the same folder that will become the file. It is nil
	// for streams.
	tmp *os.File
	buf *bufio.Writer
	// to is the stream.
	to io.Writer
	// dev is not nil if the stream is a device.
	dev *device
	// size limits the output; nil means no limit.
	size *limited
}

// streamFrom is the maximum number of bytes of output to a stream that are buffered until
// the run has succeeded. Longer output is written during the run, to limit the memory of
// the process.
const streamFrom = 1 << 20

// device is a file that is not a regular one, such as /dev/null. It is opened at the
// first write.
type device struct {
	path string
	file *os.File
}

// Write implements io.Writer. The first call opens the device for writing; an error to
// open it is an error of Write.
func (d *device) Write(p []byte) (int, error) {
	if d.file == nil {
		var err error
		if d.file, err = os.OpenFile(d.path, os.O_WRONLY, 0); err != nil {
			return 0, err
		}
	}
	return d.file.Write(p)
}

// close closes the device d, an output file that is not a regular file, such as
// /dev/null. It does nothing if d is nil, or if no data has been written to the device,
// so that it was never opened.
func (d *device) close() error {
	if d == nil || d.file == nil {
		return nil
	}
	file := d.file
	d.file = nil
	return file.Close()
}

// limited is a writer that accepts a limited number of bytes and records an error if
// there are more.
type limited struct {
	w    io.Writer
	left limit.Bytes
	// text is the message of the error.
	text string
	err  error
}

// NewLimited returns a writer that passes at most the given number of bytes to w. The
// parameter text is the error for a larger output.
func NewLimited(w io.Writer, left limit.Bytes, text string) *limited {
	return &limited{w: w, left: left, text: text}
}

// Write implements io.Writer. It returns an error once the limit is exceeded.
func (l *limited) Write(p []byte) (int, error) {
	if l.err == nil && limit.Bytes(len(p)) > l.left {
		l.err = errors.New(l.text)
	}
	if l.err != nil {
		return 0, l.err
	}
	l.left -= limit.Bytes(len(p))
	return l.w.Write(p)
}

// Bound limits the size of the output to a number of bytes; a larger output is an error.
func (o *Output) Bound(limit limit.Bytes) {
	o.size = NewLimited(o.Writer, limit, fmt.Sprintf("the output is larger than %s; --max-output raises the limit", &limit))
	o.Writer = o.size
}

// NewOutput prepares writing to a file. The path "-" means stdout.
func NewOutput(path string, stdout io.Writer) (*Output, error) {
	stdout = report.Raw(stdout)
	path, err := behindLinks(path)
	if err != nil {
		return nil, err
	}
	o := &Output{path: path, to: stdout}
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	}
	if path == "-" || err == nil && !st.Mode().IsRegular() {
		if path != "-" {
			o.dev = &device{path: path}
			o.to = o.dev
		}
		o.buf = bufio.NewWriterSize(o.to, streamFrom)
		o.Writer = o.buf
		return o, nil
	}
	if err == nil && st.Mode().Perm()&0o222 == 0 {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EACCES} // a read-only file stays
	}
	o.tmp, err = temporary.File(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, o.named(err)
	}
	o.buf = bufio.NewWriterSize(WriterFunc(func(p []byte) (int, error) {
		n, err := o.tmp.Write(p)
		return n, o.named(err)
	}), 1<<16)
	o.Writer = o.buf
	return o, nil
}

// named corrects the file name in an error. It replaces the name of the temporary file by
// that of the output, because users do not know the temporary file.
func (o *Output) named(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		pe.Path = o.path
	}
	return err
}

// mostLinks is the maximum number of symbolic links that are followed.
const mostLinks = 40

// behindLinks returns the file to which a path leads through symbolic links. The file
// need not exist. Outputs replace this file instead of the link.
func behindLinks(path string) (string, error) {
	at := path
	for range mostLinks {
		st, err := os.Lstat(at)
		if err != nil || st.Mode()&os.ModeSymlink == 0 {
			return at, nil // what is wrong with it shows when it is written
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = to
	}
	return "", &os.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// Commit completes the output and gives the file its final name.
func (o *Output) Commit() error {
	err := o.prepare()
	if err == nil {
		err = o.publish()
	}
	if err != nil {
		o.Discard()
	}
	return err
}

// CommitAll commits several outputs, or none: all files are complete on disk before the
// first one is renamed.
func CommitAll(outs []*Output) error {
	var err error
	for _, o := range outs {
		if err == nil {
			err = o.prepare()
		}
	}
	for _, o := range outs {
		if err == nil {
			err = o.publish()
		}
	}
	if err != nil {
		for _, o := range outs {
			o.Discard()
		}
	}
	return err
}

// prepare performs the steps of commit that can fail if the disk is full. Afterwards,
// the file is on disk under its temporary name.
func (o *Output) prepare() error {
	if o.size != nil && o.size.err != nil {
		return o.size.err
	}
	if o.tmp == nil {
		return nil
	}
	if err := o.buf.Flush(); err != nil {
		return err
	}
	if err := o.tmp.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return o.named(err)
	}
	if err := o.tmp.Close(); err != nil {
		return o.named(err)
	}
	return keepMode(o.tmp.Name(), o.path)
}

// publish renames a complete output to its final name.
func (o *Output) publish() error {
	if o.tmp == nil {
		err := o.buf.Flush()
		return cmp.Or(err, o.dev.close())
	}
	if err := os.Rename(o.tmp.Name(), o.path); err != nil {
		return err
	}
	temporary.Forget(o.tmp.Name())
	o.tmp = nil
	return nil
}

// Discard removes the temporary file of an output that was not committed.
func (o *Output) Discard() {
	if o.tmp != nil {
		o.tmp.Close()
		temporary.Remove(o.tmp.Name())
		o.tmp = nil
	}
	o.dev.close()
}

// keepMode copies the permissions of a file to a new file that will replace it. The
// parameter path is the old file, and the parameter tmp is the new one.
func keepMode(tmp, path string) error {
	mode := os.FileMode(0o644)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	return os.Chmod(tmp, mode)
}

// CheckWritable returns an error if the file at path cannot be written. A tool calls it
// before a run, so that the error does not appear only after a long computation. It
// accepts an empty path, which means no file.
func CheckWritable(path string) error {
	if path == "" {
		return nil
	}
	o, err := NewOutput(path, io.Discard)
	if err == nil {
		o.Discard()
	}
	return err
}

// WriteFile replaces the contents of a file atomically. The path "-" means stdout.
func WriteFile(path string, data []byte, stdout io.Writer) error {
	o, err := NewOutput(path, stdout)
	if err != nil {
		return err
	}
	if _, err := o.Write(data); err != nil {
		o.Discard()
		return err
	}
	return o.Commit()
}

// WriterFunc is a function that implements io.Writer.
type WriterFunc func(p []byte) (int, error)

func (f WriterFunc) Write(p []byte) (int, error) { return f(p) }
