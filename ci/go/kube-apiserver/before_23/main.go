// The same for releases without k8s.io/component-base/cli.
package main

import (
	"os"

	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := app.NewAPIServerCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
