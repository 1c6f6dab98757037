package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// client is a test client of a server.
type client struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	end chan error
}

func start(t *testing.T, methods map[string]Handler) *client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t, inW, bufio.NewReader(outR), make(chan error, 1)}
	s := &Server{Methods: methods}
	go func() { c.end <- s.Serve(inR, outW) }()
	return c
}

func (c *client) send(body string) {
	fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// receive returns the next response, without the fields that all responses share.
func (c *client) receive() string {
	body, err := readFrame(c.out)
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.TrimPrefix(string(body), `{"jsonrpc":"2.0",`)
}

// TestServer sends correct and incorrect requests.
func TestServer(t *testing.T) {
	c := start(t, map[string]Handler{
		"echo":  func(_ context.Context, p json.RawMessage) (any, error) { return p, nil },
		"panic": func(context.Context, json.RawMessage) (any, error) { panic("ouch") },
		"fail":  func(context.Context, json.RawMessage) (any, error) { return nil, &Error{7, "no"} },
	})
	for _, x := range []struct{ request, want string }{
		{`{"id":1,"method":"echo","params":[1]}`, `"id":1,"result":[1]}`},
		{`{"id":"a","method":"fail"}`, `"id":"a","error":{"code":7,"message":"no"}}`},
		{`{"id":2,"method":"panic"}`, `"id":2,"error":{"code":-32602,"message":"this is a bug in the server, please report it: ouch"}}`},
		{`{"id":3,"method":"nothing"}`, `"id":3,"error":{"code":-32601,"message":"there is no method 'nothing'"}}`},
		{`what`, `"id":null,"error":{"code":-32700,"message":"the message is no JSON of a request: invalid character 'w' looking for beginning of value"}}`},
	} {
		c.send(x.request)
		if got := c.receive(); got != x.want {
			t.Errorf("%s: got %s, want %s", x.request, got, x.want)
		}
	}
	c.send(`{"method":"nothing"}`)
	c.in.Close()
	if err := <-c.end; err != nil {
		t.Error(err)
	}
}

// TestCancel cancels one request while another one runs, and all requests at the end.
func TestCancel(t *testing.T) {
	c := start(t, map[string]Handler{
		"wait": func(ctx context.Context, p json.RawMessage) (any, error) {
			<-ctx.Done()
			return p, nil
		},
	})
	c.send(`{"id":1,"method":"wait","params":1}`)
	c.send(`{"id":2,"method":"wait","params":2}`)
	c.send(`{"id":2,"method":"wait","params":3}`)
	if got := c.receive(); !strings.Contains(got, "a request with this id is running") {
		t.Error(got)
	}
	c.send(`{"method":"$/cancelRequest","params":{"id":2}}`)
	if got := c.receive(); got != `"id":2,"result":2}` {
		t.Error(got)
	}
	c.in.Close()
	if got := c.receive(); got != `"id":1,"result":1}` {
		t.Error(got)
	}
	if err := <-c.end; err != nil {
		t.Error(err)
	}
}

func TestBadFrames(t *testing.T) {
	for _, text := range []string{"x", "x\r\n\r\n", "A: 1\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999\r\n\r\n", "Content-Length: 5\r\n\r\nabc"} {
		if err := (&Server{}).Serve(strings.NewReader(text), io.Discard); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// FuzzServer sends arbitrary input. Each response must be a message with one line of
// JSON.
func FuzzServer(f *testing.F) {
	frame := func(bodies ...string) (in []byte) {
		for _, b := range bodies {
			in = fmt.Appendf(in, "Content-Length: %d\r\n\r\n%s", len(b), b)
		}
		return in
	}
	for _, bodies := range [][]string{
		{"{}"}, {`{"id":1,"method":"nothing"}`}, {`{"id":1,"method":"echo","params":["\u001b[2J\n::error::x"]}`, `{"id":1,"method":"fail"}`},
		{`{"id":"a","method":"panic"}`, `{"method":"$/cancelRequest","params":{"id":"a"}}`}, {`[]`, `null`, `{"id":{"id":[]},"method":"echo"}`},
		{`{"id":1,"method":"echo","params":` + strings.Repeat("[", 12000)}, {"\xff\x00", `{"id":"\u202e","method":"\u0085"}`},
	} {
		f.Add(frame(bodies...))
	}
	f.Add([]byte("content-length: 2\n\n{}Content-Length: 9\r\n\r\n{}"))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if hugeFrame.Match(in) {
			return // memory for 256 MiB is only slow
		}
		var out bytes.Buffer
		s := &Server{Methods: map[string]Handler{
			"echo":  func(_ context.Context, p json.RawMessage) (any, error) { return p, nil },
			"panic": func(context.Context, json.RawMessage) (any, error) { panic("ouch") },
			"fail":  func(context.Context, json.RawMessage) (any, error) { return nil, &Error{7, "no"} },
		}}
		s.Serve(bytes.NewReader(in), &out)
		for r := bufio.NewReader(&out); ; {
			body, err := readFrame(r)
			if err == io.EOF {
				return
			}
			if err != nil || !json.Valid(body) || bytes.ContainsAny(body, "\n\x1b\u202e") {
				t.Fatalf("an answer is %q: %v", body, err)
			}
		}
	})
}

// hugeFrame matches a message length from 1 MB to 999 MB. The server rejects a longer
// message before it allocates memory.
var hugeFrame = regexp.MustCompile(`:\s*[+0]*[0-9]{7,9}\s`)

// TestFiles shares a file, lets it grow, and unmaps it while it is in use.
func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared")
	if err := os.WriteFile(path, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	var files Files
	a, endA, err := files.Use(path, 10, 90)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := files.Use(path, 10, 91); err == nil {
		t.Error("bytes behind the end")
	}
	if err := os.Truncate(path, 1<<16); err != nil {
		t.Fatal(err)
	}
	b, endB, err := files.Use(path, 1000, 8)
	if err != nil {
		t.Fatal(err)
	}
	files.Forget(path)
	copy(a, "first")
	copy(b, "second")
	for _, end := range []func() error{endA, endB} {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got[10:15]) != "first" || string(got[1000:1006]) != "second" {
		t.Errorf("%v: what was written is not in the file", err)
	}
	for _, bad := range [][2]int64{{-1, 1}, {1, -1}, {1 << 62, 1 << 62}} {
		if _, _, err := files.Use(path, bad[0], bad[1]); err == nil {
			t.Errorf("%v is a range of bytes", bad)
		}
	}
	if _, _, err := files.Use(t.TempDir(), 0, 1); err == nil {
		t.Error("a folder is a file")
	}
}

// TestTooLarge checks that a message that is too large gets an error response, and that
// the next message is answered normally.
func TestTooLarge(t *testing.T) {
	in := io.MultiReader(
		strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", maxFrame+1)), io.LimitReader(spaces{}, maxFrame+1),
		strings.NewReader("Content-Length: 24\r\n\r\n{\"id\":1,\"method\":\"none\"}"),
	)
	var out bytes.Buffer
	s := Server{}
	if err := s.Serve(in, &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "at most") || !strings.Contains(text, "there is no method 'none'") {
		t.Errorf("answers: %s", text)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
