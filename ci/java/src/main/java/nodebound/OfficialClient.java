package nodebound;

import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.*;
import io.kubernetes.client.openapi.*;
import io.kubernetes.client.openapi.apis.*;
import io.kubernetes.client.openapi.models.*;
import io.kubernetes.client.util.*;
import io.kubernetes.client.util.generic.*;
import io.kubernetes.client.util.generic.options.*;
import java.io.FileReader;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

/** The official Java client: writes, and watches what it writes. Prints what it is answered as JSON documents. */
public final class OfficialClient {
  private static final String NAMESPACE = "official";

  private interface Call<T> {
    T ask() throws ApiException;
  }

  private static void show(String what, Object value) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("what", what);
    line.put("value", value);
    System.out.println(JSON.serialize(line));
  }

  /** What a call is answered, be it an error. */
  private static <T> T asked(String what, Call<T> call) {
    try {
      T value = call.ask();
      show(what, value);
      return value;
    } catch (ApiException refused) {
      show(what, Map.of("status", refused.getCode(), "body", body(refused)));
    } catch (IllegalArgumentException strange) {
      // This client expects a Binding where servers answer with a Status.
      show(what, strange.getMessage());
    }
    return null;
  }

  private static Object body(ApiException refused) {
    try {
      return JsonParser.parseString(refused.getResponseBody());
    } catch (RuntimeException noJson) {
      return String.valueOf(refused.getResponseBody());
    }
  }

  private static V1ConfigMap configMap(String name, Map<String, String> data) {
    return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).putLabelsItem("o", "1")).data(data);
  }

  private static void next(String what, BlockingQueue<Object> events) throws InterruptedException {
    Object event = events.poll(30, TimeUnit.SECONDS);
    show(what, event == null ? "nothing within 30 seconds" : event);
  }

  private static void writes(ApiClient client, CoreV1Api core) {
    asked("create", () -> core.createNamespacedConfigMap(NAMESPACE, configMap("app", Map.of("a", "1"))).execute());
    asked("create again", () -> core.createNamespacedConfigMap(NAMESPACE, configMap("app", Map.of("a", "1"))).execute());
    asked("a name that is none", () -> core.createNamespacedConfigMap(NAMESPACE, configMap("A_", Map.of())).execute());
    for (var patch : List.of(
        Map.entry(V1Patch.PATCH_FORMAT_JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]"),
        Map.entry(V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"a\":null}}"),
        Map.entry(V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}"),
        Map.entry(V1Patch.PATCH_FORMAT_APPLY_YAML,
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"app\"},\"data\":{\"c\":\"3\"}}"))) {
      asked(patch.getKey(), () -> PatchUtils.patch(V1ConfigMap.class, () -> core
          .patchNamespacedConfigMap("app", NAMESPACE, new V1Patch(patch.getValue())).fieldManager("java").buildCall(null),
          patch.getKey(), client));
    }
    asked("update of an old version", () -> {
      V1ConfigMap map = configMap("app", Map.of());
      map.getMetadata().resourceVersion("1");
      return core.replaceNamespacedConfigMap("app", NAMESPACE, map).execute();
    });
    asked("dry run", () -> core.createNamespacedConfigMap(NAMESPACE, configMap("dry", Map.of())).dryRun("All").execute());
    asked("what the dry run left", () -> core.readNamespacedConfigMap("dry", NAMESPACE).execute());
    asked("a strict write", () -> core.createNamespacedConfigMap(NAMESPACE, configMap("strict", Map.of("k", "v")))
        .fieldValidation("Strict").execute());
  }

  private static void reads(ApiClient client, CoreV1Api core) {
    asked("list by label", () -> core.listNamespacedConfigMap(NAMESPACE).labelSelector("o in (1)").execute());
    V1ConfigMapList page = asked("first page", () -> core.listNamespacedConfigMap(NAMESPACE).limit(1).execute());
    if (page != null) {
      asked("second page", () -> core.listNamespacedConfigMap(NAMESPACE).limit(1)
          ._continue(page.getMetadata().getContinue()).execute().getItems());
    }
    asked("no continue token", () -> core.listNamespacedConfigMap(NAMESPACE).limit(1)._continue("x").execute());
    asked("version", () -> new VersionApi(client).getCode().execute().getMinor());
    asked("resources of apps", () -> new AppsV1Api(client).getAPIResources().execute());
    asked("access", () -> new AuthorizationV1Api(client).createSelfSubjectAccessReview(new V1SelfSubjectAccessReview()
        .spec(new V1SelfSubjectAccessReviewSpec().resourceAttributes(new V1ResourceAttributes().verb("get").resource("pods")
        .namespace(NAMESPACE)))).execute());
    GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> any =
        new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    asked("by the generic client", () -> any.get(NAMESPACE, "app").getObject());
    asked("nothing by the generic client", () -> any.get(NAMESPACE, "nothing").getStatus());
  }

  private static void watches(ApiClient client, CoreV1Api core) throws Exception {
    BlockingQueue<Object> events = new LinkedBlockingQueue<>();
    String since = core.listNamespacedConfigMap(NAMESPACE).execute().getMetadata().getResourceVersion();
    try (Watch<V1ConfigMap> watch = Watch.createWatch(client, core.listNamespacedConfigMap(NAMESPACE).labelSelector("o=1")
        .resourceVersion(since).watch(true).timeoutSeconds(60).buildCall(null),
        new TypeToken<Watch.Response<V1ConfigMap>>() { }.getType())) {
      core.createNamespacedConfigMap(NAMESPACE, configMap("watched", Map.of())).execute();
      for (String label : List.of("2", "1")) {
        V1ConfigMap map = core.readNamespacedConfigMap("watched", NAMESPACE).execute();
        map.getMetadata().putLabelsItem("o", label);
        core.replaceNamespacedConfigMap("watched", NAMESPACE, map).execute();
      }
      core.deleteNamespacedConfigMap("watched", NAMESPACE).execute();
      for (int number = 0; number < 4; ++number) {
        Watch.Response<V1ConfigMap> event = watch.next();
        show("watched", Map.of("type", event.type, "object", event.object));
      }
    }
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
        parameters -> core.listNamespacedConfigMap(NAMESPACE).labelSelector("o=1").resourceVersion(parameters.resourceVersion)
            .timeoutSeconds(parameters.timeoutSeconds).watch(parameters.watch).buildCall(null),
        V1ConfigMap.class, V1ConfigMapList.class);
    informer.addEventHandler(new ResourceEventHandler<>() {
      @Override
      public void onAdd(V1ConfigMap map) {
        events.add(List.of("add", map.getMetadata().getName()));
      }

      @Override
      public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
        events.add(List.of("update", before, after));
      }

      @Override
      public void onDelete(V1ConfigMap map, boolean unknown) {
        events.add(List.of("delete", map));
      }
    });
    factory.startAllRegisteredInformers();
    next("informed: the first of before", events);
    next("informed: the second of before", events);
    core.createNamespacedConfigMap(NAMESPACE, configMap("informed", Map.of("a", "1"))).execute();
    next("informed: made", events);
    core.replaceNamespacedConfigMap("informed", NAMESPACE, configMap("informed", Map.of("a", "2"))).execute();
    next("informed: changed", events);
    core.deleteNamespacedConfigMap("informed", NAMESPACE).execute();
    next("informed: deleted", events);
    factory.stopAllRegisteredInformers();
  }

  private static void pods(CoreV1Api core) {
    asked("service account", () -> core.createNamespacedServiceAccount(NAMESPACE, new V1ServiceAccount().metadata(
        new V1ObjectMeta().name("default"))).execute());
    // The client sends an empty overhead, which is one of no runtime class.
    asked("pod with an overhead", () -> core.createNamespacedPod(NAMESPACE, new V1Pod().metadata(new V1ObjectMeta()
        .name("web")).spec(new V1PodSpec().automountServiceAccountToken(false).addContainersItem(new V1Container().name("c")
        .image("x")))).execute());
    asked("pod", () -> core.createNamespacedPod(NAMESPACE, new V1Pod().metadata(new V1ObjectMeta().name("web")).spec(
        new V1PodSpec().overhead(null).automountServiceAccountToken(false).addContainersItem(new V1Container().name("c")
        .image("x")))).execute());
    asked("binding", () -> core.createNamespacedPodBinding("web", NAMESPACE, new V1Binding().metadata(new V1ObjectMeta()
        .name("web")).target(new V1ObjectReference().kind("Node").name("b"))).execute());
    asked("binding again", () -> core.createNamespacedPodBinding("web", NAMESPACE, new V1Binding().metadata(new V1ObjectMeta()
        .name("web")).target(new V1ObjectReference().kind("Node").name("a"))).execute());
    asked("pods of a node", () -> core.listPodForAllNamespaces().fieldSelector("spec.nodeName=b").execute());
    asked("eviction", () -> core.createNamespacedPodEviction("web", NAMESPACE, new V1Eviction().metadata(new V1ObjectMeta()
        .name("web")).deleteOptions(new V1DeleteOptions().gracePeriodSeconds(0L))).execute());
    asked("log of no pod", () -> core.readNamespacedPodLog("nothing", NAMESPACE).execute());
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new FileReader(arguments[0]))).build();
    client.setHttpClient(client.getHttpClient().newBuilder().readTimeout(Duration.ZERO).build());
    CoreV1Api core = new CoreV1Api(client);
    asked("namespace", () -> core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE))).execute()
        .getMetadata());
    writes(client, core);
    reads(client, core);
    watches(client, core);
    pods(core);
    asked("delete", () -> core.deleteNamespacedConfigMap("app", NAMESPACE).propagationPolicy("Background").execute());
    asked("delete collection", () -> core.deleteCollectionNamespacedConfigMap(NAMESPACE).labelSelector("o=1").execute());
    asked("delete of nothing", () -> core.deleteNamespacedConfigMap("app", NAMESPACE).execute());
    System.exit(0);
  }
}
