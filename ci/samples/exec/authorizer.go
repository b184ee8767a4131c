// A small authorizer of nodes: each node reads the Secrets and ConfigMaps that its pods have as volumes, and its Node.
//
//	go build -o /tmp/authorizer ci/samples/exec/authorizer.go
//	nodebound run --target exec:/tmp/authorizer --focus '^conformance/watching-one-object'
//
// harness/endpoint/authorizer/README.md tells what the lines say.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"strings"
)

type named struct {
	Name       string `json:"name"`
	SecretName string `json:"secretName"`
}

type object struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace   string            `json:"namespace"`
		Name        string            `json:"name"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	// Kinds other than Pod have a spec of their own.
	Spec json.RawMessage `json:"spec"`
}

type podSpec struct {
	NodeName string `json:"nodeName"`
	Volumes  []struct {
		Secret    *named `json:"secret"`
		ConfigMap *named `json:"configMap"`
	} `json:"volumes"`
	Containers []struct {
		Env []struct {
			ValueFrom struct {
				SecretKeyRef    *named `json:"secretKeyRef"`
				ConfigMapKeyRef *named `json:"configMapKeyRef"`
			} `json:"valueFrom"`
		} `json:"env"`
	} `json:"containers"`
}

type review struct {
	User               string   `json:"user"`
	Groups             []string `json:"groups"`
	ResourceAttributes *struct {
		Verb, Group, Resource, Subresource, Namespace, Name string
	} `json:"resourceAttributes"`
}

type line struct {
	ID     uint64          `json:"id"`
	Spec   review          `json:"spec"`
	Event  string          `json:"event"`
	Object json.RawMessage `json:"object"`
}

type answer struct {
	ID       uint64 `json:"id"`
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

type tie struct{ node, resource, namespace, name string }

// ties of each pod, by namespace and name
var ties = map[[2]string]map[tie]bool{}

func learn(event string, raw json.RawMessage) {
	var pod object
	var spec podSpec
	if json.Unmarshal(raw, &pod) != nil || pod.Kind != "Pod" || json.Unmarshal(pod.Spec, &spec) != nil {
		return
	}
	key := [2]string{pod.Metadata.Namespace, pod.Metadata.Name}
	delete(ties, key)
	if _, mirror := pod.Metadata.Annotations["kubernetes.io/config.mirror"]; mirror || event == "DELETED" {
		return
	}
	found := map[tie]bool{}
	for _, volume := range spec.Volumes {
		if volume.Secret != nil {
			found[tie{spec.NodeName, "secrets", key[0], volume.Secret.SecretName}] = true
		}
		if volume.ConfigMap != nil {
			found[tie{spec.NodeName, "configmaps", key[0], volume.ConfigMap.Name}] = true
		}
	}
	for _, container := range spec.Containers {
		for _, env := range container.Env {
			if ref := env.ValueFrom.SecretKeyRef; ref != nil {
				found[tie{spec.NodeName, "secrets", key[0], ref.Name}] = true
			}
			if ref := env.ValueFrom.ConfigMapKeyRef; ref != nil {
				found[tie{spec.NodeName, "configmaps", key[0], ref.Name}] = true
			}
		}
	}
	ties[key] = found
}

func decide(spec review) string {
	node, isNode := strings.CutPrefix(spec.User, "system:node:")
	inGroup := false
	for _, group := range spec.Groups {
		inGroup = inGroup || group == "system:nodes"
	}
	asked := spec.ResourceAttributes
	if !isNode || node == "" || !inGroup || asked == nil || asked.Group != "" || asked.Subresource != "" || asked.Name == "" {
		return "no opinion"
	}
	if asked.Verb != "get" && asked.Verb != "list" && asked.Verb != "watch" {
		return "no opinion"
	}
	if asked.Resource == "nodes" && asked.Name == node {
		return "allow"
	}
	for _, of := range ties {
		if of[tie{node, asked.Resource, asked.Namespace, asked.Name}] {
			return "allow"
		}
	}
	return "no opinion"
}

func main() {
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.Stdout)
	var greeting map[string]any
	if err := in.Decode(&greeting); err != nil {
		panic(err)
	}
	out.Encode(map[string]any{"protocol": "nodebound.dev/exec", "version": 1,
		"reviews": []string{"SubjectAccessReview"}, "objects": "lines"})
	for {
		var next line
		if err := in.Decode(&next); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if next.Event != "" {
			learn(next.Event, next.Object)
			continue
		}
		out.Encode(answer{ID: next.ID, Decision: decide(next.Spec)})
	}
}
