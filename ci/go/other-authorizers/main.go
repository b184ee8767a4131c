// Times upstream's RBAC and ABAC authorizers, and its webhook whose answers are kept, on what
// nodebound_other_authorizers_benchmark is about, and prints the same lines.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
	"k8s.io/apiserver/plugin/pkg/authorizer/webhook"
	"k8s.io/apiserver/plugin/pkg/authorizer/webhook/metrics"
	rbaclisters "k8s.io/client-go/listers/rbac/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/auth/authorizer/abac"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

const (
	namespaces  = 100
	mostAnswers = 8192
)

func indexer() cache.Indexer {
	return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

func add(to cache.Indexer, object any) {
	if err := to.Add(object); err != nil {
		panic(err)
	}
}

func withBindings(bindings int) *rbac.RBACAuthorizer {
	roles, roleBindings, clusterRoles, clusterRoleBindings := indexer(), indexer(), indexer(), indexer()
	for _, each := range bootstrappolicy.ClusterRoles() {
		add(clusterRoles, &each)
	}
	for _, each := range bootstrappolicy.ControllerRoles() {
		add(clusterRoles, &each)
	}
	for _, each := range append(bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()...) {
		add(clusterRoleBindings, &each)
	}
	for namespace, of := range bootstrappolicy.NamespaceRoles() {
		for _, each := range of {
			each.Namespace = namespace
			add(roles, &each)
		}
	}
	for namespace, of := range bootstrappolicy.NamespaceRoleBindings() {
		for _, each := range of {
			each.Namespace = namespace
			add(roleBindings, &each)
		}
	}
	role := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "reader"}
	add(clusterRoles, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: []rbacv1.PolicyRule{
		{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}}})
	for i := range bindings / 2 {
		number := strconv.Itoa(i)
		subject := func(name string) []rbacv1.Subject {
			return []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: name}}
		}
		add(clusterRoleBindings, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "cluster-" + number},
			RoleRef: role, Subjects: subject("cluster-user-" + number)})
		add(roleBindings, &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "role-" + number, Namespace: "ns-" + strconv.Itoa(i%namespaces)},
			RoleRef:    role, Subjects: subject("user-" + number)})
	}
	return rbac.New(
		&rbac.RoleGetter{Lister: rbaclisters.NewRoleLister(roles)},
		&rbac.RoleBindingLister{Lister: rbaclisters.NewRoleBindingLister(roleBindings)},
		&rbac.ClusterRoleGetter{Lister: rbaclisters.NewClusterRoleLister(clusterRoles)},
		&rbac.ClusterRoleBindingLister{Lister: rbaclisters.NewClusterRoleBindingLister(clusterRoleBindings)})
}

func withLines(lines int) abac.PolicyList {
	folder, err := os.MkdirTemp("", "")
	check(err)
	defer os.RemoveAll(folder)
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"user-%d",`+
			`"readonly":true,"apiGroup":"*","resource":"pods","namespace":"ns-0"}}`+"\n", i)
	}
	file := filepath.Join(folder, "policies.jsonl")
	check(os.WriteFile(file, []byte(text.String()), 0o600))
	policies, err := abac.NewFromFile(file)
	check(err)
	return policies
}

func withAnswers(answers int) *webhook.WebhookAuthorizer {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		fmt.Fprint(writer, `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","status":{"allowed":true}}`)
	}))
	by, err := webhook.New(&rest.Config{Host: server.URL, QPS: -1}, "v1", time.Hour, time.Hour, *webhook.DefaultRetryBackoff(),
		authorizer.DecisionNoOpinion, nil, "", metrics.NoopAuthorizerMetrics{}, authorizationcel.NewDefaultCompiler())
	check(err)
	for i := range answers {
		if decision, _, err := by.Authorize(context.Background(), podReadBy("user-"+strconv.Itoa(i))); decision != authorizer.DecisionAllow {
			panic(err)
		}
	}
	server.Close()
	return by
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func podReadBy(name string) authorizer.AttributesRecord {
	return authorizer.AttributesRecord{
		User: &user.DefaultInfo{Name: name, Groups: []string{"team", "system:authenticated"}},
		Verb: "get", Resource: "pods", Namespace: "ns-0", Name: "web", ResourceRequest: true,
	}
}

func nanoseconds(by authorizer.Authorizer, name string, expected authorizer.Decision) float64 {
	attributes := podReadBy(name)
	rounds := 0
	begin := time.Now()
	for time.Since(begin) < 300*time.Millisecond {
		for range 10 {
			if decision, _, _ := by.Authorize(context.Background(), attributes); decision != expected {
				panic(name)
			}
			rounds++
		}
	}
	return float64(time.Since(begin).Nanoseconds()) / float64(rounds)
}

type question struct {
	request, user string
	expected      authorizer.Decision
}

func measure(name string, count int, by authorizer.Authorizer, questions ...question) {
	for _, each := range questions {
		fmt.Printf("%s\t%d\t%s\t%f\n", name, count, each.request, nanoseconds(by, each.user, each.expected))
	}
}

func main() {
	nobody := question{"not allowed", "nobody", authorizer.DecisionNoOpinion}
	for _, argument := range os.Args[1:] {
		count, err := strconv.Atoi(argument)
		check(err)
		measure("RBAC", count, withBindings(count),
			question{"allowed by a ClusterRoleBinding", "cluster-user-0", authorizer.DecisionAllow},
			question{"allowed by a RoleBinding", "user-0", authorizer.DecisionAllow}, nobody)
		measure("ABAC", count, withLines(count),
			question{"allowed by the first line", "user-0", authorizer.DecisionAllow},
			question{"allowed by the last line", "user-" + strconv.Itoa(count-1), authorizer.DecisionAllow}, nobody)
		if count <= mostAnswers {
			measure("webhook", count, withAnswers(count),
				question{"allowed by an answer that is kept", "user-0", authorizer.DecisionAllow})
		}
	}
}
