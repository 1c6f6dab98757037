// Package dma defines the micro-instructions that copy between global memory and the
// unified buffer, and the registers that configure their loops and strides. Tile
// instructions such as pto.tload are in package tile.
package dma
