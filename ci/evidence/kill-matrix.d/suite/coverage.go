package suite

import (
	"fmt"
	"log"
)

// Coverage tells, for one way of starting the server, which faults each scenario would have met.
type Coverage struct {
	Start     []int            `json:"start"`     // met while the server starts
	Scenarios map[string][]int `json:"scenarios"` // met by each scenario
	// Files are the hashes of the files that the scenarios were read from, as they were then.
	Files map[string]string `json:"files"`
}

// Unknown are those of the scenarios that were never run, or have been edited since; files are the hashes of their
// files as they are now. Where no hash was kept, the scenario is taken not to have been edited.
func (c *Coverage) Unknown(scenarios []string, files map[string]string) []string {
	if c.Files == nil {
		c.Files = map[string]string{}
	}
	var unknown []string
	for _, id := range scenarios {
		_, known := c.Scenarios[id]
		if then, hashed := c.Files[id]; !known || (hashed && then != files[id]) {
			unknown = append(unknown, id)
			continue
		}
		c.Files[id] = files[id]
	}
	return unknown
}

// Cover starts the server without a fault and runs each scenario by itself. None may fail: the rewritten server must
// behave as the original.
func (s Suite) Cover(server *Server, scenarios []string) (*Coverage, error) {
	server.Control.Forget()
	if err := server.Start(0); err != nil {
		return nil, err
	}
	defer server.Stop()
	coverage := &Coverage{Start: server.Control.Marked(), Scenarios: map[string][]int{}}
	for i, id := range scenarios {
		server.Control.Forget()
		verdict := s.Run(server, []string{id}, 1, false)
		if verdict.Noticed() {
			return nil, fmt.Errorf("without any fault %s does not pass: %+v", id, verdict)
		}
		coverage.Scenarios[id] = server.Control.Marked()
		if i%50 == 49 {
			log.Printf("coverage: %d of %d scenarios", i+1, len(scenarios))
		}
	}
	return coverage, nil
}

// meeting are the scenarios that meet a fault, those first that meet least else: they say most.
func (c *Coverage) meeting(fault int) []string {
	var ids []string
	for id, met := range c.Scenarios {
		if contains(met, fault) {
			ids = append(ids, id)
		}
	}
	return ids
}

func contains(sorted []int, wanted int) bool {
	for _, one := range sorted {
		if one == wanted {
			return true
		}
	}
	return false
}
