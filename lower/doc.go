// Package lower lists the passes that change the level of a program:
//
//	bufferize    Level 1 to Level 2: tiles become buffers
//	plan         Level 2 to Level 3: scratch tiles, buffers in turn, addresses
//	expand       tile instructions of A5 to loops of vector instructions
//	insertsync   flags and barriers between pipes, and the proof that they suffice
//	ptoas        PTO-AS, the assembly of Level 1: reading and writing
//	flow         straight runs of control flow, for the live ranges of both levels
package lower
