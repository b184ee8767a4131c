package suite

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Server is a rewritten kube-apiserver with an etcd of its own, whose faults are switched by Control.
type Server struct {
	// Own: nodebound starts it, for each scenario as that says; it is always there.
	Own     bool
	Control *Control
	folder  string
	binary  string
	flags   []string
	etcd    *process
	server  *process
	port    int
}

type process struct {
	command *exec.Cmd
	ended   chan struct{}
}

// NewServer prepares a server in the folder; binaries has kube-apiserver and etcd.
func NewServer(folder, binaries string, way Way, faults int) (*Server, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := writeCertificates(folder); err != nil {
		return nil, err
	}
	control, err := NewControl(filepath.Join(folder, "faults"), faults)
	return &Server{Own: way.Own, Control: control, folder: folder, binary: binaries, flags: way.Flags}, err
}

// Start starts both with an empty etcd and waits until the server is ready, which a fault may prevent.
func (s *Server) Start(fault int) error {
	s.Stop()
	s.Control.Put(fault)
	if s.Own {
		return nil
	}
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	data := filepath.Join(s.folder, "etcd")
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peer := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	s.etcd, err = s.spawn("etcd", "--data-dir="+data, "--listen-client-urls="+url, "--advertise-client-urls="+url,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--unsafe-no-fsync", "--log-level=error")
	if err != nil {
		return err
	}
	s.port = ports[2]
	if s.server, err = s.spawn("kube-apiserver", s.serverFlags(url)...); err != nil {
		return err
	}
	if err := s.writeKubeconfig(); err != nil {
		return err
	}
	return s.waitReady(60 * time.Second)
}

func (s *Server) serverFlags(etcd string) []string {
	file := func(name string) string { return filepath.Join(s.folder, name) }
	return append([]string{
		"--etcd-servers=" + etcd, fmt.Sprintf("--secure-port=%d", s.port), "--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none", "--client-ca-file=" + file("ca.crt"),
		"--tls-cert-file=" + file("server.crt"), "--tls-private-key-file=" + file("server.key"),
		"--service-account-key-file=" + file("ca.crt"), "--service-account-signing-key-file=" + file("ca.key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.0.0.0/24",
		"--allow-privileged=true", "--max-requests-inflight=4000", "--max-mutating-requests-inflight=2000",
		"--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
	}, s.flags...)
}

func (s *Server) spawn(name string, arguments ...string) (*process, error) {
	log, err := os.Create(filepath.Join(s.folder, name+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command(filepath.Join(s.binary, name), arguments...)
	command.Stdout, command.Stderr = log, log
	command.Env = s.environment()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	started := &process{command, make(chan struct{})}
	go func() {
		_ = command.Wait()
		close(started.ended)
	}()
	return started, nil
}

// Target are the flags with which nodebound asks it, as administrator.
func (s *Server) Target() []string {
	if s.Own {
		return []string{"--target", "binary:" + s.binary}
	}
	return []string{"--target", "kubeconfig:" + s.kubeconfig(), "--disposable", "--i-may-write-to", "x"}
}

func (s *Server) kubeconfig() string { return filepath.Join(s.folder, "kubeconfig") }

// environment tells the server which faults are in force.
func (s *Server) environment() []string {
	return append(os.Environ(), "NODEBOUND_FAULT_FILE="+s.Control.Path)
}

func (s *Server) writeKubeconfig() error {
	return os.WriteFile(s.kubeconfig(), []byte(fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority: ca.crt}}]
users: [{name: u, user: {client-certificate: administrator.crt, client-key: administrator.key}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`, s.port)), 0o600)
}

func (s *Server) waitReady(patience time.Duration) error {
	pair, err := tls.LoadX509KeyPair(filepath.Join(s.folder, "administrator.crt"), filepath.Join(s.folder, "administrator.key"))
	if err != nil {
		return err
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, InsecureSkipVerify: true} // our own, on loopback
	client := http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: 2 * time.Second}
	defer client.CloseIdleConnections()
	for end := time.Now().Add(patience); time.Now().Before(end) && s.Alive(); time.Sleep(100 * time.Millisecond) {
		answer, err := client.Get(fmt.Sprintf("https://127.0.0.1:%d/readyz", s.port))
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return nil
		}
	}
	return fmt.Errorf("kube-apiserver does not start; see %s", filepath.Join(s.folder, "kube-apiserver.log"))
}

// Alive tells whether the server still runs: some faults end it.
func (s *Server) Alive() bool {
	if s.Own {
		return true
	}
	if s.server == nil {
		return false
	}
	select {
	case <-s.server.ended:
		return false
	default:
		return true
	}
}

// Stop ends both; nothing of theirs is kept.
func (s *Server) Stop() {
	for _, one := range []*process{s.server, s.etcd} {
		if one != nil {
			_ = one.command.Process.Kill()
			<-one.ended
		}
	}
	s.server, s.etcd = nil, nil
}

// freePorts are ports that were free a moment ago.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
