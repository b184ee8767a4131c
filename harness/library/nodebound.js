"use strict";
/*
Nodebound's reference as WebAssembly, in a page and in Node.js: what harness/library/nodebound.h declares.

  const { loadReference } = require("./nodebound.js");
  const library = await loadReference(fs.readFileSync("nodebound.wasm"));
  const reference = library.open("1.36");
  reference.put("kind: Pod …");                        // what kubectl get … -o yaml prints; the number of objects taken
  reference.explain({ as: "node:a", verb: "get", target: "secrets/db", namespace: "shop" });
  reference.close();

Strings are JavaScript's; what the library writes as JSON comes parsed. What it refuses is thrown as an Error with its text,
which says what to do. Nothing is read, sent or printed.
*/

const outcomes = ["allow", "deny", "no opinion"];

/// The library, from the bytes of nodebound.wasm.
async function loadReference(bytes) {
  const module = await WebAssembly.compile(bytes);
  const memory = () => new DataView(instance.exports.memory.buffer);
  const bytesAt = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length);

  // What C's library asks of WASI before and while it works: a clock, and that there are no files.
  const success = 0;
  const badFile = 8;
  const none = (count, size) => {
    memory().setUint32(count, 0, true);
    memory().setUint32(size, 0, true);
    return success;
  };
  const wasi = {
    args_sizes_get: none,
    environ_sizes_get: none,
    clock_time_get(clock, precision, out) {
      memory().setBigUint64(out, BigInt(Date.now()) * 1000000n, true);
      return success;
    },
    random_get(out, length) {
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytesAt(out + at, Math.min(65536, length - at)));
      return success;
    },
    proc_exit(code) {
      throw new Error(`the reference ended with ${code}`);
    },
  };
  const wanted = {};
  for (const { name } of WebAssembly.Module.imports(module)) wanted[name] = wasi[name] || (() => badFile);
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wanted });
  const library = instance.exports;
  library._initialize();

  function textAt(at) {
    const all = new Uint8Array(library.memory.buffer);
    return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
  }

  let broken = "";

  /// Calls a function. `work` gets what puts strings into its memory, and where it may put an error.
  function call(work) {
    if (broken) throw new Error(`the reference stopped before (${broken}): load it anew`);
    const held = [];
    const room = (size) => {
      const at = library.malloc(size);
      if (!at) throw new Error("the reference has no more memory");
      held.push(at);
      return at;
    };
    const put = (text) => {
      if (text === undefined || text === null) return 0;
      const encoded = new TextEncoder().encode(`${text}`);
      const at = room(encoded.length + 1);
      bytesAt(at, encoded.length).set(encoded);
      bytesAt(at + encoded.length, 1)[0] = 0;
      return at;
    };
    const error = room(4);
    memory().setUint32(error, 0, true);
    const refused = () => {
      const at = memory().getUint32(error, true);
      const text = at ? textAt(at) : "there is none";
      library.nodebound_string_free(at);
      return new Error(text);
    };
    try {
      return work({ room, put, error, refused });
    } catch (failure) {
      // After a trap, its memory may hold anything.
      if (failure instanceof WebAssembly.RuntimeError || failure instanceof RangeError) broken = failure.message;
      throw failure;
    } finally {
      if (!broken) for (const at of held) library.free(at);
    }
  }

  /// A string that the caller owns.
  function taken(at, refused) {
    if (!at) throw refused();
    const text = textAt(at);
    library.nodebound_string_free(at);
    return text;
  }

  const length = (text) => new TextEncoder().encode(text).length;

  class Reference {
    constructor(release, featureGates, authorizationModes) {
      this.handle = call(({ put, error, refused }) => {
        const handle = library.nodebound_open(put(release), put(featureGates), put(authorizationModes), error);
        if (!handle) throw refused();
        return handle;
      });
    }

    put(objects) { return this.changed("nodebound_put", objects); }
    remove(objects) { return this.changed("nodebound_remove", objects); }
    changed(name, objects) {
      return call(({ put, error, refused }) => {
        const count = library[name](this.handle, put(objects), length(objects), error);
        if (count < 0) throw refused();
        return count;
      });
    }

    /// { user, groups, verb, apiGroup, resource, subresource, namespace, name, fieldSelector, path }:
    /// { outcome: "allow", "deny" or "no opinion", rule: its id or null, reason }
    decide(request) {
      return call(({ room, put, error, refused }) => {
        const groups = request.groups || [];
        const list = room(4 * (groups.length + 1));
        const asked = room(40);
        const pointers = [put(request.user), list, put(request.verb), put(request.apiGroup), put(request.resource),
          put(request.subresource), put(request.namespace), put(request.name), put(request.fieldSelector), put(request.path)];
        [...groups.map(put), 0].forEach((at, index) => memory().setUint32(list + 4 * index, at, true));
        pointers.forEach((at, index) => memory().setUint32(asked + 4 * index, at, true));
        const decision = room(8);
        if (library.nodebound_decide(this.handle, asked, decision, error) !== 0) throw refused();
        const rule = memory().getUint32(decision + 4, true);
        return {
          outcome: outcomes[memory().getInt32(decision, true)],
          rule: rule ? textAt(rule) : null,
          reason: taken(library.nodebound_reason(this.handle, asked, error), refused),
        };
      });
    }

    /// { as, verb, target, namespace, body }: what `nodebound explain --format json` prints.
    explain({ as, verb, target, namespace, body }) {
      return call(({ put, error, refused }) => JSON.parse(taken(library.nodebound_explain(
        this.handle, put(as), put(verb), put(target), put(namespace), put(body), error), refused)));
    }

    /// The answer to a SubjectAccessReview or an AdmissionReview.
    review(review) {
      return call(({ put, error, refused }) => {
        const text = typeof review === "string" ? review : JSON.stringify(review);
        return JSON.parse(taken(library.nodebound_review(this.handle, put(text), length(text), error), refused));
      });
    }

    rule(id) {
      return call(({ put, error, refused }) => JSON.parse(taken(library.nodebound_rule(this.handle, put(id), error), refused)));
    }

    rules() {
      return call(({ error, refused }) => JSON.parse(taken(library.nodebound_rules(this.handle, error), refused)));
    }

    close() {
      if (this.handle && !broken) library.nodebound_close(this.handle);
      this.handle = 0;
    }
  }

  return {
    version: textAt(library.nodebound_version()),
    open: (release, { featureGates, authorizationModes } = {}) => new Reference(release, featureGates, authorizationModes),
  };
}

if (typeof module !== "undefined") module.exports = { loadReference };
