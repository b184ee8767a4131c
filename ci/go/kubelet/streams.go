package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// What a container runtime has: a server of its own, to which the kubelet passes on streams.
type streams struct {
	server streamServer
}

func newStreams() (*streams, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	config := defaultStreamConfig
	config.BaseURL = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	server, err := newStreamServer(config, containers{})
	if err != nil {
		return nil, err
	}
	go http.Serve(listener, server)
	return &streams{server}, nil
}

func (s *streams) exec(container string, command []string, options streamOptions) (*url.URL, error) {
	answer, err := s.server.GetExec(&runtimeapi.ExecRequest{ContainerId: container, Cmd: command,
		Stdin: options.Stdin, Stdout: options.Stdout, Stderr: options.Stderr, Tty: options.TTY})
	if err != nil {
		return nil, err
	}
	return url.Parse(answer.Url)
}

func (s *streams) attach(container string, options streamOptions) (*url.URL, error) {
	answer, err := s.server.GetAttach(&runtimeapi.AttachRequest{ContainerId: container,
		Stdin: options.Stdin, Stdout: options.Stdout, Stderr: options.Stderr, Tty: options.TTY})
	if err != nil {
		return nil, err
	}
	return url.Parse(answer.Url)
}

func (s *streams) portForward(options forwardOptions) (*url.URL, error) {
	answer, err := s.server.GetPortForward(&runtimeapi.PortForwardRequest{PodSandboxId: podName, Port: options.Ports})
	if err != nil {
		return nil, err
	}
	return url.Parse(answer.Url)
}

// The containers behind the streams.
type containers struct{}

func say(out io.Writer, line string) error {
	if out == nil {
		return nil
	}
	_, err := io.WriteString(out, line+"\n")
	return err
}

func (containers) Exec(_ context.Context, _ string, command []string, _ io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan terminalSize) error {
	return say(out, strings.Join(command, " "))
}

func (containers) Attach(_ context.Context, _ string, _ io.Reader, out, _ io.WriteCloser, _ bool, _ <-chan terminalSize) error {
	return say(out, "attached")
}

func (containers) PortForward(_ context.Context, _ string, _ int32, stream io.ReadWriteCloser) error {
	_, err := io.Copy(stream, stream)
	return err
}
