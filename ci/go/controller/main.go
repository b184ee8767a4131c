// A manager of controller-runtime with leader election, whose controller keeps a Secret for each ConfigMap, with an owner
// and a finalizer. What it makes, what its caches show and what its clients are answered is printed as lines of JSON.
//
//	controller KUBECONFIG NAMESPACE
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.com/secret"

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "controller:", err)
		os.Exit(1)
	}
}

func show(what string, value any) {
	var status apierrors.APIStatus
	if err, refused := value.(error); refused {
		value = err.Error()
		if errors.As(err, &status) {
			value = status.Status()
		}
	}
	line, err := json.Marshal(map[string]any{"what": what, "value": value})
	check(err)
	fmt.Println(string(line))
}

// What a call that need not succeed is answered.
func asked(what string, object any, err error) {
	if err != nil {
		show(what, err)
		return
	}
	show(what, object)
}

type keeper struct{ client.Client }

func (k keeper) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var owner corev1.ConfigMap
	if err := k.Get(ctx, request.NamespacedName, &owner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !owner.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&owner, finalizer) {
			return ctrl.Result{}, client.IgnoreNotFound(k.Update(ctx, &owner))
		}
		return ctrl.Result{}, nil
	}
	if owner.Labels["keep"] != "yes" {
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&owner, finalizer) {
		return ctrl.Result{}, k.Update(ctx, &owner)
	}
	secret := corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: owner.Name, Namespace: owner.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, k.Client, &secret, func() error {
		secret.StringData = owner.Data
		return controllerutil.SetControllerReference(&owner, &secret, k.Scheme())
	})
	return ctrl.Result{}, err
}

// Asks until `done` says so.
func until(ctx context.Context, what string, done func() bool) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if done() {
			return
		}
	}
	check(fmt.Errorf("%s did not come about within 30 seconds", what))
}

func writes(ctx context.Context, c client.Client, namespace string) {
	key := client.ObjectKey{Namespace: namespace, Name: "patched"}
	patched := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "patched", Namespace: namespace}, Data: map[string]string{"a": "1"}}
	asked("create", patched, c.Create(ctx, patched))
	before := patched.DeepCopy()
	patched.Data["b"] = "2"
	asked("merge patch", patched, c.Patch(ctx, patched, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})))
	late := before.DeepCopy()
	late.Data["c"] = "3"
	asked("merge patch of an old version", late, c.Patch(ctx, late, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})))
	asked("strategic patch", patched, c.Patch(ctx, patched, client.StrategicMergeFrom(before)))
	asked("update of an old version", before, c.Update(ctx, before))
	for _, manager := range []string{"one", "two"} {
		applied := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": "applied", "namespace": namespace},
			"data":     map[string]any{"by": manager},
		}}
		asked("apply by "+manager, applied, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner(manager)))
	}
	dry := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "dry", Namespace: namespace}}
	asked("dry run", dry, client.NewDryRunClient(c).Create(ctx, dry))
	var nothing corev1.ConfigMap
	asked("what the dry run left", &nothing, c.Get(ctx, client.ObjectKeyFromObject(dry), &nothing))
	var any unstructured.Unstructured
	any.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
	asked("by kind", &any, c.Get(ctx, key, &any))
	var metadata metav1.PartialObjectMetadataList
	metadata.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMapList"})
	asked("metadata", &metadata, c.List(ctx, &metadata, client.InNamespace(namespace), client.MatchingFields{"metadata.name": "patched"}))
	asked("preconditions of a deletion", "", c.Delete(ctx, patched, client.Preconditions{ResourceVersion: new(string)}))
	asked("delete", "", c.Delete(ctx, patched))
	asked("delete all", "", c.DeleteAllOf(ctx, &corev1.ConfigMap{}, client.InNamespace(namespace), client.MatchingLabels{"keep": "no"}))
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace},
		Spec: corev1.PodSpec{AutomountServiceAccountToken: new(bool), Containers: []corev1.Container{{Name: "c", Image: "x"}}}}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: namespace}}
	asked("service account", account, c.Create(ctx, account))
	asked("pod", pod, c.Create(ctx, pod))
	pod.Status.Phase = corev1.PodRunning
	asked("status", pod, c.Status().Update(ctx, pod))
	var unbuilt unstructured.Unstructured
	unbuilt.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Nothing"})
	asked("a kind that there is not", &unbuilt, c.Get(ctx, key, &unbuilt))
}

func main() {
	if len(os.Args) != 3 {
		check(fmt.Errorf("expected KUBECONFIG NAMESPACE"))
	}
	namespace := os.Args[2]
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	direct, err := client.New(config, client.Options{})
	check(err)
	check(direct.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))

	manager, err := ctrl.NewManager(config, ctrl.Options{
		LeaderElection: true, LeaderElectionID: "keeper", LeaderElectionNamespace: namespace, LeaderElectionReleaseOnCancel: true,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
	})
	check(err)
	check(manager.GetFieldIndexer().IndexField(ctx, &corev1.Secret{}, "owner", func(object client.Object) []string {
		if owner := metav1.GetControllerOf(object); owner != nil {
			return []string{owner.Name}
		}
		return nil
	}))
	check(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(keeper{manager.GetClient()}))
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	select {
	case <-manager.Elected():
	case <-time.After(30 * time.Second):
		check(fmt.Errorf("not elected within 30 seconds"))
	}

	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owner", Namespace: namespace, Labels: map[string]string{"keep": "yes"}},
		Data: map[string]string{"a": "1"}}
	check(direct.Create(ctx, owner))
	var secret corev1.Secret
	key := client.ObjectKeyFromObject(owner)
	until(ctx, "the Secret", func() bool { return direct.Get(ctx, key, &secret) == nil })
	show("made", &secret)
	check(direct.Get(ctx, key, owner))
	show("with a finalizer", owner)
	owner.Data["b"] = "2"
	check(direct.Update(ctx, owner))
	until(ctx, "the changed Secret", func() bool { return direct.Get(ctx, key, &secret) == nil && len(secret.Data) == 2 })
	show("changed", &secret)
	check(direct.Delete(ctx, &secret))
	until(ctx, "another Secret", func() bool {
		var again corev1.Secret
		return direct.Get(ctx, key, &again) == nil && again.UID != secret.UID
	})
	var owned corev1.SecretList
	until(ctx, "the cache", func() bool {
		check(manager.GetClient().List(ctx, &owned, client.MatchingFields{"owner": "owner"}))
		return len(owned.Items) == 1 && owned.Items[0].UID != secret.UID
	})
	show("cached", owned.Items)
	check(direct.Delete(ctx, owner))
	until(ctx, "the end of the owner", func() bool { return apierrors.IsNotFound(direct.Get(ctx, key, owner)) })
	writes(ctx, direct, namespace)
	cancel()
	check(<-ended)
}
