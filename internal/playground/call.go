// This file dispatches the requests of the browser.

package playground

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"ptogo/ir"
)

// Files are files in memory, by their names.
type Files map[string][]byte

// Program is the program of a request.
type Program struct {
	// Name is the file name in diagnostics.
	Name string `json:"name"`
	// Text is the source text.
	Text string `json:"text"`
	// Target is a profile; if it is empty, the module selects the target.
	Target string `json:"target"`
}

// MaxText is the size of a program, in bytes, up to which requests accept it.
const MaxText = 4 << 20

// source returns the text for the parser.
func (p *Program) source() *ir.Source {
	name := p.Name
	if name == "" {
		name = "kernel.pto"
	}
	return &ir.Source{Name: name, Text: p.Text}
}

// handlers maps the names of requests to the functions that answer them.
var handlers = map[string]func(request []byte, in Files) (answer any, out Files, err error){
	"analyse": handle(analyse),
	"passes":  handle(runPasses),
	"emit":    handle(emit),
	"run":     handle(run),
}

// handle returns a function that decodes a request from JSON and passes it to f.
func handle[R any](f func(r *R, in Files) (any, Files, error)) func([]byte, Files) (any, Files, error) {
	return func(request []byte, in Files) (any, Files, error) {
		var r R
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, nil, fmt.Errorf("malformed request: %w", err)
		}
		return f(&r, in)
	}
}

// failure is the answer to a request that is wrong.
type failure struct {
	Error string `json:"error"`
}

// Call answers a request. The answer is JSON; an object with the member "error" if the
// request itself is wrong. in has the files that the request names, and out those that the
// answer names.
func Call(name string, request []byte, in Files) (answer []byte, out Files) {
	value, out, err := call(name, request, in)
	if err != nil {
		value, out = failure{ir.Visible(err.Error())}, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic("BUG: " + err.Error()) // answers consist of texts and finite numbers
	}
	return text, out
}

// call answers the request with this name. in and out are the files that the page passes
// and receives. A panic becomes an error, so that the page stays usable.
func call(name string, request []byte, in Files) (value any, out Files, err error) {
	h := handlers[name]
	if h == nil {
		return nil, nil, fmt.Errorf("unknown request '%s'", name)
	}
	defer func() {
		if r := recover(); r != nil {
			value, out, err = nil, nil, fmt.Errorf("the playground failed because of a bug, please report it: %v\n%s", r, debug.Stack())
		}
	}()
	return h(request, in)
}
