#include "fakes/apiserver/write/fields/applied.h"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(server_side_apply)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

Object json(const char* text) {
  return Object::parse(text);
}

ValueType type_of(const Object& object) {
  return ValueType::of_kind({"", "v1", object.contains("data") ? "ConfigMap" : "Pod"});
}

Applier applier_named(const Object& configuration, const char* manager) {
  return {{type_of(configuration), manager, "v1", "", "2026-01-01T00:00:00Z"}};
}

Applied apply(const Object& live, const char* configuration, const char* manager, bool force = false) {
  Applier applier = applier_named(json(configuration), manager);
  applier.force = force;
  return applied(live, json(configuration), applier);
}

Object without_owners(Object object) {
  if (object.contains("metadata")) object["metadata"].erase("managedFields");
  if (member(object, "metadata").empty()) object.erase("metadata");
  return object;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_has_no_type_is_owned_as_a_whole) {
  const Applier applier{{ValueType::of_kind({"apps", "v1", "ControllerRevision"}), "m", "apps/v1", "", "now"}};
  const Applied made = applied(Object::object(), json(R"({"data":{"a":{"b":1}},"revision":1})"), applier);
  BOOST_TEST(made.object["metadata"]["managedFields"][0]["fieldsV1"] == json(R"({"f:data":{},"f:revision":{}})"));
}

BOOST_AUTO_TEST_CASE(what_is_applied_is_owned) {
  const Applied made = apply(Object::object(), R"({"kind":"ConfigMap","metadata":{"name":"a","labels":{"l":"1"}},
                                                   "data":{"x":"1"}})",
                             "one");
  BOOST_TEST(made.object["data"] == json(R"({"x":"1"})"));
  BOOST_TEST(made.object["metadata"]["managedFields"] ==
             json(R"([{"manager":"one","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z",
                       "fieldsType":"FieldsV1",
                       "fieldsV1":{"f:data":{"f:x":{}},"f:metadata":{"f:labels":{"f:l":{}}}}}])"));
}

BOOST_AUTO_TEST_CASE(what_is_not_applied_any_more_goes) {
  Applied made = apply(Object::object(), R"({"data":{"x":"1","y":"2"}})", "one");
  made.object["data"]["other"] = "3";
  const Applied again = apply(made.object, R"({"data":{"x":"4"}})", "one");
  BOOST_TEST(without_owners(again.object) == json(R"({"data":{"x":"4","other":"3"}})"));
}

BOOST_AUTO_TEST_CASE(what_another_applied_too_stays) {
  const Applied first = apply(Object::object(), R"({"data":{"x":"1","y":"2"}})", "one");
  const Applied second = apply(first.object, R"({"data":{"x":"1","z":"3"}})", "two");
  BOOST_TEST(second.conflicts.empty());
  const Applied third = apply(second.object, R"({"data":{"y":"2"}})", "one");
  BOOST_TEST(without_owners(third.object) == json(R"({"data":{"x":"1","y":"2","z":"3"}})"));
  const Applied fourth = apply(third.object, R"({"data":{"z":"3"}})", "two");
  BOOST_TEST(without_owners(fourth.object) == json(R"({"data":{"y":"2","z":"3"}})"));
}

BOOST_AUTO_TEST_CASE(another_value_than_the_owners_is_a_conflict) {
  const Applied first = apply(Object::object(), R"({"data":{"x":"1","y":"2"}})", "one");
  const Applied second = apply(first.object, R"({"data":{"x":"9","y":"8"}})", "two");
  BOOST_REQUIRE(second.conflicts.size() == 2U);
  const Object status = Object::parse(apply_conflict(second.conflicts).body);
  BOOST_TEST(text(status, "message") == "Apply failed with 2 conflicts: conflicts with \"one\":\n- .data.x\n- .data.y");
  BOOST_TEST(status["code"] == 409);
  BOOST_TEST(status["details"]["causes"][0] ==
             json(R"({"reason":"FieldManagerConflict","message":"conflict with \"one\"","field":".data.x"})"));
  const Applied one = apply(first.object, R"({"data":{"x":"9"}})", "two");
  BOOST_TEST(text(Object::parse(apply_conflict(one.conflicts).body), "message") ==
             "Apply failed with 1 conflict: conflict with \"one\": .data.x");
}

BOOST_AUTO_TEST_CASE(force_takes_the_field_and_its_ownership) {
  const Applied first = apply(Object::object(), R"({"data":{"x":"1","y":"2"}})", "one");
  const Applied second = apply(first.object, R"({"data":{"x":"9"}})", "two", true);
  BOOST_TEST(second.conflicts.empty());
  BOOST_TEST(without_owners(second.object) == json(R"({"data":{"x":"9","y":"2"}})"));
  // The first owner gives up its remaining fields, and nothing else.
  const Applied third = apply(second.object, R"({"metadata":{"labels":{"a":"b"}}})", "one");
  BOOST_TEST(third.object["data"] == json(R"({"x":"9"})"));
}

BOOST_AUTO_TEST_CASE(items_with_a_key_are_owned_one_by_one) {
  const Applied first = apply(Object::object(), R"({"spec":{"containers":[{"name":"a","image":"x"}]}})", "one");
  const Applied second = apply(first.object, R"({"spec":{"containers":[{"name":"b","image":"y"}]}})", "two");
  BOOST_TEST(second.conflicts.empty());
  BOOST_TEST(second.object["spec"]["containers"].size() == 2U);
  const Applied conflict = apply(second.object, R"({"spec":{"containers":[{"name":"a","image":"z"}]}})", "two");
  BOOST_REQUIRE(conflict.conflicts.size() == 1U);
  BOOST_TEST(conflict.conflicts[0].field == ".spec.containers[name=\"a\"].image");
  const Applied third = apply(second.object, R"({"spec":{"hostname":"h"}})", "two");
  BOOST_TEST(third.object["spec"]["containers"] == json(R"([{"name":"a","image":"x"}])"));
}

BOOST_AUTO_TEST_CASE(another_write_takes_the_field_from_who_applied_it) {
  const Applied first = apply(Object::object(), R"({"data":{"x":"1","y":"2"}})", "one");
  Object changed = first.object;
  changed["data"]["x"] = "5";
  record_update(applier_named(changed, "three").writer, Tracked::appliers, first.object, changed);
  const Applied second = apply(changed, R"({"data":{"x":"7"}})", "two");
  BOOST_TEST(second.conflicts.empty());
  BOOST_TEST(without_owners(second.object)["data"] == json(R"({"x":"7","y":"2"})"));
}

BOOST_AUTO_TEST_CASE(ports_are_told_apart_by_their_protocol_too) {
  const auto container = [](const char* ports) {
    return std::string(R"({"spec":{"containers":[{"name":"a","ports":)") + ports + "}]}}";
  };
  const Applied first = apply(Object::object(), container(R"([{"containerPort":1}])").c_str(), "one");
  const Applied second = apply(first.object,
                               container(R"([{"containerPort":1,"protocol":"UDP"},
                                        {"containerPort":1,"protocol":"TCP","name":"n"}])")
                                   .c_str(),
                               "one");
  BOOST_TEST(second.object["spec"]["containers"][0]["ports"] ==
             json(R"([{"containerPort":1,"protocol":"UDP"},{"containerPort":1,"protocol":"TCP","name":"n"}])"));
}

BOOST_AUTO_TEST_CASE(finalizers_are_owned_one_by_one) {
  const Applied first = apply(Object::object(), R"({"metadata":{"finalizers":["a/b","a/c"]}})", "one");
  BOOST_TEST(first.object["metadata"]["managedFields"][0]["fieldsV1"] ==
             json(R"({"f:metadata":{"f:finalizers":{"v:\"a/b\"":{},"v:\"a/c\"":{}}}})"));
  const Applied second = apply(first.object, R"({"metadata":{"finalizers":["a/c","a/d"]}})", "two");
  BOOST_TEST(second.conflicts.empty());
  const Applied third = apply(second.object, R"({"metadata":{"finalizers":["a/e"]}})", "one");
  BOOST_TEST(third.object["metadata"]["finalizers"] == json(R"(["a/c","a/d","a/e"])"));
}

BOOST_AUTO_TEST_CASE(what_is_left_empty_goes_with_its_last_field) {
  const Applied first =
      apply(Object::object(), R"({"metadata":{"labels":{"a":"b"}},"spec":{"x":{"y":1},"z":{}}})", "one");
  const Applied second = apply(first.object, R"({"spec":{"z":{}}})", "one");
  BOOST_TEST(without_owners(second.object) == json(R"({"spec":{"z":{}}})"));
}

BOOST_AUTO_TEST_CASE(nothing_that_is_applied_is_a_directive) {
  const Applied made =
      apply(json(R"({"data":{"x":"1"}})"), R"({"data":{"$patch":"delete"},"$retainKeys":["y"]})", "one");
  BOOST_TEST(without_owners(made.object) == json(R"({"data":{"$patch":"delete","x":"1"},"$retainKeys":["y"]})"));
}

BOOST_AUTO_TEST_CASE(what_is_nobodys_goes_with_the_last_owned_field_beside_it) {
  const auto again = [](const char* live, const char* first) {
    const Applied made = apply(json(live), first, "one");
    Applier applier{{ValueType::of_kind({"", "v1", "Node"}), "one", "v1", "", ""}};
    applier.nobodys = {{"f:spec", "f:taints"}};
    return without_owners(applied(made.object, json("{}"), applier).object);
  };
  const char* cordon = R"({"spec":{"unschedulable":true}})";
  BOOST_TEST(again(R"({"spec":{"taints":[{"key":"a"}]}})", cordon) == json("{}"));
  BOOST_TEST(again(R"({"spec":{"taints":[{"key":"a"}],"podCIDR":"b"}})", cordon) ==
             json(R"({"spec":{"taints":[{"key":"a"}],"podCIDR":"b"}})"));
  BOOST_TEST(again(R"({"spec":{"taints":[{"key":"a"}]}})", R"({"metadata":{"labels":{"c":"d"}}})") ==
             json(R"({"spec":{"taints":[{"key":"a"}]}})"));
}

BOOST_AUTO_TEST_CASE(items_come_in_the_order_in_which_they_are_applied) {
  const auto merged = [](const std::string& live, const std::string& configuration) {
    const auto list = [](const std::string& names) {
      Object items = Object::array();
      for (const char name : names) items.push_back({{"name", std::string(1, name)}, {"image", "i"}});
      return Object{{"spec", {{"containers", items}}}};
    };
    const Applied made = applied(list(live), list(configuration), applier_named(Object(), "one"));
    std::string out;
    for (const Object& item : made.object["spec"]["containers"]) out += text(item, "name");
    return out;
  };
  BOOST_TEST(merged("ab", "ba") == "ba");
  BOOST_TEST(merged("", "ba") == "ba");
  BOOST_TEST(merged("abc", "x") == "abcx");
  BOOST_TEST(merged("abc", "cb") == "acb");
  BOOST_TEST(merged("axb", "ba") == "xba");
  BOOST_TEST(merged("axbyc", "cza") == "xbycza");
  BOOST_TEST(merged("abc", "xbz") == "axbcz");
  BOOST_TEST(merged("abcd", "dcba") == "dcba");
  BOOST_TEST(merged("axbyc", "cyxa") == "bcyxa");
  BOOST_TEST(merged("abcde", "xeyb") == "acdxeyb");
  BOOST_TEST(merged("pqabrs", "bta") == "pqbrsta");
}

BOOST_AUTO_TEST_CASE(what_is_applied_through_a_subresource_is_owned_apart) {
  const Applied first = apply(Object::object(), R"({"spec":{"x":"1"}})", "one");
  Applier through = applier_named(Object(), "one");
  through.writer.subresource = "status";
  const Applied second = applied(first.object, json(R"({"spec":{"y":"2"}})"), through);
  BOOST_TEST(second.object["spec"] == json(R"({"x":"1","y":"2"})"));
  BOOST_REQUIRE(second.object["metadata"]["managedFields"].size() == 2U);
  BOOST_TEST(second.object["metadata"]["managedFields"][1]["subresource"] == "status");
  const Applied third = apply(second.object, R"({"spec":{"y":"3"}})", "one");
  BOOST_REQUIRE(third.conflicts.size() == 1U);
  BOOST_TEST(text(Object::parse(apply_conflict(third.conflicts).body), "message") ==
             "Apply failed with 1 conflict: conflict with \"one\" with subresource \"status\": .spec.y");
}

BOOST_AUTO_TEST_CASE(what_was_applied_empty_goes_only_if_it_still_is) {
  const Applied empty = apply(json(R"({"spec":{"x":"1"}})"), R"({"spec":{},"data":{},"list":[]})", "one");
  const Applied again = apply(empty.object, "{}", "one");
  BOOST_TEST(without_owners(again.object) == json(R"({"spec":{"x":"1"}})"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_that_way_is_not_owned) {
  Applier main = applier_named(Object(), "one");
  main.writer.reset = {{"f:status"}};
  const Applied made = applied(Object::object(), json(R"({"spec":{"x":"1"},"status":{"y":"2"}})"), main);
  BOOST_TEST(made.object["status"] == json(R"({"y":"2"})"));
  BOOST_TEST(made.object["metadata"]["managedFields"][0]["fieldsV1"] == json(R"({"f:spec":{"f:x":{}}})"));
  Applier status = applier_named(Object(), "one");
  status.writer.subresource = "status";
  status.writer.reset = {{"f:spec"}};
  const Applied other = applied(made.object, json(R"({"spec":{"x":"3"},"status":{"y":"2"}})"), status);
  BOOST_TEST(other.conflicts.empty());
}

BOOST_AUTO_TEST_SUITE_END()
