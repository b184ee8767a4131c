package nodebound;

import io.fabric8.kubernetes.api.model.*;
import io.fabric8.kubernetes.api.model.authorization.v1.*;
import io.fabric8.kubernetes.client.*;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.dsl.*;
import io.fabric8.kubernetes.client.dsl.base.*;
import io.fabric8.kubernetes.client.extended.leaderelection.*;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.*;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;

/** fabric8's client: writes, and watches what it writes. Prints what it is answered as JSON documents. */
public final class Fabric8Client {
  private static final String NAMESPACE = "fabric8";

  private static void show(String what, Object value) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("what", what);
    line.put("value", value);
    System.out.println(Serialization.asJson(line));
  }

  /** What a call is answered, be it an error. */
  private static <T> T asked(String what, Supplier<T> call) {
    try {
      T value = call.get();
      show(what, value);
      return value;
    } catch (KubernetesClientException refused) {
      show(what, refused.getStatus() == null ? refused.getMessage() : refused.getStatus());
      return null;
    }
  }

  /** What arrives, one after the other. */
  private static final class Seen {
    private final BlockingQueue<Map<String, Object>> events = new LinkedBlockingQueue<>();

    void add(String event, Object... objects) {
      events.add(new LinkedHashMap<>(Map.of("event", event, "objects", List.of(objects))));
    }

    void next(String what) throws InterruptedException {
      Object event = events.poll(30, TimeUnit.SECONDS);
      show(what, event == null ? "nothing within 30 seconds" : event);
    }
  }

  private static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).addToLabels("f", "1").endMetadata().withData(data).build();
  }

  private static void writes(KubernetesClient client) {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    asked("create", () -> maps.resource(configMap("app", Map.of("a", "1"))).create());
    asked("create again", () -> maps.resource(configMap("app", Map.of("a", "1"))).create());
    asked("edit", () -> maps.withName("app").edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build()));
    asked("merge patch", () -> maps.withName("app").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":null}}"));
    asked("strategic patch", () -> maps.withName("app")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"metadata\":{\"annotations\":{\"x\":\"y\"}}}"));
    asked("server-side apply", () -> maps.resource(configMap("applied", Map.of("a", "1"))).serverSideApply());
    asked("server-side apply that conflicts", () -> maps.resource(configMap("applied", Map.of("a", "2")))
        .fieldManager("other").serverSideApply());
    asked("server-side apply by force", () -> maps.resource(configMap("applied", Map.of("a", "2")))
        .fieldManager("other").forceConflicts().serverSideApply());
    asked("dry run", () -> maps.resource(configMap("dry", Map.of())).dryRun().create());
    asked("what the dry run left", () -> maps.withName("dry").get());
    ConfigMap old = maps.withName("applied").get();
    asked("update", () -> maps.resource(new ConfigMapBuilder(old).addToData("u", "1").build()).update());
    asked("update of an old version", () -> maps.resource(new ConfigMapBuilder(old).addToData("u", "2").build())
        .lockResourceVersion(old.getMetadata().getResourceVersion()).update());
    asked("status of a Namespace", () -> client.namespaces().withName(NAMESPACE).get().getStatus());
  }

  private static void reads(KubernetesClient client) {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    asked("list by label", () -> maps.withLabel("f", "1").list());
    asked("list by labels that are not", () -> maps.withLabelNotIn("f", "1", "2").list());
    asked("list by field", () -> maps.withField("metadata.name", "app").list());
    ConfigMapList page = asked("first page", () -> maps.list(new ListOptionsBuilder().withLimit(1L).build()));
    if (page != null) {
      asked("second page", () -> maps.list(new ListOptionsBuilder().withLimit(1L)
          .withContinue(page.getMetadata().getContinue()).build()).getItems());
    }
    asked("too old", () -> maps.list(new ListOptionsBuilder().withResourceVersion("1")
        .withResourceVersionMatch("Exact").build()));
    asked("any kind", () -> client.genericKubernetesResources("v1", "ConfigMap").inNamespace(NAMESPACE).withName("app").get());
    asked("version", () -> client.getKubernetesVersion().getMinor());
    asked("groups that everybody has", () -> client.getApiGroups().getGroups().stream().map(APIGroup::getName)
        .filter(List.of("apps", "batch", "policy", "coordination.k8s.io")::contains).sorted().toList());
    asked("resources of apps", () -> client.getApiResources("apps/v1"));
    asked("support", () -> client.supports(ConfigMap.class));
    asked("access", () -> client.authorization().v1().selfSubjectAccessReview().create(new SelfSubjectAccessReviewBuilder()
        .withNewSpec().withNewResourceAttributes().withVerb("get").withResource("pods").withNamespace(NAMESPACE)
        .endResourceAttributes().endSpec().build()));
  }

  /** fabric8 watches over WebSocket. */
  private static void watches(KubernetesClient client) throws InterruptedException {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    Seen seen = new Seen();
    Watcher<ConfigMap> watcher = new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap map) {
        seen.add(action.name(), map);
      }

      @Override
      public void onClose(WatcherException cause) {
        seen.add("closed", cause.getMessage());
      }
    };
    String since = maps.list().getMetadata().getResourceVersion();
    try (Watch watch = maps.withLabel("f", "1").watch(new ListOptionsBuilder().withResourceVersion(since).build(), watcher)) {
      maps.resource(configMap("watched", Map.of())).create();
      seen.next("watched: made");
      maps.withName("watched").edit(map -> new ConfigMapBuilder(map).addToData("k", "v").build());
      seen.next("watched: changed");
      maps.withName("watched").edit(map -> new ConfigMapBuilder(map).editMetadata().addToLabels("f", "2").endMetadata().build());
      seen.next("watched: no longer selected");
      maps.withName("watched").edit(map -> new ConfigMapBuilder(map).editMetadata().addToLabels("f", "1").endMetadata().build());
      seen.next("watched: selected again");
      maps.withName("watched").delete();
      seen.next("watched: deleted");
    }
    Seen informed = new Seen();
    try (SharedIndexInformer<ConfigMap> informer = maps.withLabel("f", "1").inform(new ResourceEventHandler<>() {
      @Override
      public void onAdd(ConfigMap map) {
        informed.add("add", map.getMetadata().getName());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap after) {
        informed.add("update", before, after);
      }

      @Override
      public void onDelete(ConfigMap map, boolean unknown) {
        informed.add("delete", map);
      }
    })) {
      show("cached", informer.getStore().list().size());
      informed.next("informed: the first of before");
      informed.next("informed: the second of before");
      maps.resource(configMap("informed", Map.of("a", "1"))).create();
      informed.next("informed: made");
      maps.withName("informed").edit(map -> new ConfigMapBuilder(map).addToData("a", "2").build());
      informed.next("informed: changed");
      maps.withName("informed").delete();
      informed.next("informed: deleted");
    }
  }

  private static void pods(KubernetesClient client) {
    var pods = client.pods().inNamespace(NAMESPACE);
    asked("service account", () -> client.serviceAccounts().inNamespace(NAMESPACE).resource(new ServiceAccountBuilder()
        .withNewMetadata().withName("default").endMetadata().build()).create());
    asked("pod", () -> pods.resource(new PodBuilder().withNewMetadata().withName("web").endMetadata().withNewSpec()
        .withAutomountServiceAccountToken(false).addNewContainer().withName("c").withImage("x").endContainer().endSpec()
        .build()).create());
    asked("status of the pod", () -> pods.withName("web").editStatus(pod -> new PodBuilder(pod).editStatus()
        .withPhase("Running").addNewCondition().withType("Ready").withStatus("True").endCondition().endStatus().build()));
    asked("a pod that is ready", () -> pods.withName("web").waitUntilReady(10, TimeUnit.SECONDS).getStatus().getPhase());
    asked("eviction", () -> pods.withName("web").evict());
    asked("the pod that is gone", () -> pods.withName("web").get());
    asked("log of no pod", () -> pods.withName("nothing").getLog());
    asked("a pod without containers", () -> pods.resource(new PodBuilder().withNewMetadata().withName("empty").endMetadata()
        .withNewSpec().endSpec().build()).create());
  }

  private static void leads(KubernetesClient client) throws InterruptedException {
    Seen seen = new Seen();
    LeaderElectionConfig election = new LeaderElectionConfigBuilder().withName("nodebound")
        .withLeaseDuration(Duration.ofSeconds(15)).withRenewDeadline(Duration.ofSeconds(10)).withRetryPeriod(Duration.ofSeconds(2))
        .withLock(new LeaseLock(NAMESPACE, "leader", "one"))
        .withLeaderCallbacks(new LeaderCallbacks(() -> seen.add("leads"), () -> seen.add("leads no more"),
            leader -> seen.add("leader", leader))).build();
    CompletableFuture<?> running = client.leaderElector().withConfig(election).build().start();
    Set<String> heard = new TreeSet<>();
    while (heard.size() < 2) {
      Map<String, Object> event = seen.events.poll(30, TimeUnit.SECONDS);
      heard.add(String.valueOf(event));
    }
    show("elected", heard);
    running.cancel(true);
    asked("lease", () -> client.leases().inNamespace(NAMESPACE).withName("leader").get());
  }

  public static void main(String[] arguments) throws Exception {
    var config = io.fabric8.kubernetes.client.Config.fromKubeconfig(new File(arguments[0]));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      asked("namespace", () -> client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE)
          .endMetadata().build()).create().getMetadata());
      writes(client);
      reads(client);
      watches(client);
      pods(client);
      leads(client);
      asked("delete", () -> client.configMaps().inNamespace(NAMESPACE).withName("app").delete());
      asked("delete collection", () -> client.configMaps().inNamespace(NAMESPACE).withLabel("f", "1").delete());
      asked("delete of nothing", () -> client.configMaps().inNamespace(NAMESPACE).withName("app").delete());
    }
    System.exit(0);
  }
}
