// A node of virtual-kubelet's library: its own kubelet API, authentication and authorization, before a provider with one
// pod that answers always the same.
//
//	virtual-kubelet --config FILE --kubeconfig FILE --hostname-override NODE [FLAG ...]
//
// The flags and the file are kubelet's, as far as the library has what they say; what it has not is left out.
package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/virtual-kubelet/virtual-kubelet/node/api"
	"github.com/virtual-kubelet/virtual-kubelet/node/api/statsv1alpha1"
	"github.com/virtual-kubelet/virtual-kubelet/node/nodeutil"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/cert"
	"sigs.k8s.io/yaml"
)

// What of a KubeletConfiguration the library can do.
type configuration struct {
	Address        string `json:"address"`
	Port           int    `json:"port"`
	Authentication struct {
		X509      struct{ ClientCAFile string }
		Anonymous struct{ Enabled bool }
	} `json:"authentication"`
	Authorization struct {
		Mode string `json:"mode"`
	} `json:"authorization"`
	EnableDebuggingHandlers *bool `json:"enableDebuggingHandlers"`
}

func read(path string) (out configuration, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return out, err
	}
	return out, yaml.Unmarshal(text, &out)
}

func newAuth(config configuration, kubeconfig, node string) (nodeutil.Auth, error) {
	if config.Authorization.Mode == "AlwaysAllow" {
		return nodeutil.NoAuth(), nil
	}
	rest, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(rest)
	if err != nil {
		return nil, err
	}
	return nodeutil.WebhookAuth(client, node, func(auth *nodeutil.WebhookAuthConfig) error {
		auth.AuthnConfig.Anonymous = config.Authentication.Anonymous.Enabled
		file := config.Authentication.X509.ClientCAFile
		if file == "" {
			return nil
		}
		var err error
		auth.AuthnConfig.ClientCertificateCAContentProvider, err = dynamiccertificates.NewDynamicCAContentFromFile("client-ca", file)
		return err
	})
}

func newHandler(node string, debug bool) http.Handler {
	pods := func(context.Context) ([]*corev1.Pod, error) {
		return []*corev1.Pod{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
			Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "web"}}},
		}}, nil
	}
	done := func(context.Context, string, string, string, []string, api.AttachIO) error { return nil }
	return api.PodHandler(api.PodHandlerConfig{
		RunInContainer: done,
		AttachToContainer: func(ctx context.Context, namespace, pod, container string, attached api.AttachIO) error {
			return done(ctx, namespace, pod, container, nil, attached)
		},
		PortForward: func(context.Context, string, string, int32, io.ReadWriteCloser) error { return nil },
		GetContainerLogs: func(context.Context, string, string, string, api.ContainerLogOpts) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("started\n")), nil
		},
		GetPods:               pods,
		GetPodsFromKubernetes: pods,
		GetStatsSummary: func(context.Context) (*statsv1alpha1.Summary, error) {
			return &statsv1alpha1.Summary{Node: statsv1alpha1.NodeStats{NodeName: node}}, nil
		},
		GetMetricsResource: func(context.Context) ([]*dto.MetricFamily, error) { return nil, nil },
	}, debug)
}

func serve(configFile, kubeconfig, node string) error {
	config, err := read(configFile)
	if err != nil {
		return err
	}
	auth, err := newAuth(config, kubeconfig, node)
	if err != nil {
		return err
	}
	certificate, key, err := cert.GenerateSelfSignedCertKey(node, []net.IP{net.ParseIP("127.0.0.1")}, nil)
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	debug := config.EnableDebuggingHandlers == nil || *config.EnableDebuggingHandlers
	// The TLS settings are those that the library's NewNode has by default.
	settings := &nodeutil.NodeConfig{}
	if err := nodeutil.WithTLSConfig()(settings); err != nil {
		return err
	}
	settings.TLSConfig.Certificates = []tls.Certificate{pair}
	server := http.Server{
		Addr:      net.JoinHostPort(config.Address, strconv.Itoa(config.Port)),
		Handler:   nodeutil.WithAuth(auth, newHandler(node, debug)),
		TLSConfig: settings.TLSConfig,
	}
	fmt.Println("listening on https://" + server.Addr)
	return server.ListenAndServeTLS("", "")
}

func main() {
	config := flag.String("config", "", "KubeletConfiguration, in YAML or JSON")
	kubeconfig := flag.String("kubeconfig", "", "of the API server that reviews")
	node := flag.String("hostname-override", "", "name of the Node")
	flag.Parse()
	log.Fatal(serve(*config, *kubeconfig, *node))
}
