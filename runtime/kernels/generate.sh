#!/bin/sh
# Writes the assembly of this package anew.
set -e
cd gen
for group in float int convert reduce transpose broadcast gather compare matmul sum blocks; do
  go run . -group $group -out ../${group}_amd64.s -stubs ../${group}_amd64.go -pkg kernels
done
cd neon
go run .
