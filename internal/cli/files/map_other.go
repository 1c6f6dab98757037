//go:build !linux

// This file reads input files on systems without the mapping.

package files

import "os"

// mapText would map a file into memory and return its text; the result passed is a
// function with which the caller reports how much of the text the parser has read. On
// this system, mapText does not support memory mapping and always returns ok = false. The
// caller then reads the file.
func mapText(*os.File, int) (text string, passed func(off int), ok bool) { return "", nil, false }
