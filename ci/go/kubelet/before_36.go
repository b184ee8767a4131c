//go:build !kube1.36

package main

import (
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/component-base/configz"
	configv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubelet/pkg/cri/streaming"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	streamcommand "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	"k8s.io/kubernetes/pkg/kubelet/server"
)

type (
	streamServer   = streaming.Server
	streamOptions  = streamcommand.Options
	forwardOptions = portforward.V4Options
	terminalSize   = remotecommand.TerminalSize
)

var (
	newStreamServer     = streaming.NewServer
	defaultStreamConfig = streaming.DefaultConfig
)

// The server takes the options as they are.
func newTLS(tlsOptions *server.TLSOptions, _ server.AuthInterface) (*server.TLSOptions, error) {
	return tlsOptions, nil
}

// Here /configz has no kind.
func setConfigz(config *kubeletconfig.KubeletConfiguration) error {
	schemes, _, err := scheme.NewSchemeAndCodecs()
	if err != nil {
		return err
	}
	var versioned configv1beta1.KubeletConfiguration
	if err := schemes.Convert(config, &versioned, nil); err != nil {
		return err
	}
	shown, err := configz.New("kubeletconfig")
	if err != nil {
		return err
	}
	shown.Set(versioned)
	return nil
}
