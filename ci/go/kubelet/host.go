package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing/fstest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/server/healthz"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	"k8s.io/kubernetes/pkg/kubelet/server"
	"k8s.io/kubernetes/pkg/kubelet/server/stats"
)

// A node that runs one pod, default/web, which has two containers: `web`, which runs, and `idle`, which never started.
//
//	/pods, /runningpods/    this pod; the second with `web` only
//	/exec, /run             the command's words and a newline, on standard output
//	/attach                 "attached" and a newline
//	/portForward            what is sent, sent back
//	/containerLogs          "started" and a newline
//	/checkpoint             a fixed path
//	/logs/                  a folder with one file, messages: "started" and a newline
//	/stats/summary          fixed figures, no pods
//	/healthz                every check passes
//
// For `idle`, and for containers that are not, it says what a kubelet says whose runtime does not have the container.
// What the embedded interface is left with, no handler of the server reaches.
type host struct {
	server.HostInterface
	name    string
	streams *streams
}

const (
	podName      = "web"
	podNamespace = "default"
	podUID       = types.UID("11111111-1111-1111-1111-111111111111")
	running      = "web"
	idle         = "idle"
)

// The time of everything that has one.
var start = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))

// Without an extension: what type a file of one has depends on the machine.
var logFiles fs.FS = fstest.MapFS{"messages": {Data: []byte("started\n")}}

func newHost(name string) (*host, error) {
	streams, err := newStreams()
	return &host{name: name, streams: streams}, err
}

func (h *host) checkers() []healthz.HealthChecker {
	return []healthz.HealthChecker{healthz.NamedCheck("device-plugin", h.SyncLoopHealthCheck)}
}

func pod(nodeName string, containers ...string) *corev1.Pod {
	made := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: podName, Namespace: podNamespace, UID: podUID}}
	made.Spec.NodeName = nodeName
	for _, name := range containers {
		made.Spec.Containers = append(made.Spec.Containers, corev1.Container{
			Name: name, Image: "example.com/" + name + ":1",
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")},
			},
		})
	}
	return made
}

func (h *host) GetPods() []*corev1.Pod {
	made := pod(h.name, running, idle)
	made.CreationTimestamp = start
	made.Status.Phase = corev1.PodRunning
	return []*corev1.Pod{made}
}

func (h *host) GetPodByName(namespace, name string) (*corev1.Pod, bool) {
	made := h.GetPods()[0]
	return made, made.Namespace == namespace && made.Name == name
}

func (h *host) GetRunningPods(context.Context) ([]*corev1.Pod, error) {
	return []*corev1.Pod{pod("", running)}, nil
}

func (h *host) GetAllocatedPods() ([]*corev1.Pod, error) { return h.GetPods(), nil }

func (h *host) GetAllocatedPodByName(namespace, name string) (*corev1.Pod, error) {
	if made, found := h.GetPodByName(namespace, name); found {
		return made, nil
	}
	return nil, nil
}

func (h *host) GetPodByCgroupfs(string) (*corev1.Pod, bool) { return nil, false }
func (h *host) GetHostname() string                         { return h.name }
func (h *host) ResyncInterval() time.Duration               { return time.Minute }
func (h *host) LatestLoopEntryTime() time.Time              { return time.Now() }
func (h *host) SyncLoopHealthCheck(*http.Request) error     { return nil }
func (h *host) ServeLogs(w http.ResponseWriter, r *http.Request) {
	http.StripPrefix("/logs/", http.FileServer(http.FS(logFiles))).ServeHTTP(w, r)
}

// The runtime knows containers of a pod that is named by its name, or by its name and its UID.
func find(uid types.UID, container string) error {
	if container != running || (uid != "" && uid != podUID) {
		return fmt.Errorf("container not found (%q)", container)
	}
	return nil
}

func (h *host) RunInContainer(_ context.Context, _ string, uid types.UID, container string, command []string) ([]byte, error) {
	if err := find(uid, container); err != nil {
		return nil, err
	}
	return []byte(strings.Join(command, " ") + "\n"), nil
}

func (h *host) CheckpointContainer(_ context.Context, uid types.UID, _, container string, request *runtimeapi.CheckpointContainerRequest) error {
	if find(uid, container) != nil {
		return fmt.Errorf("container %v not found", container)
	}
	request.Location = "/var/lib/kubelet/checkpoints/checkpoint-" + podName + "_" + podNamespace + "-" + container + ".tar"
	return nil
}

func (h *host) GetKubeletContainerLogs(_ context.Context, _, container string, _ *corev1.PodLogOptions, stdout, _ io.Writer) error {
	if container != running {
		return fmt.Errorf("container %q in pod %q is not available", container, podName)
	}
	if stdout == nil {
		return nil
	}
	_, err := io.WriteString(stdout, "started\n")
	return err
}

func (h *host) GetExec(_ context.Context, _ string, uid types.UID, container string, command []string, options streamOptions) (*url.URL, error) {
	if err := find(uid, container); err != nil {
		return nil, err
	}
	return h.streams.exec(container, command, options)
}

func (h *host) GetAttach(_ context.Context, _ string, uid types.UID, container string, options streamOptions) (*url.URL, error) {
	if err := find(uid, container); err != nil {
		return nil, err
	}
	return h.streams.attach(container, options)
}

func (h *host) GetPortForward(_ context.Context, _, _ string, _ types.UID, options forwardOptions) (*url.URL, error) {
	return h.streams.portForward(options)
}

func (h *host) ListMetricDescriptors(context.Context) ([]*runtimeapi.MetricDescriptor, error) {
	return nil, nil
}

func (h *host) ListPodSandboxMetrics(context.Context) ([]*runtimeapi.PodSandboxMetrics, error) {
	return nil, nil
}

// The figures of /stats/summary and /metrics/resource.
type analyzer struct {
	stats.ResourceAnalyzer
	node string
}

func (a analyzer) Get(context.Context, bool) (*statsapi.Summary, error) {
	cores, nanoseconds, bytes := uint64(250_000_000), uint64(90_000_000_000), uint64(1<<30)
	return &statsapi.Summary{
		Node: statsapi.NodeStats{
			NodeName:  a.node,
			StartTime: start,
			CPU:       &statsapi.CPUStats{Time: start, UsageNanoCores: &cores, UsageCoreNanoSeconds: &nanoseconds},
			Memory:    &statsapi.MemoryStats{Time: start, WorkingSetBytes: &bytes},
		},
		Pods: []statsapi.PodStats{},
	}, nil
}

func (a analyzer) GetCPUAndMemoryStats(ctx context.Context) (*statsapi.Summary, error) {
	return a.Get(ctx, false)
}
