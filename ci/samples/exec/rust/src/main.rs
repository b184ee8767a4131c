//! A small authorizer of nodes: each node reads the Secrets and ConfigMaps that its pods have as volumes.
//!
//!     cargo build --release --manifest-path ci/samples/exec/rust/Cargo.toml --target-dir /tmp/authorizer
//!     nodebound run --target exec:/tmp/authorizer/release/authorizer --focus '^conformance/watching-one-object'
//!
//! harness/endpoint/authorizer/README.md tells what the lines say.
use serde_json::{json, Value};
use std::collections::{HashMap, HashSet};
use std::io::{stdin, stdout, BufRead, Write};

/// (node, resource, namespace, name)
type Tie = (String, String, String, String);

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or("").to_string()
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn ties_of(pod: &Value) -> HashSet<Tie> {
    let mirror = pod.pointer("/metadata/annotations/kubernetes.io~1config.mirror").is_some();
    if mirror {
        return HashSet::new();
    }
    let (node, namespace) = (text(pod, "/spec/nodeName"), text(pod, "/metadata/namespace"));
    let mut names = Vec::new();
    for volume in list(pod, "/spec/volumes") {
        names.push(("secrets", text(volume, "/secret/secretName")));
        names.push(("configmaps", text(volume, "/configMap/name")));
    }
    for env in list(pod, "/spec/containers").flat_map(|container| list(container, "/env")) {
        names.push(("secrets", text(env, "/valueFrom/secretKeyRef/name")));
        names.push(("configmaps", text(env, "/valueFrom/configMapKeyRef/name")));
    }
    let tie = |(resource, name): (&str, String)| (node.clone(), resource.to_string(), namespace.clone(), name);
    names.into_iter().filter(|(_, name)| !name.is_empty()).map(tie).collect()
}

fn decide(pods: &HashMap<(String, String), HashSet<Tie>>, spec: &Value) -> &'static str {
    let user = text(spec, "/user");
    let node = user.strip_prefix("system:node:").unwrap_or("");
    let in_group = list(spec, "/groups").any(|group| group == "system:nodes");
    let asked = |key: &str| text(spec, &format!("/resourceAttributes/{key}"));
    let reads = ["get", "list", "watch"].contains(&asked("verb").as_str());
    if node.is_empty() || !in_group || !reads || asked("group") != "" || asked("subresource") != "" {
        return "no opinion";
    }
    let wanted = (node.to_string(), asked("resource"), asked("namespace"), asked("name"));
    if pods.values().any(|ties| ties.contains(&wanted)) {
        "allow"
    } else {
        "no opinion"
    }
}

fn say(line: Value) {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("cannot write");
}

fn main() {
    let mut pods = HashMap::new();
    for (number, line) in stdin().lock().lines().enumerate() {
        let line: Value = serde_json::from_str(&line.expect("cannot read")).expect("not JSON");
        if number == 0 {
            // The first line says which versions Nodebound speaks.
            say(json!({"protocol": "nodebound.dev/exec", "version": 1, "reviews": ["SubjectAccessReview"],
                       "objects": "lines"}));
        } else if let Some(event) = line["event"].as_str() {
            let object = &line["object"];
            let key = (text(object, "/metadata/namespace"), text(object, "/metadata/name"));
            if object["kind"] != "Pod" {
                continue;
            }
            if event == "DELETED" {
                pods.remove(&key);
            } else {
                pods.insert(key, ties_of(object));
            }
        } else {
            say(json!({"id": line["id"], "decision": decide(&pods, &line["spec"])}));
        }
    }
}
