package suite

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// issue writes NAME.crt and NAME.key; with no issuer the certificate is an authority's own.
func issue(folder, name string, subject pkix.Name, by *authority) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: subject, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA:        by == nil, BasicConstraintsValid: true,
	}
	if by == nil {
		by = &authority{template, key}
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, by.certificate, key.Public(), by.key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	if err := writePEM(filepath.Join(folder, name+".crt"), "CERTIFICATE", certificate); err != nil {
		return nil, err
	}
	return &authority{template, key}, writePEM(filepath.Join(folder, name+".key"), "PRIVATE KEY", private)
}

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func writePEM(path, kind string, content []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600)
}

// writeCertificates writes those that a server and its administrator need.
func writeCertificates(folder string) error {
	ca, err := issue(folder, "ca", pkix.Name{CommonName: "kill-matrix"}, nil)
	if err != nil {
		return err
	}
	if _, err := issue(folder, "server", pkix.Name{CommonName: "kube-apiserver"}, ca); err != nil {
		return err
	}
	administrator := pkix.Name{CommonName: "kill-matrix:administrator", Organization: []string{"system:masters"}}
	_, err = issue(folder, "administrator", administrator, ca)
	return err
}
