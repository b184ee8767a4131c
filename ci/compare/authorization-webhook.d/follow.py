"""Has both servers follow the same AuthorizationConfiguration while it changes, and refuse the same broken ones."""

import json
import re
import subprocess
import time

import configuration
import servers
import sides
import webhook

ASKED = ["allow", "abstain-reason", "deny-reason", "both", "missing", "errs", "config.*", "(", "closes"]


# Nodebound authorizes a write before it reads the body, and once more with it; where no answer is kept, it asks twice.
ASKED_TWICE = ("order", "rules")


def requests():
    for user in ASKED:
        who = {"Impersonate-User": user}
        yield f"shop as {user}", "GET", "/api/v1/namespaces/shop/configmaps", None, who
        yield f"shop again as {user}", "GET", "/api/v1/namespaces/shop/configmaps", None, who
        yield f"elsewhere as {user}", "GET", "/api/v1/namespaces/other/secrets", None, who
        yield f"path as {user}", "GET", "/no/such/path", None, who
        yield f"fields as {user}", "GET", "/api/v1/namespaces/shop/pods?fieldSelector=spec.nodeName%3Da", None, who
        yield f"review of {user}", "POST", sides.REVIEWS, {"spec": {"user": user, "resourceAttributes": {
            "verb": "create", "resource": "configmaps", "namespace": "n"}}}, {}
    node = {"Impersonate-User": "system:node:a", "Impersonate-Group": "system:nodes"}
    yield "node", "GET", "/api/v1/nodes/a", None, node
    yield "rules", "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {"spec": {"namespace": "shop"}}, node
    yield "masters", "GET", "/api/v1/namespaces/shop/configmaps", None, {}


def reloads(log):
    """How often a server says that it has changed to a file, and that it has not."""
    text = log.read_text(errors="replace")
    return (len(re.findall(r"reloaded authz config|are now those of", text)),
            len(re.findall(r'"reloading authorization config" err|stay as they were', text)))


def wait_for_reloads(processes, good, bad):
    for process in processes:
        for _ in range(900):
            if reloads(process.log) == (good, bad):
                break
            time.sleep(0.1)
        else:
            raise SystemExit(f"compare-authorization-webhook: {process.name} has {reloads(process.log)} reloads, "
                             f"not {(good, bad)}: see {process.log}")


def release_of(arguments):
    return tuple(int(part) for part in arguments.version.split(".")[:2])


def run(arguments, out):
    folders = {name: out.resolve() / name for name in ("nodebound", "real")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    hook = webhook.Webhook(folders["nodebound"])
    file = out.resolve() / "authorization.json"
    followed = list(configuration.followed(hook.kubeconfig, release_of(arguments)))
    configuration.write(file, followed[0][1])
    flags = (f"--authorization-config={file}",)
    started = [servers.start_nodebound(arguments.nodebound, arguments.version, folders["nodebound"], [], flags=flags)]
    wrong = asked = good = bad = 0
    try:
        started += servers.start_real(arguments.binaries, folders["nodebound"], folders["real"], flags=flags)
        both = [sides.Side(name, folder, hook) for name, folder in folders.items()]
        for number, (name, value) in enumerate(followed):
            if number > 0:
                configuration.write(file, value)
                good += 1
                wait_for_reloads(started[:2], good, bad)
            for broken, other in configuration.not_followed(hook.kubeconfig, release_of(arguments)) if number == 1 else ():
                configuration.write(file, other)
                bad += 1
                wait_for_reloads(started[:2], good, bad)
                differ, reviews = sides.compare(f"after {broken}", *[list(side.run(list(requests())[:6])) for side in both])
                wrong, asked = wrong + differ, asked + reviews
            seen = [dict(side.run(requests())) for side in both]
            if name == ASKED_TWICE[0]:
                asked_twice = seen[0][ASKED_TWICE[1]]["asked"]
                seen[0][ASKED_TWICE[1]]["asked"] = asked_twice[:1] if asked_twice[:1] == asked_twice[1:] else asked_twice
            differ, reviews = sides.compare(f"file {name}", *[list(each.items()) for each in seen])
            wrong, asked = wrong + differ, asked + reviews
    finally:
        for server in started:
            server.stop()
    return wrong, asked


def ended(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode != 0, done.stdout + done.stderr


def said_by_nodebound(text):
    return re.sub(r"\n  mend .*\n\Z", "", text.removeprefix("nodebound: --authorization-config: "))


def said_by_real(text):
    """kube-apiserver logs its error, in quotes or as lines that are indented."""
    text = text[text.rindex('"command failed" err=') + len('"command failed" err='):]
    if not text.startswith("<"):
        return json.loads(text.splitlines()[0])
    lines = text.splitlines()[1:]
    return "\n".join(line.removeprefix("\t") for line in lines[:lines.index(" >")])


def refusals(arguments, out):
    wrong = count = 0
    folder = out.resolve() / "nodebound"
    for name, value in configuration.refused(folder / "webhook.kubeconfig", release_of(arguments)):
        count += 1
        file = out.resolve() / "refused.json"
        configuration.write(file, value)
        ours, own = ended([arguments.nodebound, "serve", "--release", arguments.version, f"--authorization-config={file}"])
        real, other = ended([arguments.binaries / "kube-apiserver", f"--authorization-config={file}",
                             "--etcd-servers=http://127.0.0.1:1", "--service-cluster-ip-range=10.0.0.0/24",
                             "--service-account-issuer=https://kubernetes.default.svc",
                             f"--service-account-key-file={out.resolve()}/real/sa.pub",
                             f"--service-account-signing-key-file={folder}/sa.key", f"--cert-dir={out}/certificates"])
        own, other = (re.sub(r"(?m)^ +", "", text) for text in (said_by_nodebound(own), said_by_real(other)))
        if ours and real and own == other:
            continue
        wrong += 1
        print(f"refusal: {name}:\n    ours {own}\n    real {other}")
    print(f"{count} files that no server starts with")
    return wrong
