// This file answers requests concurrently.

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

// Handler answers a request. The client receives an error of type *Error unchanged,
// and any other error as CodeInvalidParams. The context ends when the client
// cancels the request.
type Handler func(ctx context.Context, params json.RawMessage) (result any, err error)

// Server reads JSON-RPC requests and calls a handler for each in a separate goroutine.
type Server struct {
	// Methods contains the handlers by the name of the method.
	Methods map[string]Handler

	out frameWriter
	mu  sync.Mutex
	// running maps the id of each running request to the function that cancels it.
	running map[string]context.CancelFunc
	wait    sync.WaitGroup
}

// message is a request, or a notification (a request without a response) if ID is empty.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// answer is a JSON-RPC response. Exactly one of Result and Error is set.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// patience is how long Serve waits for running requests after the end of the input. Their
// responses cannot reach a client.
const patience = 2 * time.Second

// Serve answers requests until the input ends. It then cancels the running requests
// and waits for them at most two seconds. It returns nil at the end of the input,
// and an error if the input is malformed so that no further message can be found.
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

// waitFor waits until all running requests have ended. It returns earlier when the time
// in the parameter limit has passed.
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

// accept processes a message from the client and returns immediately. For a request, it
// starts the handler. For the notification $/cancelRequest, it cancels a running request.
// It ignores every other notification, as JSON-RPC requires.
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
		return // a notification other than $/cancelRequest
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

// guarded calls a handler and converts a panic to an error, so that one faulty request
// does not end the server.
func guarded(ctx context.Context, h Handler, params json.RawMessage) (result any, err error) {
	defer func() {
		if x := recover(); x != nil {
			result, err = nil, fmt.Errorf("this is a bug in the server, please report it: %v", x)
		}
	}()
	return h(ctx, params)
}

// begin registers a running request. It returns false if another request with the same id
// is running.
func (s *Server) begin(id json.RawMessage, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[string(id)] != nil {
		return false
	}
	s.running[string(id)] = cancel
	return true
}

// end removes a request from the running ones. It is called before the response is sent,
// so that the client can reuse the id as soon as it has the response.
func (s *Server) end(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, string(id))
}

// cancel handles $/cancelRequest. Cancelling a request that has already ended is not an error.
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

// CancelAll cancels all running requests.
func (s *Server) CancelAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.running {
		cancel()
	}
}

// answer sends the response to a request: the result, or err if it is not nil. It ignores
// write errors, because a client that disconnects also closes the input, which ends
// Serve.
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
