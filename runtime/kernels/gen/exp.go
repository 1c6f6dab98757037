package main

func expLoop(v isa) {}
