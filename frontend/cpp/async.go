// This file converts asynchronous copies between ranks.

package cpp

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// The types of the values that sessions and events are in the text. In LLVM IR they are
// integers, which nothing but the calls in this file may use.
const (
	sessionType = "!pto.async_session"
	eventType   = "!pto.async_event"
)

// session converts BuildAsyncSession: the scratch tile, the workspace in global memory, and
// the number of the event of the session.
func (f *function) session(v *llir.Value) {
	if !f.onlyInCalls(v) {
		f.failf(v, "a session of asynchronous copies depends on the path or is in memory, which is not supported")
	}
	scratch := f.elementCall(v, 1).args[0]
	attr := ""
	if id := v.Args[1]; id.Op == "int" {
		attr = fmt.Sprintf(" {sync_id = %d : i32}", id.Int)
	}
	workspace := f.globalPointer(v, v.Args[0], byteElement)
	f.define(v, fmt.Sprintf("pto.comm.build_async_session(%s, %s : %s, %s)%s -> %s", scratch.name, workspace, scratch.typ, f.pointerType(byteElement), attr, sessionType))
}

// asyncCopy converts TPUT_ASYNC and TGET_ASYNC, whose session is the argument of v. An event
// that the kernel keeps in memory, or chooses on several paths, has no counterpart: then the
// kernel waits where it starts the copy, which changes the time, but not the result.
func (f *function) asyncCopy(v *llir.Value) {
	c := f.callAt(v)
	f.call = nil
	if len(c.args) != 2 || c.args[0].kind != viewArgument || c.args[1].kind != viewArgument || c.args[0].name == "" || c.args[1].name == "" {
		f.failf(v, "this call of %s has no counterpart in PTO yet", strings.Replace(c.name, ".", "::", 1))
	}
	dst, src, session := c.args[0], c.args[1], f.sessionOf(v, v.Args[0])
	f.define(v, fmt.Sprintf("pto.%s(%s, %s, %s : %s, %s, %s) -> %s", strings.ToLower(c.name), dst.name, src.name, session, dst.typ, src.typ, sessionType, eventType))
	if !f.onlyInCalls(v) {
		f.warn(v, "the event of an asynchronous copy is in memory or depends on the path, so the kernel waits where it starts the copy here")
		f.line(v, "%s = pto.comm.wait_async_event(%s, %s : %s, %s) -> i1", f.fresh("done"), f.names[v], session, eventType, sessionType)
		f.names[v] = f.intConst(0, "i64")
	}
}

// await converts Wait and Test of an event: the event, its session, and whether it is a
// test.
func (f *function) await(v *llir.Value) {
	name, event := "wait_async_event", v.Args[0]
	if f.literal(v, 2) != 0 {
		name = "test_async_event"
	}
	if event.Op != "call" || event.Pred != "ptogo_async" || !f.onlyInCalls(event) { // see asyncCopy
		f.names[v] = f.intConst(1, "i1")
		return
	}
	f.define(v, fmt.Sprintf("pto.comm.%s(%s, %s : %s, %s) -> i1", name, f.value(event), f.sessionOf(v, v.Args[1]), eventType, sessionType))
}

// sessionOf returns the name of a session.
func (f *function) sessionOf(at, v *llir.Value) string {
	if v.Op != "call" || v.Pred != "ptogo_session" {
		f.failf(at, "a session of asynchronous copies is used where its BuildAsyncSession is not known")
	}
	return f.value(v)
}

// onlyInCalls reports whether only the calls in this file use the session or event v.
func (f *function) onlyInCalls(v *llir.Value) bool {
	for _, b := range f.f.Blocks {
		for _, u := range b.Insts {
			if slices.Contains(u.Args, v) && (u.Op != "call" || u.Pred != "ptogo_async" && u.Pred != "ptogo_await") {
				return false
			}
		}
	}
	return true
}
