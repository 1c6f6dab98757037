// Package examples tests the kernels under examples. Package test/docs runs the
// commands of the README and of docs.
package examples
