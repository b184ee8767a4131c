package faultpoint

// The rewriter puts the ids of all faults here; fault n is names[n-1].
var names = []string{}
