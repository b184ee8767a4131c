package suite

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// Way is one way in which the server is started: with its defaults, or with feature gates on.
type Way struct {
	Name      string
	Flags     []string
	Own       bool           // the scenarios start it
	Scenarios *regexp.Regexp // those to ask
	Coverage  *Coverage
}

// How a fault is caught by less than a wrong decision.
const (
	OtherWords   = "other words"  // refused in other words than the release's, and nothing else
	Inconclusive = "inconclusive" // a check could not be judged, and none failed
)

// Catch is what the suite made of one fault.
type Catch struct {
	Fault string `json:"fault"`
	// How: "" if it lives.
	How string `json:"how"`
	// Unclear is why nothing is known of it: the machine was too busy, say.
	Unclear string `json:"unclear"`
	// Partly: it lives, but not all scenarios that meet it were asked.
	Partly bool `json:"partly"`
	// Met tells whether a scenario would notice the fault right where it sits.
	Met     bool    `json:"met"`
	Way     string  `json:"way"`
	Verdict Verdict `json:"verdict"`
	Seconds float64 `json:"seconds"`
}

// Hunter has servers of its own, one for each way.
type Hunter struct {
	// Limit is how many scenarios are asked of a fault on each way; 0 is all that meet it.
	Limit int
	// Thorough asks again on every way about faults that one way did not catch. For faults in the graph it also
	// restarts the server with the fault, because an earlier graph may hide it.
	Thorough bool
	suite    Suite
	ways     []Way
	servers  []*Server
	memory   *Memory
}

// Memory is which scenarios caught faults of a function: those are asked first of the next one.
type Memory struct {
	functions []string // of each fault
	mutex     sync.Mutex
	caught    map[string]map[string]int
}

// NewMemory is empty; functions are those of all faults.
func NewMemory(functions []string) *Memory {
	return &Memory{functions: functions, caught: map[string]map[string]int{}}
}

func (m *Memory) note(function string, failed []string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.caught[function] == nil {
		m.caught[function] = map[string]int{}
	}
	for _, check := range failed {
		if match := checkLine.FindStringSubmatch(check); match != nil {
			m.caught[function][match[1]]++
		}
	}
}

// order puts scenarios first that caught a fault of the same function, then those that meet most faults of the
// function, because they are about it. Among equals, the scenario that meets fewer other faults comes first.
func (m *Memory) order(function string, scenarios []string, coverage *Coverage) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	caught := m.caught[function]
	about := map[string]int{}
	for _, id := range scenarios {
		for _, fault := range coverage.Scenarios[id] {
			if m.functions[fault-1] == function {
				about[id]++
			}
		}
		about[id] += wordsInCommon(function, id)
	}
	sort.Slice(scenarios, func(i, j int) bool {
		a, b := scenarios[i], scenarios[j]
		if caught[a] != caught[b] {
			return caught[a] > caught[b]
		}
		if about[a] != about[b] {
			return about[a] > about[b]
		}
		if x, y := len(coverage.Scenarios[a]), len(coverage.Scenarios[b]); x != y {
			return x < y
		}
		return a < b
	})
}

// wordsInCommon helps if only the server's start meets a fault, so that coverage prefers no scenario.
func wordsInCommon(function, scenario string) int {
	part, _, _ := strings.Cut(function, ".")
	count := 0
	for _, word := range strings.Split(part, "-") {
		if strings.Contains(scenario, strings.TrimSuffix(word, "s")) {
			count++
		}
	}
	return count
}

// NewHunter makes its servers in folders named folder-WAY.
func NewHunter(suite Suite, ways []Way, memory *Memory, folder, binaries string, faults int) (*Hunter, error) {
	hunter := &Hunter{suite: suite, ways: ways, memory: memory}
	for _, way := range ways {
		server, err := NewServer(fmt.Sprintf("%s-%s", folder, way.Name), binaries, way, faults)
		if err != nil {
			return nil, err
		}
		hunter.servers = append(hunter.servers, server)
	}
	return hunter, nil
}

// Stop ends its servers.
func (h *Hunter) Stop() {
	for _, server := range h.servers {
		server.Stop()
	}
}

// Hunt asks the scenarios that meet the fault until one fails: with a running server, and if the fault lies on the
// start's path, also with one that starts with it. A scenario that met it on one way is not asked again on the next,
// unless the hunt is thorough.
func (h *Hunter) Hunt(fault int, id string) (Catch, error) {
	catch := Catch{Fault: id}
	asked := map[string]bool{}
	for i, way := range h.ways {
		var scenarios []string
		for _, one := range way.Coverage.meeting(fault) {
			if h.Thorough || !asked[one] {
				asked[one] = true
				scenarios = append(scenarios, one)
			}
		}
		if len(scenarios) == 0 {
			continue
		}
		if h.Thorough && strings.HasPrefix(id, "graph") {
			if !h.freshly(i, fault, &catch) {
				return catch, nil
			}
		} else if err := h.ready(i, 0); err != nil {
			return catch, err
		}
		h.servers[i].Control.Put(fault)
		h.ask(i, fault, scenarios, h.Limit, &catch)
		h.servers[i].Control.Put(0)
		if catch.How != "" || catch.Unclear != "" {
			return catch, nil
		}
	}
	for i, way := range h.ways {
		if catch.How == "" && catch.Unclear == "" && contains(way.Coverage.Start, fault) {
			h.huntFromStart(i, fault, &catch)
		}
	}
	return catch, nil
}

func (h *Hunter) huntFromStart(way, fault int, catch *Catch) {
	defer h.servers[way].Stop()
	if !h.freshly(way, fault, catch) {
		return
	}
	var all []string
	for id := range h.ways[way].Coverage.Scenarios {
		all = append(all, id)
	}
	// It is unknown which scenarios a fault of the start concerns, so more of them are asked.
	h.ask(way, fault, all, 3*h.Limit, catch)
}

// freshly starts the server with the fault in force, which it may prevent.
func (h *Hunter) freshly(way, fault int, catch *Catch) bool {
	catch.Met = true
	if err := h.servers[way].Start(fault); err != nil {
		h.servers[way].Stop()
		catch.How, catch.Way = "does not start", h.ways[way].Name
		return false
	}
	return true
}

// ask runs scenarios, a few at a time, until one catches the fault or limit of them have not.
func (h *Hunter) ask(way, fault int, scenarios []string, limit int, catch *Catch) {
	function := h.memory.functions[fault-1]
	h.memory.order(function, scenarios, h.ways[way].Coverage)
	if limit > 0 && len(scenarios) > limit {
		scenarios, catch.Partly = scenarios[:limit], true
	}
	for _, part := range portions(scenarios) {
		catch.Met = true
		verdict := h.suite.Run(h.servers[way], part, 2, true)
		catch.Seconds += verdict.Seconds
		if verdict.Unclear != "" {
			catch.Unclear = verdict.Unclear
			h.servers[way].Stop()
			return
		}
		if verdict.Caught() {
			h.memory.note(function, verdict.Failed)
			catch.How, catch.Way, catch.Verdict, catch.Partly = how(verdict), h.ways[way].Name, verdict, false
			return
		}
	}
}

// ready ensures that the server of a way runs without a fault.
func (h *Hunter) ready(way, attempt int) error {
	server := h.servers[way]
	if server.Alive() {
		return nil
	}
	err := server.Start(0)
	if err != nil && attempt < 2 {
		return h.ready(way, attempt+1)
	}
	return err
}

// portions are tried one after the other: most faults are caught by the first scenario that meets them.
func portions(scenarios []string) [][]string {
	var parts [][]string
	for _, size := range []int{1, 4, 15} {
		if len(scenarios) > size {
			parts = append(parts, scenarios[:size])
			scenarios = scenarios[size:]
		}
	}
	if len(scenarios) > 0 {
		parts = append(parts, scenarios)
	}
	return parts
}

func how(verdict Verdict) string {
	switch {
	case len(verdict.Failed) > len(verdict.Words):
		return "fails"
	case verdict.Broke != "":
		return verdict.Broke
	case len(verdict.Words) > 0:
		return OtherWords
	}
	return Inconclusive
}
