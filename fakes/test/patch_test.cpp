#include "fakes/apiserver/write/patch.h"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(patch)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

constexpr std::string_view strategic = strategic_patch;

// The patched object, or `error`.
std::string after(const char* object, std::string_view type, const std::string& patch) {
  const auto result = patched(Object::parse(object), type, patch);
  return result ? result->dump() : "error";
}

std::string json(const char* text) {
  return Object::parse(text).dump();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_patches)

BOOST_AUTO_TEST_CASE(operations_are_done_in_turn) {
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"add","path":"/b","value":2},{"op":"remove","path":"/a"}])") ==
             json(R"({"b":2})"));
  BOOST_TEST(after(R"({"a":[1,3]})", json_patch, R"([{"op":"add","path":"/a/1","value":2}])") ==
             json(R"({"a":[1,2,3]})"));
  BOOST_TEST(after(R"({"a":[1]})", json_patch, R"([{"op":"add","path":"/a/-","value":2}])") == json(R"({"a":[1,2]})"));
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"replace","path":"/a","value":null}])") ==
             json(R"({"a":null})"));
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"move","from":"/a","path":"/b"}])") == json(R"({"b":1})"));
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"copy","from":"/a","path":"/b"}])") == json(R"({"a":1,"b":1})"));
  BOOST_TEST(after(R"({"a":1})", json_patch, "[]") == json(R"({"a":1})"));
}

BOOST_AUTO_TEST_CASE(slashes_and_tildes_in_keys_are_escaped) {
  BOOST_TEST(after(R"({"l":{"a/b":1,"c~d":2}})", json_patch,
                   R"([{"op":"remove","path":"/l/a~1b"},{"op":"remove","path":"/l/c~0d"}])") == json(R"({"l":{}})"));
}

BOOST_AUTO_TEST_CASE(a_test_decides_whether_anything_is_done) {
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"test","path":"/a","value":1},{"op":"remove","path":"/a"}])") ==
             "{}");
  BOOST_TEST(after(R"({"a":1})", json_patch, R"([{"op":"test","path":"/a","value":2},{"op":"remove","path":"/a"}])") ==
             "error");
}

BOOST_AUTO_TEST_CASE(an_api_server_is_less_strict_than_the_specification) {
  BOOST_TEST(after(R"({"a":1})", json_patch, "null") == json(R"({"a":1})"));
  BOOST_TEST(after("{}", json_patch, R"([{"op":"replace","path":"/a","value":1}])") == json(R"({"a":1})"));
  BOOST_TEST(after("{}", json_patch, R"([{"op":"add","path":"/a"}])") == json(R"({"a":null})"));
  BOOST_TEST(after("{}", json_patch, R"([{"op":"copy","from":"/x","path":"/a"}])") == json(R"({"a":null})"));
  BOOST_TEST(after(R"({"l":[1,2]})", json_patch, R"([{"op":"remove","path":"/l/-1"}])") == json(R"({"l":[1]})"));
  BOOST_TEST(after(R"({"l":[1,2]})", json_patch, R"([{"op":"add","path":"/l/-1","value":3}])") ==
             json(R"({"l":[1,2,3]})"));
}

BOOST_AUTO_TEST_CASE(operations_are_limited) {
  const auto patch_of = [](int operations) {
    Object patch = Object::array();
    for (int i = 0; i < operations; ++i) patch.push_back({{"op", "add"}, {"path", "/a"}, {"value", i}});
    return patched(Object::object(), json_patch, patch.dump());
  };
  BOOST_TEST(patch_of(10000).has_value());
  const auto too_many = patch_of(10001);
  BOOST_REQUIRE(!too_many);
  BOOST_TEST(too_many.error().status == 413);
  BOOST_TEST(too_many.error().message ==
             "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001");
}

BOOST_AUTO_TEST_CASE(a_few_copies_cannot_fill_the_memory) {
  Object patch = {{{"op", "add"}, {"path", "/a"}, {"value", Object::array({std::string(1000, 'x')})}}};
  for (int i = 0; i < 40; ++i) patch.push_back({{"op", "copy"}, {"from", "/a"}, {"path", "/a/-"}});
  BOOST_TEST(!patched(Object::object(), json_patch, patch.dump()));
}

BOOST_AUTO_TEST_CASE(what_is_no_patch_is_said_in_the_words_of_an_api_server) {
  const auto error = [](std::string_view type, const char* patch) {
    const auto result = patched(Object::object(), type, patch);
    return result ? std::string("none") : result.error().message;
  };
  const std::string no_operation = "error decoding patch: json: cannot unmarshal ";
  const auto wrong_configuration = [](const char* body) {
    const auto result = read_configuration(body);
    return result ? std::string("none") : result.error().message;
  };
  BOOST_TEST(error(json_patch, "") == "error decoding patch: unexpected end of JSON input");
  BOOST_TEST(error(json_patch, "{}") == no_operation + "object into Go value of type []handlers.jsonPatchOp");
  BOOST_TEST(error(json_patch, "[1]") == no_operation + "number into Go value of type handlers.jsonPatchOp");
  BOOST_TEST(error(json_patch, R"([{"op":1}])") ==
             no_operation + "number into Go struct field jsonPatchOp.op of type string");
  BOOST_TEST(error(merge_patch, "{}x") == "error decoding patch: invalid character 'x' after top-level value");
  BOOST_TEST(error(merge_patch, "null") == "Invalid JSON Patch");
  BOOST_TEST(error(strategic, "[]") == "json: cannot unmarshal array into Go value of type map[string]interface {}");
  BOOST_TEST(wrong_configuration("hello") ==
             "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string into Go "
             "value of type map[string]interface {}");
  BOOST_TEST(wrong_configuration("a: [") ==
             "error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content");
}

BOOST_AUTO_TEST_CASE(what_is_no_patch_is_an_error) {
  for (const char* patch :
       {"", "{", "{}", "7", R"("x")", "[7]", "[null]", R"([{"op":"fly","path":"/a"}])", R"([{"op":"remove"}])",
        R"([{"op":"remove","path":"/gone"}])", R"([{"op":"remove","path":"a"}])",
        R"([{"op":"add","path":"/a/b/c","value":1}])", R"([{"op":"add","path":"/l/9","value":1}])",
        R"([{"op":"remove","path":"/l/x"}])", R"([{"path":"/a","value":1}])"}) {
    BOOST_TEST(after(R"({"a":1,"l":[]})", json_patch, patch) == "error", patch);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(merge_patches)

BOOST_AUTO_TEST_CASE(maps_are_merged_and_lists_replaced) {
  BOOST_TEST(after(R"({"a":{"b":1,"c":2},"l":[1,2]})", merge_patch, R"({"a":{"c":3},"l":[4]})") ==
             json(R"({"a":{"b":1,"c":3},"l":[4]})"));
  BOOST_TEST(after(R"({"conditions":[{"type":"Ready"}]})", merge_patch, R"({"conditions":[{"type":"Other"}]})") ==
             json(R"({"conditions":[{"type":"Other"}]})"));
}

BOOST_AUTO_TEST_CASE(null_removes) {
  BOOST_TEST(after(R"({"a":{"b":1},"c":2})", merge_patch, R"({"a":null,"d":null})") == json(R"({"c":2})"));
  BOOST_TEST(after(R"({})", merge_patch, R"({"a":{"b":null}})") == json(R"({"a":{}})"));
}

BOOST_AUTO_TEST_CASE(directives_are_plain_keys) {
  BOOST_TEST(after(R"({"a":{"b":1}})", merge_patch, R"({"a":{"$patch":"delete"}})") ==
             json(R"({"a":{"$patch":"delete","b":1}})"));
}

BOOST_AUTO_TEST_CASE(what_is_no_object_is_an_error) {
  for (const char* patch : {"", "{", "[]", "7", "null", R"("x")"})
    BOOST_TEST(after("{}", merge_patch, patch) == "error", patch);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(strategic_patches)

BOOST_AUTO_TEST_CASE(lists_with_a_key_are_merged_by_it) {
  BOOST_TEST(
      after(R"({"status":{"conditions":[{"type":"A","status":"1"},{"type":"B","status":"2"}]}})", strategic,
            R"({"status":{"conditions":[{"type":"B","status":"3"},{"type":"C","status":"4"}]}})") ==
      json(
          R"({"status":{"conditions":[{"type":"A","status":"1"},{"type":"B","status":"3"},{"type":"C","status":"4"}]}})"));
  BOOST_TEST(after(R"({"metadata":{"ownerReferences":[{"uid":"1","name":"a"}]}})", strategic,
                   R"({"metadata":{"ownerReferences":[{"uid":"2","name":"b"}]}})") ==
             json(R"({"metadata":{"ownerReferences":[{"uid":"2","name":"b"},{"uid":"1","name":"a"}]}})"));
  BOOST_TEST(
      after(R"({"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"1"}]}]}})", strategic,
            R"({"spec":{"containers":[{"name":"c","env":[{"name":"B","value":"2"}]}]}})") ==
      json(R"({"spec":{"containers":[{"name":"c","env":[{"name":"B","value":"2"},{"name":"A","value":"1"}]}]}})"));
}

// As kube-apiserver 1.36.3 orders them: those of the patch in its order; others before the first that the list had
// after them.
BOOST_AUTO_TEST_CASE(merged_lists_have_the_order_of_the_patch_and_then_their_own) {
  const auto names = [](std::string_view letters) {
    Object out = Object::array();
    for (const char letter : letters) out.push_back({{"name", std::string(1, letter)}});
    return out;
  };
  const auto merged = [&](std::string_view list, const Object& patch) {
    const auto out = patched(Object{{"containers", names(list)}}, strategic, patch.dump());
    if (!out) return out.error().message;
    std::string letters;
    for (const Object& item : member(*out, "containers")) letters += text(item, "name");
    return letters;
  };
  const auto patch = [&](std::string_view items) { return Object{{"containers", names(items)}}; };
  BOOST_TEST(merged("ab", patch("x")) == "xab");
  BOOST_TEST(merged("ab", patch("xy")) == "xyab");
  BOOST_TEST(merged("ab", patch("bx")) == "abx");
  BOOST_TEST(merged("ab", patch("xb")) == "xab");
  BOOST_TEST(merged("abc", patch("ca")) == "bca");
  BOOST_TEST(merged("abc", patch("b")) == "abc");
  const auto ordered = [&](std::string_view items, std::string_view order) {
    Object out = patch(items);
    out["$setElementOrder/containers"] = names(order);
    return out;
  };
  BOOST_TEST(merged("abc", ordered("x", "cx")) == "abcx");
  BOOST_TEST(merged("abc", ordered("x", "xa")) == "xabc");
  BOOST_TEST(merged("abc", ordered("b", "cba")) == "cba");
  BOOST_TEST(merged("abc", Object{{"$setElementOrder/containers", names("cb")}}) == "acb");
  BOOST_TEST(merged("ab", ordered("xb", "bx")) ==
             "The order in patch list:\n[map[name:x] map[name:b]]\n doesn't match $setElementOrder "
             "list:\n[map[name:b] map[name:x]]\n");
}

BOOST_AUTO_TEST_CASE(lists_without_a_key_are_replaced) {
  BOOST_TEST(after(R"({"spec":{"taints":[{"key":"a"},{"key":"b"}]}})", strategic,
                   R"({"spec":{"taints":[{"key":"c"}]}})") == json(R"({"spec":{"taints":[{"key":"c"}]}})"));
  BOOST_TEST(after(R"({"spec":{"taints":[{"key":"a"}]}})", strategic, R"({"spec":{"taints":[]}})") ==
             json(R"({"spec":{"taints":[]}})"));
}

BOOST_AUTO_TEST_CASE(items_of_a_list_are_deleted_by_directive) {
  BOOST_TEST(after(R"({"metadata":{"ownerReferences":[{"uid":"1"},{"uid":"2"}]}})", strategic,
                   R"({"metadata":{"ownerReferences":[{"$patch":"delete","uid":"1"}]}})") ==
             json(R"({"metadata":{"ownerReferences":[{"uid":"2"}]}})"));
  BOOST_TEST(after(R"({"conditions":[{"type":"A"}]})", strategic,
                   R"({"conditions":[{"$patch":"delete","type":"X"}]})") == json(R"({"conditions":[{"type":"A"}]})"));
}

BOOST_AUTO_TEST_CASE(a_whole_list_is_replaced_by_directive) {
  BOOST_TEST(after(R"({"conditions":[{"type":"A"},{"type":"B"}]})", strategic,
                   R"({"conditions":[{"type":"C"},{"$patch":"replace"}]})") ==
             json(R"({"conditions":[{"type":"C"}]})"));
}

BOOST_AUTO_TEST_CASE(a_whole_map_is_replaced_or_emptied_by_directive) {
  BOOST_TEST(after(R"({"metadata":{"labels":{"a":"1","b":"2"}}})", strategic,
                   R"({"metadata":{"labels":{"$patch":"replace","c":"3"}}})") ==
             json(R"({"metadata":{"labels":{"c":"3"}}})"));
  BOOST_TEST(after(R"({"metadata":{"labels":{"a":"1","b":"2"},"name":"n"}})", strategic,
                   R"({"metadata":{"labels":{"$patch":"delete"}}})") ==
             json(R"({"metadata":{"labels":{},"name":"n"}})"));
}

BOOST_AUTO_TEST_CASE(null_removes) {
  BOOST_TEST(after(R"({"metadata":{"labels":{"a":"1","b":"2"}}})", strategic,
                   R"({"metadata":{"labels":{"a":null}}})") == json(R"({"metadata":{"labels":{"b":"2"}}})"));
  BOOST_TEST(after(R"({})", strategic, R"({"metadata":{"labels":{"a":null,"b":"1"}}})") ==
             json(R"({"metadata":{"labels":{"b":"1"}}})"));
}

BOOST_AUTO_TEST_CASE(other_directives_are_no_fields) {
  BOOST_TEST(after(R"({"spec":{}})", strategic,
                   R"({"spec":{"$setElementOrder/containers":[{"name":"a"}],"$retainKeys":["x"]}})") ==
             json(R"({"spec":{}})"));
}

BOOST_AUTO_TEST_CASE(finalizers_are_united_and_taken_away_by_directive) {
  const char* const held = R"({"metadata":{"finalizers":["a"]}})";
  BOOST_TEST(after(held, strategic, R"({"metadata":{"finalizers":["b"]}})") ==
             json(R"({"metadata":{"finalizers":["b","a"]}})"));
  BOOST_TEST(after(held, strategic, R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})") ==
             json(R"({"metadata":{"finalizers":[]}})"));
  BOOST_TEST(after(held, strategic, R"({"metadata":{"finalizers":["b"],"$setElementOrder/finalizers":["a","b"]}})") ==
             json(R"({"metadata":{"finalizers":["a","b"]}})"));
}

BOOST_AUTO_TEST_CASE(finalizers_that_are_known_keep_their_place) {
  BOOST_TEST(after(R"({"metadata":{"finalizers":["a","b"]}})", strategic, R"({"metadata":{"finalizers":["b","c"]}})") ==
             json(R"({"metadata":{"finalizers":["a","b","c"]}})"));
}

BOOST_AUTO_TEST_CASE(an_order_is_set_and_keys_are_retained) {
  BOOST_TEST(after(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})", strategic,
                   R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})") ==
             json(R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"));
  BOOST_TEST(after(R"({"labels":{"a":"1","b":"2"}})", strategic, R"({"labels":{"$retainKeys":["a"],"a":"9"}})") ==
             json(R"({"labels":{"a":"9"}})"));
  BOOST_TEST(after(R"({"ports":[{"port":80,"name":"x"}]})", strategic, R"({"ports":[{"port":80,"name":"y"}]})") ==
             json(R"({"ports":[{"port":80,"name":"y"}]})"));
}

// As kube-apiserver 1.28.0 and 1.36.3 accept it.
BOOST_AUTO_TEST_CASE(what_the_object_does_not_have_is_taken_as_it_is) {
  BOOST_TEST(after(R"({"status":{}})", strategic, R"({"status":{"conditions":[{"status":"1"},{"status":"2"}]}})") ==
             json(R"({"status":{"conditions":[{"status":"1"},{"status":"2"}]}})"));
  BOOST_TEST(
      after("{}", strategic, R"({"a":{"b":null,"c":[{"$patch":"delete"},{"d":null}]},"e":{"$patch":"replace"}})") ==
      json(R"({"a":{"c":[{}]}})"));
}

// Texts of kube-apiserver 1.36.3.
BOOST_AUTO_TEST_CASE(what_cannot_be_done_is_said_as_upstream) {
  const auto failure = [](std::string_view type, const char* patch) {
    const auto result = patched(Object::parse(R"({"containers":[{"name":"a"}]})"), type, patch);
    return result ? "done" : std::to_string(result.error().status) + " " + result.error().message;
  };
  BOOST_TEST(failure(strategic, R"({"$patch":"foo"})") == "500 unknown patch type: foo in map: map[$patch:foo]");
  BOOST_TEST(failure(strategic, R"({"containers":[{"image":"x"}]})") ==
             "500 map: map[image:x] does not contain declared merge key: name");
  BOOST_TEST(failure(json_patch, "{}") ==
             "400 error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp");
  BOOST_TEST(failure(merge_patch, "{") == "400 error decoding patch: unexpected end of JSON input");
  BOOST_TEST(failure(json_patch, R"([{"op":"remove","path":"/gone"}])") ==
             "422 the server rejected our request due to an error in our request");
}

BOOST_AUTO_TEST_CASE(odd_lists_do_no_harm) {
  for (const char* patch :
       {R"({"conditions":[7,null,"x",[]]})", R"({"conditions":7})", R"({"conditions":{"type":"A"}})",
        R"({"containers":[{}]})", R"({"conditions":[{"$patch":7}]})", R"({"conditions":[{"$patch":"replace"},7]})",
        R"({"$patch":7})"}) {
    for (const char* object : {"{}", R"({"conditions":[{"type":"A"}]})", R"({"conditions":7,"containers":"x"})",
                               R"({"conditions":[7,null]})", "7", "[]"}) {
      BOOST_CHECK_NO_THROW(after(object, strategic, patch));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_patch_of_another_type_is_an_error) {
  for (const char* type : {"", "application/json", "text/plain", "application/JSON-PATCH+json"}) {
    BOOST_TEST(after("{}", type, "{}") == "error", type);
  }
  BOOST_TEST(after("{}", "application/merge-patch+json; charset=utf-8", R"({"a":1})") == json(R"({"a":1})"));
}

BOOST_AUTO_TEST_SUITE_END()
