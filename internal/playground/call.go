// This file dispatches the requests of the browser.

package playground

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"ptogo/ir"
)

// Files are files in memory, by name. The web page sends and receives them with requests.
type Files map[string][]byte

// Program is the program to which a request of the web page refers.
type Program struct {
	// Name is the file name in diagnostics.
	Name string `json:"name"`
	// Text is the source text.
	Text string `json:"text"`
	// Target is the chip family (a2, a3 or a5); if it is empty, the module selects it.
	Target string `json:"target"`
}

// MaxText is the maximum size in bytes of a program that a request may contain.
const MaxText = 4 << 20

// source returns the program in the form that the parser accepts.
func (p *Program) source() *ir.Source {
	name := p.Name
	if name == "" {
		name = "kernel.pto"
	}
	return &ir.Source{Name: name, Text: p.Text}
}

// handlers maps the names of requests of the web page to the functions that respond to
// them.
var handlers = map[string]func(request []byte, in Files) (answer any, out Files, err error){
	"analyse": handle(analyse),
	"passes":  handle(runPasses),
	"emit":    handle(emit),
	"run":     handle(run),
	"diff":    handle(diff),
	"advise":  handle(improve),
}

// handle returns a function that decodes a request from JSON, calls f with it, and
// returns the response of f.
func handle[R any](f func(r *R, in Files) (any, Files, error)) func([]byte, Files) (any, Files, error) {
	return func(request []byte, in Files) (any, Files, error) {
		var r R
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, nil, fmt.Errorf("malformed request: %w", err)
		}
		return f(&r, in)
	}
}

// failure is the response to a request that is malformed or that failed.
type failure struct {
	Error string `json:"error"`
}

// Call responds to the request of the web page with the given name. The parameter in
// contains the files that the request refers to. The response is JSON; it is an object
// with the member "error" if the request itself is wrong. The result out contains the
// files that the response refers to.
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

// call responds to the request with the given name. The parameter in contains the files
// that the web page has sent, and out those that it receives. A panic becomes an error,
// so that the page stays usable.
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
