package upstream

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// -checklinkname=0: dependencies of older minors reach into the Go runtime in ways newer linkers refuse by default.
func (c *Copy) linkerFlags() string {
	flags := "-s -w -checklinkname=0"
	minor := strings.Split(c.Version, ".")[1]
	for _, stamped := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags += fmt.Sprintf(" -X %s.gitVersion=v%s -X %s.gitMajor=1 -X %s.gitMinor=%s", stamped, c.Version, stamped, stamped, minor)
	}
	return flags
}

// BuildServer builds kube-apiserver into the folder, with a link to etcd beside it.
func (c *Copy) BuildServer(folder, etcd string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err := c.run("build", "-trimpath", "-ldflags", c.linkerFlags(), "-o", filepath.Join(folder, "kube-apiserver"), ".")
	if err != nil {
		return err
	}
	link := filepath.Join(folder, "etcd")
	_ = os.Remove(link)
	return os.Symlink(etcd, link)
}

// BuildTests builds the test program of a package, given by its path below the module's.
func (c *Copy) BuildTests(pkg, program string) error {
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		return err
	}
	return c.run("test", "-c", "-trimpath", "-ldflags", c.linkerFlags(), "-o", program, "k8s.io/kubernetes/"+pkg)
}
