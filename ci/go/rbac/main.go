// Times upstream's RBAC authorizer on the cluster of nodebound_rbac_benchmark, and prints the same lines.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	rbaclisters "k8s.io/client-go/listers/rbac/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

const namespaces = 100

func indexer() cache.Indexer {
	return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

func add(to cache.Indexer, object any) {
	if err := to.Add(object); err != nil {
		panic(err)
	}
}

func filled(bindings int) *rbac.RBACAuthorizer {
	roles, roleBindings, clusterRoles, clusterRoleBindings := indexer(), indexer(), indexer(), indexer()
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

func nanoseconds(by *rbac.RBACAuthorizer, name string, expected authorizer.Decision) float64 {
	attributes := authorizer.AttributesRecord{
		User: &user.DefaultInfo{Name: name, Groups: []string{"team", "system:authenticated"}},
		Verb: "get", Resource: "pods", Namespace: "ns-0", Name: "web", ResourceRequest: true,
	}
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

func main() {
	for _, argument := range os.Args[1:] {
		bindings, err := strconv.Atoi(argument)
		if err != nil {
			panic(err)
		}
		by := filled(bindings)
		for _, each := range []struct {
			request, user string
			expected      authorizer.Decision
		}{
			{"allowed by a ClusterRoleBinding", "cluster-user-0", authorizer.DecisionAllow},
			{"allowed by a RoleBinding", "user-0", authorizer.DecisionAllow},
			{"not allowed", "nobody", authorizer.DecisionNoOpinion},
		} {
			fmt.Printf("%d\t%s\t%f\n", bindings, each.request, nanoseconds(by, each.user, each.expected))
		}
	}
}
