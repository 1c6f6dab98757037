// This file writes output files only if the whole run succeeds.

package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// output is a file or stream that is written only if the whole run succeeds: a file
// appears at commit, under its final name. A stream or a device cannot be replaced
// later. Output of more than streamFrom bytes therefore goes there immediately, so that
// memory stays bounded.
type output struct {
	io.Writer
	path string
	tmp  *os.File // what becomes the file, in the same folder; nil for streams
	buf  *bufio.Writer
	to   io.Writer // the stream
	dev  *device   // the stream is a device
	size *limited  // nil: the size has no limit
}

// streamFrom is how many bytes of a stream are kept until the run has succeeded.
const streamFrom = 1 << 20

// device is a file that is not a regular one. It is opened at the first write.
type device struct {
	path string
	file *os.File
}

// Write implements io.Writer.
func (d *device) Write(p []byte) (int, error) {
	if d.file == nil {
		var err error
		if d.file, err = os.OpenFile(d.path, os.O_WRONLY, 0); err != nil {
			return 0, err
		}
	}
	return d.file.Write(p)
}

// close closes the device, if it was opened.
func (d *device) close() error {
	if d == nil || d.file == nil {
		return nil
	}
	file := d.file
	d.file = nil
	return file.Close()
}

// limited writes no more than a number of bytes, and keeps the error.
type limited struct {
	w    io.Writer
	left byteSize
	text string // of the error
	err  error
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.err == nil && byteSize(len(p)) > l.left {
		l.err = errors.New(l.text)
	}
	if l.err != nil {
		return 0, l.err
	}
	l.left -= byteSize(len(p))
	return l.w.Write(p)
}

// bound limits the size of the output.
func (o *output) bound(limit byteSize) {
	o.size = &limited{w: o.Writer, left: limit, text: fmt.Sprintf("the output is larger than %s; --max-output raises the limit", &limit)}
	o.Writer = o.size
}

// newOutput prepares writing to a path; "-" is the stream stdout, as it is.
func newOutput(path string, stdout io.Writer) (*output, error) {
	stdout = raw(stdout)
	path, err := behindLinks(path)
	if err != nil {
		return nil, err
	}
	o := &output{path: path, to: stdout}
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
	o.tmp, err = createTemporary(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, o.named(err)
	}
	o.buf = bufio.NewWriterSize(writerFunc(func(p []byte) (int, error) {
		n, err := o.tmp.Write(p)
		return n, o.named(err)
	}), 1<<16)
	o.Writer = o.buf
	return o, nil
}

// named returns an error of the temporary file as one of the output, since no user asked
// for the temporary file.
func (o *output) named(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		pe.Path = o.path
	}
	return err
}

// mostLinks is how many symbolic links may lead from one to the other.
const mostLinks = 40

// behindLinks returns the file that symbolic links lead to, which need not exist:
// the file is replaced, not the link.
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

// commit makes what was written visible.
func (o *output) commit() error {
	err := o.prepare()
	if err == nil {
		err = o.publish()
	}
	if err != nil {
		o.discard()
	}
	return err
}

// commitAll makes several outputs visible, or none of them: all are on the disk
// before the first gets its name.
func commitAll(outs []*output) error {
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
			o.discard()
		}
	}
	return err
}

// prepare does all of commit that a full disk can prevent. After it, a file is on
// the disk under its temporary name.
func (o *output) prepare() error {
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
func (o *output) publish() error {
	if o.tmp == nil {
		err := o.buf.Flush()
		return cmp.Or(err, o.dev.close())
	}
	if err := os.Rename(o.tmp.Name(), o.path); err != nil {
		return err
	}
	temporaries.forget(o.tmp.Name())
	o.tmp = nil
	return nil
}

// discard forgets what was written and is not published.
func (o *output) discard() {
	if o.tmp != nil {
		o.tmp.Close()
		removeTemporary(o.tmp.Name())
		o.tmp = nil
	}
	o.dev.close()
}

// keepMode copies the permissions of the replaced file to the new one.
func keepMode(tmp, path string) error {
	mode := os.FileMode(0o644)
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	return os.Chmod(tmp, mode)
}

// checkWritable reports why a file cannot be written, before there is anything
// to write; no path at all is fine.
func checkWritable(path string) error {
	if path == "" {
		return nil
	}
	o, err := newOutput(path, io.Discard)
	if err == nil {
		o.discard()
	}
	return err
}

// writeFile replaces a file in one step; "-" is the stream stdout.
func writeFile(path string, data []byte, stdout io.Writer) error {
	o, err := newOutput(path, stdout)
	if err != nil {
		return err
	}
	if _, err := o.Write(data); err != nil {
		o.discard()
		return err
	}
	return o.commit()
}
