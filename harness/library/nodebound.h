/* Nodebound's reference as a C library: what a node may do at one Kubernetes release, with the objects of one cluster.
 *
 * Strings are UTF-8 and end with a zero; NULL means "not given" where the comment says so. A function that returns
 * `char *` gives the string to the caller, who calls nodebound_string_free. Functions that can fail take `error`: where
 * they fail and it is not NULL, they put a text there (`place: what is wrong`, and what to do on a line of its own),
 * which the caller frees, too. Nothing is printed, no file is read and no signal is handled.
 *
 * Several threads may use one nodebound_reference at a time, except nodebound_close.
 */
#ifndef NODEBOUND_H
#define NODEBOUND_H

#include <stddef.h>

#if defined(__GNUC__)
#define NODEBOUND_API __attribute__((visibility("default")))
#else
#define NODEBOUND_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The rules of a release and the objects of a cluster. */
typedef struct nodebound_reference nodebound_reference;

typedef enum nodebound_outcome {
  NODEBOUND_ALLOW = 0,
  NODEBOUND_DENY = 1,
  NODEBOUND_NO_OPINION = 2 /* an API server asks its next authorizer, and refuses if there is none */
} nodebound_outcome;

/* Who asks for what. A member that is NULL is empty. */
typedef struct nodebound_request {
  const char* user;          /* `system:node:a` */
  const char* const* groups; /* `system:nodes`, …; ends with NULL */
  const char* verb;          /* `get`, `list`, `watch`, `create`, … */
  const char* api_group;     /* empty for the core group */
  const char* resource;      /* `secrets`; empty: the request is for `path` */
  const char* subresource;   /* `status` */
  const char* namespace_;
  const char* name;
  const char* field_selector; /* of list, watch and deletecollection: `spec.nodeName=a` */
  const char* path;           /* `/healthz` */
} nodebound_request;

typedef struct nodebound_decision {
  nodebound_outcome outcome;
  const char* rule; /* id in the catalogue, `secret-through-pod`, never freed; NULL: no rule is about the request */
} nodebound_decision;

/* Nodebound's version, `0.1.0`. */
NODEBOUND_API const char* nodebound_version(void);

/* Opens the reference of a release.
 *   release              `1.36` or `1.36.3`
 *   feature_gates        `A=true,B=false`: what differs from the release's defaults; or NULL
 *   authorization_modes  `Node`, `RBAC` or `Node,RBAC`, asked in that order; NULL is `Node,RBAC`
 * NULL if one of them is wrong. */
NODEBOUND_API nodebound_reference* nodebound_open(const char* release, const char* feature_gates,
                                                  const char* authorization_modes, char** error);
NODEBOUND_API void nodebound_close(nodebound_reference* reference);

/* Adds objects, or replaces them. `objects` is what `kubectl get … -o yaml` or `-o json` prints: a list, a stream of
 * documents, or one object. Kinds that no decision depends on are left out, and a member of another type than the API
 * has counts as absent. Returns how many were taken; -1 if the text is none of that, and then nothing was taken. */
NODEBOUND_API long nodebound_put(nodebound_reference* reference, const char* objects, size_t length, char** error);

/* Removes the objects that `objects` names: kind, namespace and name are enough. Returns how many there were; -1 as
 * above. */
NODEBOUND_API long nodebound_remove(nodebound_reference* reference, const char* objects, size_t length, char** error);

/* What the authorizers say. 0, or -1 if `request` has neither resource nor path, or no user or verb. */
NODEBOUND_API int nodebound_decide(const nodebound_reference* reference, const nodebound_request* request,
                                   nodebound_decision* decision, char** error);

/* The reason that kube-apiserver would give for the decision; empty where it gives none. */
NODEBOUND_API char* nodebound_reason(const nodebound_reference* reference, const nodebound_request* request,
                                     char** error);

/* Answers a SubjectAccessReview (authorization.k8s.io/v1 or v1beta1) or an AdmissionReview (admission.k8s.io/v1), in
 * JSON. Of admission plugins, NodeRestriction, ServiceAccount and CertificateSubjectRestriction are asked. NULL if
 * `review` is neither. */
NODEBOUND_API char* nodebound_review(const nodebound_reference* reference, const char* review, size_t length,
                                     char** error);

/* Explains a request as `nodebound explain --format json` does: by which rule, through which objects, since which
 * release, and what to do. as          `node:a`, `user:NAME,GROUP`, `admin`, `anonymous` verb        `get` target
 * `secrets/db`, or a path namespace_  or NULL body        the object of a write, in YAML or JSON; or NULL */
NODEBOUND_API char* nodebound_explain(const nodebound_reference* reference, const char* as, const char* verb,
                                      const char* target, const char* namespace_, const char* body, char** error);

/* The rule with that id: JSON with statement, sources, the text of its refusal, and whether it is in force at the
 * release. NULL if there is none. */
NODEBOUND_API char* nodebound_rule(const nodebound_reference* reference, const char* id, char** error);

/* All rules, as a JSON list of such objects. */
NODEBOUND_API char* nodebound_rules(const nodebound_reference* reference, char** error);

NODEBOUND_API void nodebound_string_free(char* string);

#ifdef __cplusplus
}
#endif

#endif
