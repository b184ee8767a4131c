// A shared informer on ConfigMaps and one on Nodes, and a client that writes what they are to see. What they saw is
// printed as lines of JSON: `{"informer": …, "event": …, …}`.
//
//	informer KUBECONFIG NAMESPACE
//
// KUBECTL_CONTENT_TYPE is what it writes instead of protobuf.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}

// What happens to the objects of one kind, in its order.
type seen struct {
	informer string
	events   chan map[string]any
}

func (s seen) OnAdd(object any, initial bool) {
	s.events <- map[string]any{"informer": s.informer, "event": "add", "initial": initial, "object": object}
}

func (s seen) OnUpdate(before, after any) {
	s.events <- map[string]any{"informer": s.informer, "event": "update", "before": before, "object": after}
}

func (s seen) OnDelete(object any) {
	s.events <- map[string]any{"informer": s.informer, "event": "delete", "object": object}
}

// Prints the next event; an informer that says nothing for long is an error.
func (s seen) next() {
	select {
	case event := <-s.events:
		line, err := json.Marshal(event)
		check(err)
		fmt.Println(string(line))
	case <-time.After(30 * time.Second):
		check(fmt.Errorf("%s: no event within 30 seconds", s.informer))
	}
}

func main() {
	if len(os.Args) != 3 {
		check(fmt.Errorf("expected KUBECONFIG NAMESPACE"))
	}
	namespace := os.Args[2]
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.ContentType = os.Getenv("KUBECTL_CONTENT_TYPE")
	client, err := kubernetes.NewForConfig(config)
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	maps := client.CoreV1().ConfigMaps(namespace)
	nodes := client.CoreV1().Nodes()

	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "before"}}, metav1.CreateOptions{})
	check(err)

	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	ofMaps := seen{"configmaps", make(chan map[string]any, 64)}
	ofNodes := seen{"nodes", make(chan map[string]any, 64)}
	_, err = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(ofMaps)
	check(err)
	_, err = factory.Core().V1().Nodes().Informer().AddEventHandler(ofNodes)
	check(err)
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			check(fmt.Errorf("the cache of %v did not sync", kind))
		}
	}
	ofMaps.next()

	made, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "app"}, Data: map[string]string{"a": "1"}}, metav1.CreateOptions{})
	check(err)
	ofMaps.next()
	made.Data["b"] = "2"
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	check(err)
	ofMaps.next()
	// The version is now too old.
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	fmt.Printf("{\"conflict\": %q}\n", err)
	_, err = maps.Patch(ctx, "app", types.StrategicMergePatchType, []byte(`{"data":{"a":null}}`), metav1.PatchOptions{})
	check(err)
	ofMaps.next()
	check(maps.Delete(ctx, "app", metav1.DeleteOptions{}))
	ofMaps.next()

	_, err = nodes.Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "informed"}}, metav1.CreateOptions{})
	check(err)
	ofNodes.next()
	_, err = nodes.PatchStatus(ctx, "informed", []byte(`{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`))
	check(err)
	ofNodes.next()
	check(nodes.Delete(ctx, "informed", metav1.DeleteOptions{}))
	ofNodes.next()

	listed, err := factory.Core().V1().ConfigMaps().Lister().ConfigMaps(namespace).List(labels.Everything())
	check(err)
	fmt.Printf("{\"cached\": %d}\n", len(listed))
	check(maps.Delete(ctx, "before", metav1.DeleteOptions{}))
	ofMaps.next()
}
