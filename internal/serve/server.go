package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"ptogo/ir"
)

// Handler answers a request. An error of type *Error reaches the client as it is.
// The context ends when the client cancels the request.
type Handler func(ctx context.Context, params json.RawMessage) (result any, err error)

// Server answers requests.
type Server struct {
	Methods map[string]Handler

	out     frameWriter
	mu      sync.Mutex
	running map[string]context.CancelFunc // by the id of the request
	wait    sync.WaitGroup
}

// message is a request or a notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// patience is how long requests may take to end when nobody waits for them.
const patience = 2 * time.Second

// Serve answers requests until there are no more, and cancels what still runs,
// which should end soon then. The error says why the input cannot be read
// further.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	s.mu.Lock()
	s.out.w, s.running = out, map[string]context.CancelFunc{}
	s.mu.Unlock()
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		body, err := readFrame(r)
		if err == nil {
			s.accept(body)
			continue
		}
		if e := (*Error)(nil); errors.As(err, &e) {
			s.answer(json.RawMessage("null"), nil, e)
			continue
		}
		s.CancelAll()
		s.waitFor(patience)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
}

// waitFor waits for requests to end, but not for ever.
func (s *Server) waitFor(limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		s.wait.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(limit):
	}
}

// accept begins to answer a message.
func (s *Server) accept(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.answer(json.RawMessage("null"), nil, &Error{CodeParse, "the message is no JSON of a request: " + err.Error()})
		return
	}
	if m.Method == "$/cancelRequest" {
		s.cancel(m.Params)
		return
	}
	if len(m.ID) == 0 {
		return // a notification that we do not know
	}
	handler := s.Methods[m.Method]
	if handler == nil {
		s.answer(m.ID, nil, &Error{CodeNoMethod, fmt.Sprintf("there is no method '%s'", m.Method)})
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if !s.begin(m.ID, cancel) {
		cancel()
		s.answer(m.ID, nil, &Error{CodeInvalidRequest, "a request with this id is running"})
		return
	}
	s.wait.Go(func() {
		defer cancel()
		result, err := guarded(ctx, handler, m.Params)
		s.end(m.ID)
		s.answer(m.ID, result, err)
	})
}

// guarded runs a handler; a panic becomes an error.
func guarded(ctx context.Context, h Handler, params json.RawMessage) (result any, err error) {
	defer func() {
		if x := recover(); x != nil {
			result, err = nil, fmt.Errorf("this is a mistake in the server, please report it: %v", x)
		}
	}()
	return h(ctx, params)
}

func (s *Server) begin(id json.RawMessage, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[string(id)] != nil {
		return false
	}
	s.running[string(id)] = cancel
	return true
}

func (s *Server) end(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, string(id))
}

func (s *Server) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[string(bytes.TrimSpace(p.ID))]; cancel != nil {
		cancel()
	}
}

// CancelAll cancels the requests that run.
func (s *Server) CancelAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.running {
		cancel()
	}
}

// answer sends a result or an error. That nobody listens any more shows when the
// input ends, too.
func (s *Server) answer(id json.RawMessage, result any, err error) {
	a := answer{Version: "2.0", ID: id, Result: result}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{CodeInvalidParams, err.Error()}
		}
		a.Result, a.Error = nil, e
	}
	body, err := json.Marshal(a)
	if err != nil {
		body, _ = json.Marshal(answer{Version: "2.0", ID: id, Error: &Error{CodeInvalidParams, "the answer is no JSON: " + err.Error()}})
	}
	s.out.write(ir.VisibleJSON(body))
}
