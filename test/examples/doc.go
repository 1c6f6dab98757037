// Package examples tests the kernels under examples, and what README says
// about them.
package examples
