// Put beside the Node authorizer's own tests, whose topology it uses: what ci/benchmark/authorizer needs to know of that
// authorizer and its own benchmarks do not tell.
package node

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/auth/nodeidentifier"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// The topology of BenchmarkAuthorization and BenchmarkPopulationAllocation.
var nodeboundTopology = sampleDataOpts{
	nodes: 500, namespaces: 200, podsPerNode: 200, attachmentsPerNode: 20,
	sharedSecretsPerPod: 1, uniqueSecretsPerPod: 1, uniqueConfigMapsPerPod: 1, uniquePVCsPerPod: 1,
}

// A line of the file of requests; line keeps what is to be said before the decision.
type nodeboundRequest struct {
	line  string
	attrs authorizer.AttributesRecord
}

// Reads the file named by NODEBOUND_REQUESTS. Each line: verb, group, resource, subresource, namespace, name, node.
func nodeboundRequests(t testing.TB) []nodeboundRequest {
	path := os.Getenv("NODEBOUND_REQUESTS")
	if path == "" {
		t.Skip("NODEBOUND_REQUESTS names no file of requests")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var requests []nodeboundRequest
	for _, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		columns := strings.Split(line, "\t")
		if len(columns) < 7 {
			t.Fatalf("a request has 7 columns, not %d: %q", len(columns), line)
		}
		requests = append(requests, nodeboundRequest{
			line: strings.Join(columns[:7], "\t"),
			attrs: authorizer.AttributesRecord{
				User:            &user.DefaultInfo{Name: "system:node:" + columns[6], Groups: []string{"system:nodes"}},
				ResourceRequest: true,
				Verb:            columns[0], APIGroup: columns[1], Resource: columns[2], Subresource: columns[3],
				Namespace: columns[4], Name: columns[5],
			},
		})
	}
	return requests
}

// Built once, as that takes a while. liveBytes is the heap that the graph alone keeps. The names in it are shared with
// the objects it was built from, which do not count: the figure is the lowest one can hold against it.
var nodebound = sync.OnceValue(func() (built struct {
	authz     *NodeAuthorizer
	liveBytes float64
}) {
	live := func() float64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return float64(stats.HeapAlloc)
	}
	nodes, pods, pvs, attachments, slices, pcrs := generate(&nodeboundTopology)
	before := live()
	graph := NewGraph()
	populate(graph, nodes, pods, pvs, attachments, slices, pcrs)
	built.liveBytes = live() - before
	runtime.KeepAlive([]any{nodes, pods, pvs, attachments, slices, pcrs})
	built.authz = NewAuthorizer(graph, nodeidentifier.NewDefaultNodeIdentifier(), bootstrappolicy.NodeRules())
	return built
})

// Writes to NODEBOUND_DECISIONS every request with the decision and its reason.
func TestNodeboundDecisions(t *testing.T) {
	requests := nodeboundRequests(t)
	authz := nodebound().authz
	file, err := os.Create(os.Getenv("NODEBOUND_DECISIONS"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	defer out.Flush()
	names := map[authorizer.Decision]string{
		authorizer.DecisionAllow: "allow", authorizer.DecisionDeny: "deny", authorizer.DecisionNoOpinion: "no opinion",
	}
	for _, request := range requests {
		decision, reason, _ := authz.Authorize(context.Background(), request.attrs)
		fmt.Fprintf(out, "%s\t%s\t%s\n", request.line, names[decision], reason)
	}
}

// One goroutine that asks the same thing again and again: the ten requests of BenchmarkAuthorization, which are the
// first ten of the file, without what its five thousand goroutines cost. Then all requests of the file in turn.
func BenchmarkNodeboundSingle(b *testing.B) {
	requests := nodeboundRequests(b)
	authz := nodebound().authz
	ask := func(b *testing.B, requests []nodeboundRequest) {
		b.ReportAllocs()
		for i, next := 0, 0; i < b.N; i++ {
			authz.Authorize(context.Background(), requests[next].attrs)
			if next++; next == len(requests) {
				next = 0
			}
		}
	}
	for i := range requests[:10] {
		b.Run(fmt.Sprintf("request%d", i), func(b *testing.B) { ask(b, requests[i:i+1]) })
	}
	b.Run("sample", func(b *testing.B) { ask(b, requests) })
}

func BenchmarkNodeboundMemory(b *testing.B) {
	b.ReportMetric(nodebound().liveBytes, "live-B")
}
