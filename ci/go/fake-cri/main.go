// Command fake-cri is a container runtime for a stock kubelet: upstream's fake, whose containers run at once and do nothing.
//
//	fake-cri SOCKET
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cri-client/pkg/fake"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "fake-cri: expected one SOCKET")
		os.Exit(2)
	}
	runtime := fake.NewFakeRemoteRuntime()
	if err := runtime.Start("unix://" + os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "fake-cri:", err)
		os.Exit(3)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	runtime.Stop()
}
