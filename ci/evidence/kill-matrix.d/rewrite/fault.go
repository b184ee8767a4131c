// Package rewrite makes one-edit faults in Go sources that can be switched at run time.
package rewrite

// Fault is one edit that a developer could have made by mistake.
type Fault struct {
	// ID is the part of the sources, the function, the kind and number of the place within the function, and what is
	// done to it: graph.AddPod.call-3.dropped. It does not change with lines elsewhere.
	ID       string `json:"id"`
	Part     string `json:"part"`
	Function string `json:"function"`
	Kind     string `json:"kind"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	// What says what the fault is, in our words; upstream's text is not quoted.
	What string `json:"what"`
}
