//go:build kube1.36

package main

import (
	"crypto/tls"
	"errors"

	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	certutil "k8s.io/client-go/util/cert"
	"k8s.io/component-base/configz"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	configv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/pkg/features"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	"k8s.io/kubernetes/pkg/kubelet/server"
)

type (
	streamServer   = streaming.Server
	streamOptions  = remotecommand.Options
	forwardOptions = portforward.V4Options
	terminalSize   = remotecommand.TerminalSize
)

var (
	newStreamServer     = streaming.NewServer
	defaultStreamConfig = streaming.DefaultConfig
)

// With serverTLSBootstrap there is no certificate until the API server has issued one, and here none ever does.
func servingCertificate(tlsOptions *server.TLSOptions) (*tls.Certificate, error) {
	if tlsOptions.CertFile == "" || tlsOptions.KeyFile == "" {
		return nil, nil
	}
	certificate, err := tls.LoadX509KeyPair(tlsOptions.CertFile, tlsOptions.KeyFile)
	return &certificate, err
}

// Where the client CAs of the handshake come from depends on a gate; the authenticator always reads them again.
func newTLS(tlsOptions *server.TLSOptions, auth server.AuthInterface) (*tls.Config, error) {
	certificate, err := servingCertificate(tlsOptions)
	if err != nil {
		return nil, err
	}
	made := &tls.Config{
		MinVersion:       tlsOptions.MinVersion,
		CipherSuites:     tlsOptions.CipherSuites,
		CurvePreferences: tlsOptions.CurvePreferences,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			if certificate == nil {
				return nil, errors.New("no serving certificate available for the kubelet")
			}
			return certificate, nil
		},
	}
	if tlsOptions.ClientCAFile == "" {
		return made, nil
	}
	made.ClientAuth = tls.RequestClientCert
	if !utilfeature.DefaultFeatureGate.Enabled(features.ReloadKubeletClientCAFile) {
		made.ClientCAs, err = certutil.NewPool(tlsOptions.ClientCAFile)
		return made, err
	}
	manager := dynamiccertificates.NewDynamicServingCertificateController(made.Clone(), auth, nil, nil, nil)
	made.GetConfigForClient = manager.GetConfigForClient
	if err := manager.RunOnce(); err != nil {
		return nil, err
	}
	go manager.Run(1, nil)
	return made, nil
}

func setConfigz(config *kubeletconfig.KubeletConfiguration) error {
	schemes, _, err := scheme.NewSchemeAndCodecs()
	if err != nil {
		return err
	}
	versioned := &configv1beta1.KubeletConfiguration{}
	if err := schemes.Convert(config, versioned, nil); err != nil {
		return err
	}
	versioned.SetGroupVersionKind(configv1beta1.SchemeGroupVersion.WithKind("KubeletConfiguration"))
	shown, err := configz.New("kubeletconfig")
	if err != nil {
		return err
	}
	return shown.Set(versioned)
}
