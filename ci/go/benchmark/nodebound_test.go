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
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
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

// Answers the lines of standard input, so that ci/benchmark/authorizer can let the two authorizers take turns:
//
//	decide FROM TO COUNT    makes COUNT decisions about the requests FROM to TO of the file, in turn, and prints
//	                        "slice BUSY TOOK ALLOCATIONS": nanoseconds of the processor, and of the clock
//	write PER_SECOND        from now on adds and removes pods, so often; 0 ends it. Prints "slice WRITES 0 0"
func TestNodeboundSlices(t *testing.T) {
	if os.Getenv("NODEBOUND_SLICES") == "" {
		t.Skip("NODEBOUND_SLICES is not set")
	}
	requests := nodeboundRequests(t)
	writer := nodeboundWriter{graph: nodebound().authz.graph}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var from, to, count, perSecond int
		if n, _ := fmt.Sscanf(lines.Text(), "decide %d %d %d", &from, &to, &count); n == 3 {
			fmt.Println("slice", nodeboundSlice(requests[from:to], count))
		} else if n, _ := fmt.Sscanf(lines.Text(), "write %d", &perSecond); n == 1 {
			fmt.Println("slice", writer.set(perSecond), 0, 0)
		} else {
			t.Fatalf("expected decide or write, not %q", lines.Text())
		}
	}
}

func nodeboundSlice(requests []nodeboundRequest, count int) string {
	authz := nodebound().authz
	ctx := context.Background()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used, start := nodeboundBusy(), time.Now()
	for i, next := 0, 0; i < count; i++ {
		authz.Authorize(ctx, requests[next].attrs)
		if next++; next == len(requests) {
			next = 0
		}
	}
	took, busy := time.Since(start), nodeboundBusy()-used
	runtime.ReadMemStats(&after)
	return fmt.Sprint(busy, " ", took.Nanoseconds(), " ", after.Mallocs-before.Mallocs)
}

// The nanoseconds that the processor has spent on this program.
func nodeboundBusy() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

// Adds and removes a pod that shares a Secret with a pod of every node.
type nodeboundWriter struct {
	graph  *Graph
	end    chan struct{}
	ended  chan struct{}
	writes int
}

func (w *nodeboundWriter) set(perSecond int) int {
	if w.end != nil {
		close(w.end)
		<-w.ended
		w.end = nil
	}
	written := w.writes
	w.writes = 0
	if perSecond > 0 {
		runtime.GOMAXPROCS(2)
		w.end, w.ended = make(chan struct{}), make(chan struct{})
		go w.write(time.Second / time.Duration(perSecond))
	} else {
		runtime.GOMAXPROCS(1)
	}
	return written
}

func (w *nodeboundWriter) write(every time.Duration) {
	defer close(w.ended)
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace, pod.Spec.NodeName, pod.Spec.ServiceAccountName = "writer", "ns0", "node7", "writer"
	for _, secret := range []string{"secret0-shared", "secret-writer"} {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: secret},
		}})
	}
	for next := time.Now(); ; next = next.Add(every) {
		select {
		case <-w.end:
			return
		case <-time.After(time.Until(next)):
		}
		if w.writes%2 == 0 {
			w.graph.AddPod(pod)
		} else {
			w.graph.DeletePod(pod.Name, pod.Namespace)
		}
		w.writes++
	}
}

func BenchmarkNodeboundMemory(b *testing.B) {
	b.ReportMetric(nodebound().liveBytes, "live-B")
}
