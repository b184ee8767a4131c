// Command fake-cri is a container runtime for a stock kubelet: upstream's fake, whose containers run at once and do nothing,
// but for those of the images that it is given: they run as processes of the host, each in a root of its own.
//
//	fake-cri SOCKET [IMAGE=FOLDER ...]
//
// FOLDER has `rootfs/` and `config.json`, the image's configuration as OCI has it.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"google.golang.org/grpc"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-client/pkg/fake"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == inContainer {
		fail(4, enter(os.Args[2]))
	}
	if len(os.Args) < 2 {
		fail(2, fmt.Errorf("expected SOCKET [IMAGE=FOLDER ...]"))
	}
	images := map[string]string{}
	for _, argument := range os.Args[2:] {
		image, folder, found := strings.Cut(argument, "=")
		if !found {
			fail(2, fmt.Errorf("expected IMAGE=FOLDER, not %q", argument))
		}
		images[image] = folder
	}
	runtime := newRuntime(images)
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		fail(3, err)
	}
	server := grpc.NewServer()
	cri.RegisterRuntimeServiceServer(server, runtime)
	cri.RegisterImageServiceServer(server, runtime.RemoteRuntime)
	go func() {
		if err := server.Serve(listener); err != nil {
			fail(3, err)
		}
	}()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	server.Stop()
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "fake-cri:", err)
	os.Exit(code)
}

func newRuntime(images map[string]string) *runtime {
	out := &runtime{RemoteRuntime: fake.NewFakeRemoteRuntime(), images: images, planned: map[string]container{}}
	// A kubelet takes no image without a size.
	out.ImageService.SetFakeImageSize(1)
	out.RuntimeService.FakeStatus = &cri.RuntimeStatus{Conditions: []*cri.RuntimeCondition{
		{Type: cri.RuntimeReady, Status: true},
		{Type: cri.NetworkReady, Status: true},
	}}
	return out
}
