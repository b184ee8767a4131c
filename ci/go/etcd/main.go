// An etcd server built from the published Go modules, the store behind a kube-apiserver under test.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
