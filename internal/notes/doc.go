// Package notes finds parts of a launch that are legal but probably mistakes: arrays
// that a kernel does not reach, and tiles that no instruction reads. Its functions return
// texts; pto-run prints them.
package notes
