// Package lsp is a language server for PTO programs, over the Language Server
// Protocol 3.17.
//
// Serve answers one client. A document holds the text of a file and, per version, its
// analysis: the diagnostics, the index of names, and the program. Requests read the
// analysis; each kind of request has a file. Start reading in server.go.
//
// The types of the protocol are those of go.lsp.dev/protocol, which are generated from
// the specification. Its server dispatches requests concurrently, which would reorder
// edits; Serve therefore connects the dispatcher to a synchronous connection.
package lsp
