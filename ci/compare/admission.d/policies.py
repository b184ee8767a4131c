"""ValidatingAdmissionPolicies with their bindings, and the writes that meet them."""

GROUP = "admissionregistration.k8s.io/v1"
POLICIES = f"/apis/{GROUP}/validatingadmissionpolicies"
BINDINGS = f"/apis/{GROUP}/validatingadmissionpolicybindings"
JSON, MERGE = "application/json", "application/merge-patch+json"
PLAIN = "/api/v1/namespaces/plain/configmaps"
NODE_NAME = "authentication.kubernetes.io/node-name"
# The sender's service account and node, as a token that is bound to a pod has them.
AGENT = {"Impersonate-User": "system:serviceaccount:plain:agent", "Impersonate-Group": "system:masters"}
OF_NODE = {**AGENT, "Impersonate-Extra-" + NODE_NAME.replace("/", "%2f"): "n1"}

MAPS = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE", "DELETE"], "resources": ["configmaps"]}
CONFIG_MAP = {"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}


def rule(**more):
    return {**MAPS, **more}


def validation(expression, **more):
    return {"expression": expression, **more}


# Name: what the spec of the policy has besides its constraints; what the binding has besides its policy.
CASES = {
    "deny": ({"validations": [validation("false")]}, {}),
    "forbidden": ({"validations": [validation("false", message="not here", reason="Forbidden")]}, {}),
    "too-large": ({"validations": [validation("object.data.size() < 2", reason="RequestEntityTooLarge",
                                              messageExpression="'has ' + string(object.data.size())")]}, {}),
    "line": ({"validations": [validation("false", message=" one ", messageExpression="'a\\nb'")]}, {}),
    "blank": ({"validations": [validation("false", messageExpression="'  '")]}, {}),
    "wrong-message": ({"validations": [validation("false", message="own", messageExpression="string(object.data.none)")]}, {}),
    "second": ({"validations": [validation("true"), validation("object.metadata.name == 'x'"), validation("false")]}, {}),
    "error": ({"validations": [validation("object.data.none == 'x'")]}, {}),
    "ignored": ({"failurePolicy": "Ignore", "validations": [validation("object.data.none == 'x'")]}, {}),
    "ignored-and-false": ({"failurePolicy": "Ignore",
                           "validations": [validation("object.data.none == 'x'"), validation("false")]}, {}),
    "condition": ({"matchConditions": [{"name": "a", "expression": "object.metadata.name == 'none'"}],
                   "validations": [validation("false")]}, {}),
    "condition-error": ({"matchConditions": [{"name": "a", "expression": "object.data.none == 'x'"},
                                             {"name": "b", "expression": "true"}], "validations": [validation("false")]}, {}),
    "variables": ({"variables": [{"name": "labels", "expression": "object.metadata.?labels.orValue({})"},
                                 {"name": "count", "expression": "variables.labels.size()"},
                                 {"name": "unused", "expression": "object.data.none"}],
                   "validations": [validation("variables.count > 5",
                                              messageExpression="'labels: ' + string(variables.count)")]}, {}),
    "variable-error": ({"variables": [{"name": "none", "expression": "object.data.none"}],
                        "validations": [validation("variables.none == 'x'")]}, {}),
    "warn": ({"validations": [validation("false", message="look out")]}, {"validationActions": ["Warn", "Audit"]}),
    "audit": ({"validations": [validation("false", message="look out")]}, {"validationActions": ["Audit"]}),
    "annotation": ({"auditAnnotations": [{"key": "k", "valueExpression": "'v ' + object.metadata.name"}]}, {}),
    "annotation-error": ({"auditAnnotations": [{"key": "k", "valueExpression": "object.data.none == 'a' ? 'b' : 'c'"}]}, {}),
    "params": ({**CONFIG_MAP, "validations": [validation("object.data.size() <= int(params.data.most)",
                                                        messageExpression="'at most ' + params.data.most")]},
               {"paramRef": {"name": "limits", "parameterNotFoundAction": "Deny"}}),
    "params-selected": ({**CONFIG_MAP, "validations": [validation("params.metadata.name == 'none'",
                                                                 messageExpression="string(params.metadata.name)")]},
                        {"paramRef": {"selector": {"matchLabels": {"limits": "yes"}}, "namespace": "plain",
                                      "parameterNotFoundAction": "Deny"}}),
    "params-missing": ({**CONFIG_MAP, "validations": [validation("false")]},
                       {"paramRef": {"name": "none", "parameterNotFoundAction": "Deny"}}),
    "params-missing-allowed": ({**CONFIG_MAP, "validations": [validation("false")]},
                               {"paramRef": {"name": "none", "parameterNotFoundAction": "Allow"}}),
    "params-unreferenced": ({**CONFIG_MAP, "validations": [validation("params != null")]}, {}),
    "params-unknown": ({"paramKind": {"apiVersion": "rules.example.com/v1", "kind": "Limit"},
                        "validations": [validation("false")]}, {"paramRef": {"name": "x", "parameterNotFoundAction": "Allow"}}),
    "params-of-cluster": ({"paramKind": {"apiVersion": "v1", "kind": "Namespace"}, "validations": [validation("false")]},
                          {"paramRef": {"name": "plain", "namespace": "plain", "parameterNotFoundAction": "Allow"}}),
    "authorizer": ({"validations": [
        validation("authorizer.group('').resource('configmaps').namespace('plain').check('get').allowed()"),
        validation("authorizer.requestResource.check('none').allowed()"),
        validation("authorizer.serviceAccount('plain', 'none').group('').resource('secrets').check('get').allowed()",
                   message="not the account")]}, {}),
    "namespace": ({"validations": [validation("namespaceObject.metadata.name == 'plain'"),
                                   validation("namespaceObject.metadata.labels['seen'] == 'yes'")]}, {}),
    "request": ({"validations": [validation(
        "request.operation in ['CREATE', 'UPDATE'] && request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'"
        " && request.name == object.metadata.name && request.namespace == 'plain' && !request.dryRun"
        " && request.userInfo.groups.exists(g, g == 'system:authenticated') && object.metadata.uid != ''"),
        validation("false", messageExpression="request.operation + ' ' + request.name + ' ' + string(type(request.options) == map)")]},
        {}),
    "old": ({"validations": [validation("oldObject == null || object == null || object.data == oldObject.data",
                                        message="is fixed")]}, {}),
    "deleted": ({"validations": [validation("object != null", message="stays")]}, {}),
    "lists": ({"validations": [validation(
        "['b', 'a'].exists(x, x == 'a') && [1, 2, 3].map(x, x * 2).sum() == 12 && 'a-b'.split('-').join('') == 'ab'"
        " && object.metadata.labels.all(k, k != '') && 'abc'.find('b.') == 'bc' && optional.of(1).hasValue()"),
        validation("false", messageExpression="'a,b'.replace(',', ' ').upperAscii()")]}, {}),
    "node": ({"variables": [{"name": "node", "expression": f"request.userInfo.extra['{NODE_NAME}'][0]"}],
              "matchConditions": [{"name": "agent", "expression":
                                   "request.userInfo.username == 'system:serviceaccount:plain:agent'"}],
              "validations": [validation(f"'{NODE_NAME}' in request.userInfo.extra", message="no node", reason="Forbidden"),
                              validation("variables.node == object.metadata.name",
                                         messageExpression="'this is of ' + variables.node", reason="Forbidden")]}, {}),
    "dear": ({"validations": [validation(
        "[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d,"
        " [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a + b + c + d + e + f >= 0))))))")]}, {}),
}
# Constraints other than those of all.
CONSTRAINTS = {
    "names": {"resourceRules": [rule(resourceNames=["p-names", "p-other"])]},
    "excluded": {"resourceRules": [rule()], "excludeResourceRules": [rule(resourceNames=["p-excluded"])]},
    "in-seen": {"resourceRules": [rule()], "namespaceSelector": {"matchLabels": {"seen": "yes"}}},
    "scope": {"resourceRules": [rule(resources=["*/*"], scope="Cluster")]},
    "updates": {"resourceRules": [rule(operations=["UPDATE"])]},
}


def labelled(name):
    return {"matchLabels": {"policy": name}}


def objects():
    """(path, body) in the order in which they are made."""
    yield PLAIN, {"metadata": {"name": "limits", "labels": {"limits": "yes"}}, "data": {"most": "1"}}
    for name, (spec, binding) in {**CASES, **{name: ({"validations": [validation("false")]}, {}) for name in CONSTRAINTS}}.items():
        constraints = {"resourceRules": [rule()], **CONSTRAINTS.get(name, {}), "objectSelector": labelled(name)}
        yield POLICIES, {"metadata": {"name": "p-" + name}, "spec": {"matchConstraints": constraints, **spec}}
        yield BINDINGS, {"metadata": {"name": "b-" + name},
                         "spec": {"policyName": "p-" + name, "validationActions": ["Deny"], **binding}}


def config_map(name, policy, **more):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {"policy": policy}}, **more}


GOOD = {"matchConstraints": {"resourceRules": [rule()]}, "validations": [validation("true")]}
# What no server stores.
WRONG = [
    {},
    {"matchConstraints": {}},
    {**GOOD, "failurePolicy": "Perhaps"},
    {**GOOD, "validations": [validation("object.")]},
    {**GOOD, "validations": [validation("1"), validation(""), validation("unknown"), validation("request.usr == ''")]},
    {**GOOD, "validations": [validation("variables.x"), validation("params.x == 1"), validation("'a' == 1")]},
    {**GOOD, "validations": [validation("true", message=" ", reason="Because", messageExpression="1")]},
    {**GOOD, "validations": [validation("true", message="a\nb", messageExpression="authorizer.path('/').check('get').reason()")]},
    {**GOOD, "variables": [{"name": "if", "expression": "1"}, {"name": "", "expression": ""}, {"name": "a", "expression": "variables.b"},
                           {"name": "b", "expression": "1 + 'a'"}], "validations": [validation("variables.a == variables.b")]},
    {**GOOD, "variables": [{"name": "n", "expression": "1"}], "validations": [validation("variables.n == 'a'"),
                                                                            validation("variables.m == 1")]},
    {**GOOD, "matchConditions": [{"name": "a b", "expression": "variables.n"}, {"name": "", "expression": "1"}]},
    {**GOOD, "paramKind": {"apiVersion": "a/b/c", "kind": "_"}},
    {**GOOD, "paramKind": {"apiVersion": "A_/1", "kind": ""}},
    {**GOOD, "auditAnnotations": [{"key": "a b", "valueExpression": "1"}, {"key": "k", "valueExpression": ""},
                                  {"key": "k", "valueExpression": "'a'"}]},
    {"matchConstraints": {"resourceRules": [rule(resourceNames=["a", "a", "b/c"], operations=["NONE"], resources=["*", "pods"],
                                                 apiVersions=["", "*"], scope="World")],
                          "namespaceSelector": {"matchLabels": {"a b": "c d"}},
                          "objectSelector": {"matchExpressions": [{"key": "k", "operator": "In"}, {"key": "k", "operator": "Is"},
                                                                  {"key": "", "operator": "Exists", "values": ["x y"]}]},
                          "matchPolicy": "Some"}, "validations": [validation("true")]},
]
WRONG_BINDINGS = [
    {},
    {"policyName": "A_", "validationActions": ["Deny", "Warn", "Deny", "Shout"]},
    {"policyName": "p", "validationActions": ["Deny"], "paramRef": {}},
    {"policyName": "p", "validationActions": ["Deny"], "paramRef": {"name": "a/b", "selector": {}, "parameterNotFoundAction": "Maybe"}},
    {"policyName": "p", "validationActions": ["Audit"], "matchResources": {"resourceRules": [rule(operations=[])], "matchPolicy": "X"}},
]


def requests():
    """(name, method, path, body, content type, headers) one after the other."""
    for name in [*CASES, *CONSTRAINTS]:
        yield f"policy {name}: create", "POST", PLAIN, config_map("p-" + name, name, data={"a": "1", "b": "2"}), JSON, {}
        yield f"policy {name}: small", "POST", PLAIN, config_map("p-" + name + "-small", name, data={"a": "1"}), JSON, {}
        yield f"policy {name}: elsewhere", "POST", PLAIN.replace("plain", "seen"), config_map("p-" + name, name), JSON, {}
        yield f"policy {name}: unlabelled", "PATCH", f"{PLAIN}/p-{name}", {"metadata": {"labels": None}}, MERGE, {}
    for name in ("old", "deleted", "updates"):
        path = f"{PLAIN}/p-{name}"
        yield f"policy {name}: make", "POST", PLAIN, config_map(f"p-{name}", name, data={"a": "1"}), JSON, {}
        yield f"policy {name}: change", "PATCH", path, {"data": {"a": "2"}, "metadata": {"labels": {"policy": name}}}, MERGE, {}
        yield f"policy {name}: delete", "DELETE", path, None, JSON, {}
    yield "policy generate", "POST", PLAIN, {"metadata": {"generateName": "g-", "labels": {"policy": "deny"}}}, JSON, {}
    for who, headers in (("nobody", AGENT), ("of node", OF_NODE)):
        for name in ("n1", "n2"):
            body = config_map(name, "node")
            yield f"policy node: {who} {name}", "POST", PLAIN + "?dryRun=All", body, JSON, headers
    for at, spec in enumerate(WRONG):
        yield f"wrong policy {at}", "POST", POLICIES, {"metadata": {"name": "wrong"}, "spec": spec}, JSON, {}
    for at, spec in enumerate(WRONG_BINDINGS):
        yield f"wrong binding {at}", "POST", BINDINGS, {"metadata": {"name": "wrong"}, "spec": spec}, JSON, {}
    yield "read policy", "GET", POLICIES + "/p-names", None, JSON, {}
    yield "read binding", "GET", BINDINGS + "/b-params", None, JSON, {}
    yield "change policy", "PATCH", POLICIES + "/p-audit", {"spec": {"failurePolicy": "Ignore"}}, MERGE, {}
    yield "status of a policy", "PATCH", POLICIES + "/p-audit/status", {"status": {"observedGeneration": 7}}, MERGE, {}
    yield "policies gone", "DELETE", POLICIES, None, JSON, {}
