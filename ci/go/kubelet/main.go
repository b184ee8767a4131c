// The HTTPS server of a real kubelet, built from the published Go modules: its own server, authentication,
// authorization, configuration and flags, in front of a host that answers always the same (host.go).
//
//	kubelet [FLAG ...]       kubelet's own flags; --port=0 takes a free port
//
// It prints one line when it answers, and ends when it is told to.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/server/healthz"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	nodeutil "k8s.io/component-helpers/node/util"
	"k8s.io/kubernetes/cmd/kubelet/app"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/server"
	servermetrics "k8s.io/kubernetes/pkg/kubelet/server/metrics"
	netutils "k8s.io/utils/net"
)

// Without a kubeconfig a kubelet stands alone: it has no client, and what needs one refuses to start.
func newClient(flags *options.KubeletFlags, config *kubeletconfig.KubeletConfiguration) (clientset.Interface, error) {
	if flags.KubeConfig == "" {
		return nil, nil
	}
	rest, err := clientcmd.BuildConfigFromFlags("", flags.KubeConfig)
	if err != nil {
		return nil, err
	}
	rest.QPS, rest.Burst = float32(config.KubeAPIQPS), int(config.KubeAPIBurst)
	rest.ContentType = config.ContentType
	if config.ContentType == runtime.ContentTypeProtobuf {
		rest.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	}
	return clientset.NewForConfig(rest)
}

// Says where it listens, as soon as something does; the server ends the process when it cannot.
func announce(config *kubeletconfig.KubeletConfiguration) {
	address := config.Address
	if ip := net.ParseIP(address); ip.IsUnspecified() {
		address = "127.0.0.1"
	}
	address = net.JoinHostPort(address, strconv.Itoa(int(config.Port)))
	for {
		connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err == nil {
			connection.Close()
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			fmt.Println("listening on https://" + address)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func serve(ctx context.Context, made *settings) error {
	hostname, err := nodeutil.GetHostname(made.flags.HostnameOverride)
	if err != nil {
		return err
	}
	client, err := newClient(made.flags, made.config)
	if err != nil {
		return err
	}
	auth, run, err := app.BuildAuth(types.NodeName(hostname), client, *made.config)
	if err != nil {
		return err
	}
	run(ctx.Done())
	tlsOptions, err := call(app.InitializeTLS, ctx, made.flags, made.config)
	if err != nil {
		return err
	}
	tlsConfig, err := newTLS(tlsOptions.(*server.TLSOptions), auth)
	if err != nil {
		return err
	}
	if err := setConfigz(made.config); err != nil {
		return err
	}
	servermetrics.Register()
	host, err := newHost(hostname)
	if err != nil {
		return err
	}
	values := []any{ctx, host, analyzer{node: hostname}, host.checkers(), made.config, tlsConfig, auth,
		noTraces(), flagzOf(made.set), netutils.ParseIPSloppy(made.config.Address), uint(made.config.ReadOnlyPort)}
	go mustCall(server.ListenAndServeKubeletServer, values...)
	if made.config.ReadOnlyPort > 0 {
		go mustCall(server.ListenAndServeKubeletReadOnlyServer, values...)
	}
	if made.config.HealthzPort > 0 {
		go serveHealth(made.config)
	}
	return nil
}

// The healthz port has nothing but the checks of its own; kubelet's command makes it inline.
func serveHealth(config *kubeletconfig.KubeletConfiguration) {
	mux := http.NewServeMux()
	healthz.InstallHandler(mux)
	address := net.JoinHostPort(config.HealthzBindAddress, strconv.Itoa(int(config.HealthzPort)))
	if err := http.ListenAndServe(address, mux); err != nil {
		fmt.Fprintln(os.Stderr, "kubelet: the healthz port:", err)
	}
}

func run(ctx context.Context, args []string) error {
	made, err := configure(ctx, args)
	if err != nil {
		return err
	}
	if !made.set.Changed("cert-dir") {
		if made.flags.CertDirectory, err = os.MkdirTemp("", "kubelet-pki-"); err != nil {
			return err
		}
		defer os.RemoveAll(made.flags.CertDirectory)
	}
	if err := serve(ctx, made); err != nil {
		return err
	}
	announce(made.config)
	<-ctx.Done()
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kubelet:", err)
		os.Exit(1)
	}
}
