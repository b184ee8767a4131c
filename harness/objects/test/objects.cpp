#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "harness/objects/cluster_file.h"
#include "harness/objects/document.h"
#include "harness/objects/input_file.h"

BOOST_AUTO_TEST_SUITE(objects)

using namespace nodebound;

namespace {

// The value of the only document.
Object value_of(std::string_view text) {
  const Result<std::vector<Document>> read = read_documents(text, "f.yaml");
  BOOST_REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
  BOOST_REQUIRE(read->size() == 1U);
  return read->front().value;
}

std::string mistake_in(std::string_view text) {
  const Result<std::vector<Document>> read = read_documents(text, "f.yaml");
  return read ? "" : read.error().text();
}

std::string mistake_in_cluster(std::string_view text) {
  const Result<std::vector<ClusterObject>> read = read_cluster_objects(text, "f.yaml");
  return read ? "" : read.error().text();
}

bool begins(const std::string& text, std::string_view with) {
  return text.starts_with(with);
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// `resource namespace/name` of each object.
std::vector<std::string> keys_of(std::string_view text) {
  const Result<std::vector<ClusterObject>> read = read_cluster_objects(text, "f.yaml");
  BOOST_REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
  std::vector<std::string> keys;
  for (const ClusterObject& entry : *read) {
    keys.push_back(entry.key.resource + " " + entry.key.namespace_ + "/" + entry.key.name);
  }
  return keys;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(documents)

BOOST_AUTO_TEST_CASE(plain_scalars_have_the_types_of_the_core_schema) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"true", "true"},
      {"False", "false"},
      {"null", "null"},
      {"~", "null"},
      {"", "null"},
      {"123", "123"},
      {"-5", "-5"},
      {"+5", "5"},
      {"0123", "123"},
      {"0o17", "15"},
      {"0x1F", "31"},
      {"1.5", "1.5"},
      {"-1e3", "-1000"},
      {".5", "0.5"},
      {"5.", "5.0"},
      {"yes", "\"yes\""},
      {"on", "\"on\""},
      {"n", "\"n\""},
      {"1_0", "\"1_0\""},
      {"1.2.3", "\"1.2.3\""},
      {"0x", "\"0x\""},
      {"-", "[null]"},
      {".", "\".\""},
      {"1e", "\"1e\""},
      {"-0x1", "\"-0x1\""},
      {"2026-01-01T00:00:00Z", "\"2026-01-01T00:00:00Z\""},
      {"18446744073709551615", "18446744073709551615"},
  };
  for (const auto& [yaml, json] : rows) {
    const Object value = value_of(std::string("k:\n  ") + yaml + "\n");
    BOOST_TEST(member(value, "k") == Object::parse(json), yaml << " became " << member(value, "k").dump());
  }
}

BOOST_AUTO_TEST_CASE(quoted_and_block_scalars_and_keys_are_text) {
  const Object value = value_of("a: '123'\nb: \"true\"\nc: !!str null\n8080: x\nd: |\n  1\ntrue: y\n");
  BOOST_TEST(value == Object::parse(R"({"a":"123","b":"true","c":"null","8080":"x","d":"1\n","true":"y"})"));
}

BOOST_AUTO_TEST_CASE(json_is_read_as_json) {
  BOOST_TEST(value_of("\n {\"a\": [1, 2.5, null, \"\\ud83d\\ude00\"]}") == Object::parse(R"({"a":[1,2.5,null,"😀"]})"));
  BOOST_TEST(value_of("\xEF\xBB\xBF{}") == Object::object());
  const auto two = read_documents("{\"a\": 1}\n\n{\"a\":\n 2}", "f.json");
  BOOST_REQUIRE(two);
  BOOST_REQUIRE(two->size() == 2U);
  BOOST_TEST(two->back().value == Object::parse(R"({"a": 2})"));
  BOOST_TEST(two->back().line == 3);
}

BOOST_AUTO_TEST_CASE(documents_and_items_know_their_lines) {
  const auto read = read_documents("---\n---\nitems:\n- a: 1\n-\n  b: 2\nother:\n- c\n---\nx: y\n", "f.yaml");
  BOOST_REQUIRE(read);
  BOOST_REQUIRE(read->size() == 2U);
  BOOST_TEST(read->front().line == 3);
  BOOST_TEST(read->front().item_lines == (std::vector{4, 6}));
  BOOST_TEST(read->back().line == 10);
  const auto json = read_documents("{\n\"items\": [\n{},\n\n{}]}", "f.json");
  BOOST_REQUIRE(json);
  BOOST_TEST(json->front().item_lines == (std::vector{3, 5}));
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_line) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"a: 1\nb: [1\n", "f.yaml:3: is not valid YAML"},
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3: the key \"a\" is here twice"},
      {"a: &x 1\nb: *x\n", "f.yaml:2: is an alias"},
      {"a: .inf\n", "f.yaml:1: \".inf\" is no number"},
      {"a: 1\nb: !!binary aGk=\n", "f.yaml:2: has the tag tag:yaml.org,2002:binary"},
      {"? [a]\n: b\n", "f.yaml:1: expected text as a key"},
      {"~: b\n", "f.yaml:1: expected text as a key"},
      {"a: 1\nb: \xC3(\n", "f.yaml:2: is not UTF-8"},
      {std::string("a: 1\nb: \0c\n", 10), "f.yaml:2: has a control character"},
      {"a: 1\n\x04\nb: 2\n", "f.yaml:2: has a control character"},
      {"{\"a\": 1,\n\"a\": 2}", "f.yaml:2: the key \"a\" is here twice"},
      {"{\"a\": 1,\n", "f.yaml:2: is not valid JSON: syntax error"},
      {"{\"a\": 1}\n}", "f.yaml:2: is not valid JSON: syntax error"},
      {"{\"a\":\n1e999}", "f.yaml:2: is not valid JSON"},
  };
  for (const auto& [text, expected] : rows) {
    const std::string told = mistake_in(text);
    BOOST_TEST(begins(told, expected), text << " gave " << told);
  }
}

BOOST_AUTO_TEST_CASE(depth_and_aliases_cannot_exhaust_anything) {
  const std::string deep = "is nested deeper than 200 levels";
  for (const std::string& text :
       {repeated("[", 100000), repeated("{a: ", 100000), repeated("- ", 100000), "{\"a\":" + repeated("[", 100000),
        repeated("? ", 100000), repeated("{\"a\":", 100000)}) {
    const std::string told = mistake_in(text);
    BOOST_TEST(!told.empty(), text.substr(0, 8));
  }
  BOOST_TEST(mistake_in(repeated("[", 201) + repeated("]", 201)).find(deep) != std::string::npos);
  BOOST_TEST(mistake_in(repeated("[", 200) + repeated("]", 200)).empty());
  BOOST_TEST(mistake_in("{\"a\":" + repeated("[", 200) + repeated("]", 200) + "}").find(deep) != std::string::npos);
  std::string laughs = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    laughs += std::string(1, c) + ": &" + c + " [" + before + ", " + before + "]\n";
  }
  BOOST_TEST(begins(mistake_in(laughs), "f.yaml:2: is an alias"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cluster_files)

BOOST_AUTO_TEST_CASE(lists_streams_and_single_objects_are_read) {
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n";
  const std::vector<std::string> one = {"pods shop/web"};
  BOOST_TEST(keys_of(pod) == one);
  BOOST_TEST(keys_of("---\n" + pod + "---\n") == one);
  BOOST_TEST(keys_of("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: a}}\n"
                     "- {apiVersion: v1, kind: Secret, metadata: {name: db}}\n") ==
             (std::vector<std::string>{"nodes /a", "secrets default/db"}));
  BOOST_TEST(keys_of("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"web\","
                     "\"namespace\":\"shop\"}}]}") == one);
  BOOST_TEST(keys_of("apiVersion: v1\nkind: List\nitems: []\n").empty());
}

BOOST_AUTO_TEST_CASE(only_the_group_of_an_api_version_counts) {
  BOOST_TEST(keys_of("apiVersion: storage.k8s.io/v1beta7\nkind: CSINode\nmetadata: {name: a, namespace: x}\n") ==
             std::vector<std::string>{"csinodes /a"});
  BOOST_TEST(keys_of("apiVersion: example.com/v1\nkind: Pod\nmetadata: {name: a}\n").empty());
}

BOOST_AUTO_TEST_CASE(an_object_that_is_none_is_told_with_its_line) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", "f.yaml: has no objects"},
      {"just text", "f.yaml:1: expected an object"},
      {"- a\n", "f.yaml:1: expected an object"},
      {"apiVersion: v1\nmetadata: {name: x}\n", "f.yaml:1: an object without kind"},
      {"kind: Pod\nmetadata: {name: x}\n", "f.yaml:1: an object without apiVersion"},
      {"apiVersion: v1\nkind: 7\n", "f.yaml:1: an object whose kind is not text"},
      {"apiVersion: a/b/c\nkind: Pod\nmetadata: {name: x}\n", "f.yaml:1: the apiVersion"},
      {"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n- 7\n",
       "f.yaml:4: an object without metadata.name"},
      {"apiVersion: v1\nkind: List\nitems:\n- null\n", "f.yaml:4: expected an object"},
      {"apiVersion: v1\nkind: List\nitems: 7\n", "f.yaml:1: a List whose items are no list"},
  };
  for (const auto& [text, expected] : rows) {
    const std::string told = mistake_in_cluster(text);
    BOOST_TEST(begins(told, expected), text << " gave " << told);
  }
}

BOOST_AUTO_TEST_CASE(of_two_objects_with_one_key_the_later_counts) {
  const auto objects = read_cluster_objects(
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, uid: u}, spec: {nodeName: a, serviceAccountName: "
      "x}}\n"
      "---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, uid: u}, spec: {nodeName: a, serviceAccountName: "
      "y}}\n",
      "f.yaml");
  BOOST_REQUIRE(objects);
  const RuleSet rules(Catalogue::built_in(), *Release::make(Catalogue::built_in(), {1, 36, 3}, {}));
  Cluster cluster(rules);
  BOOST_REQUIRE(load(*objects, cluster));
  BOOST_TEST(cluster.graph().leads(ObjectKind::serviceaccount, "n", "y", "a"));
  BOOST_TEST(!cluster.graph().leads(ObjectKind::serviceaccount, "n", "x", "a"));
}

// A source may return as little as it likes: one byte, half a character.
BOOST_AUTO_TEST_CASE(a_text_may_come_in_pieces_of_any_size) {
  const std::string yaml =
      "\xEF\xBB\xBF"
      "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: käse}\n"
      "- apiVersion: v1\n  kind: Node\n  metadata: {name: a}\nkind: List\n";
  const std::string json =
      "{\"items\":[{\"metadata\":{\"name\":\"käse\"}},\n{\"kind\":\"Node\",\"apiVersion\":\"v1\","
      "\"metadata\":{\"name\":\"a\"}}],\"kind\":\"SecretList\",\"apiVersion\":\"v1\"}";
  for (const std::string& text : {yaml, json}) {
    for (const std::size_t size : {1UL, 2UL, 3UL, 7UL, 1000UL}) {
      std::size_t at = 0;
      const TextSource source = [&](char* to, std::size_t most) {
        const std::size_t given = std::min({size, most, text.size() - at});
        std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), given, to);
        at += given;
        return given;
      };
      const auto read = read_cluster_objects(source, "f", nullptr);
      BOOST_REQUIRE_MESSAGE(read, (read ? "" : read.error().text()));
      BOOST_REQUIRE(read->size() == 2U);
      BOOST_TEST(read->front().key.name == "käse");
      BOOST_TEST(read->back().key.resource == "nodes");
      BOOST_TEST(read->back().where == (text == yaml ? "f:6" : "f:2"));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_long_text_is_checked_to_its_end) {
  std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n";
  for (int i = 0; i < 20000; ++i) text += "  k" + std::to_string(i) + ": ä€😀\n";
  BOOST_TEST(mistake_in(text).empty());
  BOOST_TEST(mistake_in(text + "  bad: \xC3(\n") ==
             "f.yaml:20005: is not UTF-8\n  expected YAML or JSON text in UTF-8");
  BOOST_TEST(begins(mistake_in(text + "  bad: \xE2\x82"), "f.yaml:20005: is not UTF-8"));
  BOOST_TEST(begins(mistake_in(text + "  bad: \x01\n"), "f.yaml:20005: has a control character"));
}

BOOST_AUTO_TEST_CASE(who_reads_a_cluster_says_what_is_kept) {
  std::vector<std::string> seen;
  const auto read = read_cluster_objects(
      source_of("apiVersion: v1\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: a, labels: {x: y}}}\n"
                "- {apiVersion: v1, kind: Node, metadata: {name: b}}\nkind: List\n"),
      "f.yaml", [&](ClusterObject& entry) {
        seen.push_back(entry.key.name);
        entry.object["metadata"].erase("labels");
        return entry.key.name == "a";
      });
  BOOST_REQUIRE(read);
  BOOST_TEST(seen == (std::vector<std::string>{"a", "b"}));
  BOOST_REQUIRE(read->size() == 1U);
  BOOST_TEST(!read->front().object["metadata"].contains("labels"));
}

// A custom object may have a field named `items` whose elements are no objects.
BOOST_AUTO_TEST_CASE(items_of_what_is_no_list_are_no_objects) {
  BOOST_TEST(keys_of("apiVersion: example.com/v1\nitems:\n- {a: b}\nkind: Menu\nmetadata: {name: x}\n").empty());
}

BOOST_AUTO_TEST_CASE(a_body_is_one_object) {
  BOOST_TEST(*read_body("metadata: {labels: {a: b}}", "b.yaml") ==
             Object::parse(R"({"metadata":{"labels":{"a":"b"}}})"));
  BOOST_TEST(begins(read_body("a: b\n---\nc: d\n", "b.yaml").error().text(), "b.yaml:3: expected one object"));
  BOOST_TEST(begins(read_body("- a\n", "b.yaml").error().text(), "b.yaml:1: expected one object"));
  BOOST_TEST(!read_body("", "b.yaml"));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_told) {
  BOOST_TEST(read_input("/").error().what == "cannot be read: it is a folder");
  BOOST_TEST(read_input("/nonexistent").error().what == "cannot be read: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
