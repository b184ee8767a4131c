#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "fakes/kubelet/kubelet_traits.h"
#include "reference/release/kubelet_trait_ids.h"
#include "reference/test/project_paths.h"

BOOST_AUTO_TEST_SUITE(kubelet_traits)

using namespace nodebound;
using namespace nodebound::fake_kubelet;

namespace {

using T = KubeletTraits;

std::shared_ptr<const KubeletTraits> at(const char* version) {
  return KubeletTraitsTable::built_in().at(Version::parse(version).value()).value();
}

std::string built_in_text() {
  std::ifstream in(project::file("fakes/kubelet/traits.toml"));
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string error_of(const std::string& text) {
  const auto table = KubeletTraitsTable::parse(text);
  return table ? "" : table.error().text();
}

std::string trait(const std::string& name, const std::string& values, const std::string& more = {}) {
  return "[[trait]]\nname = \"" + name + "\"\nsource = [\"x\"]\nvalues = [" + values + "]\n" + more;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t found = text.find(from);
  BOOST_TEST_REQUIRE(found != std::string::npos);
  return text.replace(found, from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_trait_changes_where_the_facts_say) {
  const auto changes = [](const char* before, const char* from, KubeletTrait trait) {
    return at(before)->has(trait) != at(from)->has(trait);
  };
  BOOST_TEST(changes("1.10.13", "1.11.0", KubeletTrait::external_id));
  BOOST_TEST(changes("1.31.14", "1.32.0", KubeletTrait::get_after_forbidden));
  BOOST_TEST(changes("1.7.16", "1.8.0", KubeletTrait::labels_reconciled));
  BOOST_TEST(changes("1.22.17", "1.23.0", KubeletTrait::os_labels_repaired));
  BOOST_TEST(changes("1.30.14", "1.31.0", KubeletTrait::status_gets_node));
  BOOST_TEST(changes("1.15.12", "1.16.0", KubeletTrait::lease_kept));
  BOOST_TEST(changes("1.16.15", "1.17.0", KubeletTrait::lease_needs_owner));
  BOOST_TEST(changes("1.10.13", "1.11.0", KubeletTrait::pod_status_patch));
  BOOST_TEST(changes("1.17.17", "1.18.0", KubeletTrait::pod_status_uid));
  BOOST_TEST(changes("1.16.15", "1.17.0", KubeletTrait::mirror_pod_owner));
  BOOST_TEST(changes("1.15.12", "1.16.0", KubeletTrait::mirror_pod_delete_uid));
  BOOST_TEST(changes("1.18.20", "1.19.0", KubeletTrait::immutable_unwatched));
  BOOST_TEST(changes("1.11.10", "1.12.0", KubeletTrait::token_requests));
  BOOST_TEST(changes("1.20.15", "1.21.0", KubeletTrait::csi_driver_tokens));
  BOOST_TEST(changes("1.31.14", "1.32.0", KubeletTrait::volumeattachments_watch));
  BOOST_TEST(changes("1.34.0", "1.35.0", KubeletTrait::csinode_remade));
  BOOST_TEST(changes("1.21.14", "1.22.0", KubeletTrait::dynamic_config));
  BOOST_TEST(changes("1.33.1", "1.34.0", KubeletTrait::resource_claims));
  BOOST_TEST(changes("1.30.14", "1.31.0", KubeletTrait::resource_slices_removed));
  BOOST_TEST(changes("1.17.17", "1.18.0", KubeletTrait::signing_request_signer));
  BOOST_TEST(changes("1.26.15", "1.27.0", KubeletTrait::signing_request_key_encipherment));
  BOOST_TEST(changes("1.11.10", "1.12.0", KubeletTrait::healthz_probe));
}

BOOST_AUTO_TEST_CASE(a_release_has_what_the_last_change_before_it_says) {
  BOOST_TEST(at("1.13.0")->status_seconds.count() == 10);
  BOOST_TEST(at("1.14.0")->status_seconds.count() == 60);
  BOOST_TEST(at("1.37.0")->status_seconds.count() == 300);
  BOOST_TEST(at("1.13.12")->lease_version == "");
  BOOST_TEST(at("1.15.0")->lease_version == "v1beta1");
  BOOST_TEST(at("1.16.0")->lease_version == "v1");
  BOOST_TEST((at("1.6.13")->configmap_reads == T::Reads::get));
  BOOST_TEST((at("1.6.13")->secret_reads == T::Reads::cache));
  BOOST_TEST((at("1.11.0")->configmap_reads == T::Reads::cache));
  BOOST_TEST((at("1.12.0")->configmap_reads == T::Reads::watch));
  BOOST_TEST((at("1.12.10")->node_labels_check == T::LabelsCheck::none));
  BOOST_TEST((at("1.15.12")->node_labels_check == T::LabelsCheck::warning));
  BOOST_TEST((at("1.16.0")->node_labels_check == T::LabelsCheck::exit));
  BOOST_TEST((at("1.12.0")->csi_annotation == T::CsiAnnotation::update));
  BOOST_TEST((at("1.34.0")->collections == T::Collections::list));
  BOOST_TEST((at("1.35.0")->collections == T::Collections::watch_list));
  BOOST_TEST(at("1.33.1")->resource_claims_version == "v1beta1");
  BOOST_TEST(at("1.36.3")->trust_bundles_version == "");
  BOOST_TEST(at("1.37.0")->trust_bundles_version == "v1");
}

// CL #96810: beta.kubernetes.io/os and arch were left out for four patches.
BOOST_AUTO_TEST_CASE(traits_change_with_patches_too) {
  BOOST_TEST(at("1.18.20")->own_labels.size() == 5U);
  BOOST_TEST(at("1.19.4")->own_labels.size() == 3U);
  BOOST_TEST(at("1.19.5")->own_labels.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_release_that_never_was_has_no_traits) {
  BOOST_TEST(!KubeletTraitsTable::built_in().at({1, 99, 0}));
}

BOOST_AUTO_TEST_CASE(mistakes_in_the_table_have_their_line) {
  const std::string good = built_in_text();
  BOOST_TEST(error_of(good) == "");
  BOOST_TEST(error_of(trait("lease-version", "{since=\"1.6\",value=1}")) ==
             "fakes/kubelet/traits.toml:4:30: expected a string");
  BOOST_TEST(
      error_of(trait("lease-versions", "{since=\"1.6\",value=\"v1\"}")) ==
      "fakes/kubelet/traits.toml:2:8: no trait \"lease-versions\" is left to be told; did you mean \"lease-version\"?");
  BOOST_TEST(error_of(trait("lease-version", "{since=\"1.7\",value=\"v1\"}")) ==
             "fakes/kubelet/traits.toml:1:1: expected a value since the first release");
  BOOST_TEST(error_of(trait("lease-version", "{since=\"1.6\",value=\"v1\"},{since=\"1.6\",value=\"v1\"}")) ==
             "fakes/kubelet/traits.toml:4:36: expected a later release");
  BOOST_TEST(error_of(trait("secret-reads", "{since=\"1.6\",value=\"gets\"}")) ==
             "fakes/kubelet/traits.toml:4:30: expected one of \"get\", \"cache\", \"watch\"");
  BOOST_TEST(error_of(trait("status-seconds", "{since=\"1.6\",value=0}")).find(":4:30: expected a number of seconds") !=
             std::string::npos);
  BOOST_TEST(
      error_of(trait("lease-version", "{since=\"1.6\",value=\"v1\",until=\"1.7\"}")).find("unknown key \"until\"") !=
      std::string::npos);
  BOOST_TEST(error_of(trait("lease-version", "{since=\"1.6\",value=\"v1\"}", "note = \"x\"\n")) ==
             "fakes/kubelet/traits.toml:5:8: unknown key \"note\"; did you mean \"name\"?");
  BOOST_TEST(error_of(replaced(good, "name = \"lease-version\"", "name = \"conditions\"")).find("\"conditions\" is") !=
             std::string::npos);
  BOOST_TEST(error_of("[[trait]]\nname = \"lease-version\"\nvalues = []\n") ==
             "fakes/kubelet/traits.toml:1:1: expected a source");
}

BOOST_AUTO_TEST_CASE(every_trait_has_to_be_told) {
  const std::string error = error_of(trait("lease-version", "{since=\"1.6\",value=\"v1\"}"));
  BOOST_TEST(error.find("expected a trait \"collections\"") != std::string::npos, error);
}

BOOST_AUTO_TEST_SUITE_END()
