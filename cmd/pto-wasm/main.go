//go:build js && wasm

// Command pto-wasm makes the requests of package playground available to JavaScript. It
// sets the global function ptoCall(name, request, files), which returns {answer, files}:
// request and answer are JSON texts, and files map names to Uint8Arrays. The program stays
// alive, so that later requests are fast. Package web runs it in a worker.
package main

import (
	"syscall/js"

	"ptogo/internal/playground"
)

func main() {
	js.Global().Set("ptoCall", js.FuncOf(call))
	if ready := js.Global().Get("ptoReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}

// call is the function ptoCall that JavaScript calls. Its arguments are the name of a
// playground request, the request as JSON text, and an object that maps file names to
// Uint8Arrays. It executes the request and returns an object: the property answer is JSON
// text, and the property files maps the names of output files to Uint8Arrays.
func call(_ js.Value, args []js.Value) any {
	in := playground.Files{}
	if len(args) > 2 && args[2].Type() == js.TypeObject {
		names := js.Global().Get("Object").Call("keys", args[2])
		for i := range names.Length() {
			name := names.Index(i).String()
			from := args[2].Get(name)
			data := make([]byte, from.Get("byteLength").Int())
			js.CopyBytesToGo(data, from)
			in[name] = data
		}
	}
	answer, out := playground.Call(args[0].String(), []byte(args[1].String()), in)
	files := js.Global().Get("Object").New()
	for name, data := range out {
		to := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(to, data)
		files.Set(name, to)
	}
	return map[string]any{"answer": string(answer), "files": files}
}
