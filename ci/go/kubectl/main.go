// A kubectl built from the published Go modules, so that both servers are asked by the same one.
//
// KUBECTL_CONTENT_TYPE is what kubectl has no flag for: in what its typed clients write, instead of protobuf.
package main

import (
	"os"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	flags := genericclioptions.NewConfigFlags(true).WithDiscoveryBurst(300).WithDiscoveryQPS(50).WithWarningPrinter(streams)
	if contentType := os.Getenv("KUBECTL_CONTENT_TYPE"); contentType != "" {
		flags = flags.WithWrapConfigFn(func(config *rest.Config) *rest.Config {
			config.ContentType = contentType
			return config
		})
	}
	command := cmd.NewDefaultKubectlCommandWithArgs(cmd.KubectlOptions{
		Arguments: os.Args, ConfigFlags: flags, IOStreams: streams,
	})
	if err := cli.RunNoErrOutput(command); err != nil {
		util.CheckErr(err)
		os.Exit(1)
	}
}
