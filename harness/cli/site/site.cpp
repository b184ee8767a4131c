#include "harness/cli/site/site.h"

#include "harness/built_in/built_in_scenarios.h"
#include "harness/cli/site/site_page.h"
#include "harness/cli/site/site_writers.h"

namespace nodebound::data {
/// The guides as HTML, and the files of `assets/`.
std::string_view packed_site();
}  // namespace nodebound::data

namespace nodebound::cli {

namespace {

std::string first_page(const SiteModel& model) {
  std::string releases;
  for (auto minor = model.minors.rbegin(); minor != model.minors.rend(); ++minor) {
    releases += "<option>" + minor->minor_text() + "</option>";
  }
  return R"(<h1>Does a Kubernetes control plane keep a node within its bounds?</h1>
<section class="ask"><h2>Why was this refused?</h2>
<label for="refusal">Paste a refusal from a log, the whole line. It stays in this page.</label>
<textarea id="refusal" rows="4" spellcheck="false" autocomplete="off" placeholder="nodes is forbidden: User &quot;system:node:a&quot; cannot list resource &quot;nodes&quot; … node 'a' cannot read all nodes, only its own Node object"></textarea>
<div id="matches" role="status" aria-live="polite"></div></section>
<section class="ask"><h2>May a node do this?</h2>
<div class="row"><div><label for="question">A verb and a resource, and more words to narrow it</label>
<input id="question" type="search" autocomplete="off" placeholder="list nodes"></div>
<div><label for="release">Release</label><select id="release">)" +
         releases + R"(</select></div></div>
<p class="dim">Answered by the rules alone, at the release's default feature gates, as the scenarios of the suite ask it.
For your own objects: <code>nodebound explain</code>.</p>
<div id="answers" role="status" aria-live="polite"></div></section>
<p><a href="rules.html">All )" +
         std::to_string(model.rules.size()) +
         R"( rules</a> · <a href="releases.html">what changed with each release</a> ·
<a href="guides/index.html">guides</a></p>
<noscript><p>The two boxes need JavaScript; all other pages do not.</p></noscript>)";
}

std::string title_of(const std::string& html) {
  const std::size_t begin = html.find("<h1>");
  const std::size_t end = html.find("</h1>");
  return begin == std::string::npos || end == std::string::npos ? "Guides" : html.substr(begin + 4, end - begin - 4);
}

}  // namespace

void add_guide_pages(SiteFiles& files) {
  for (const auto& [name, content] : built_in::unpacked_files(data::packed_site())) {
    if (name.starts_with("guides/") && name.ends_with(".html")) {
      // The title is HTML already; entities in it would be escaped once more.
      std::string page = site_page({"@title@", "guides/index.html", "../"}, content);
      files[name] = page.replace(page.find("@title@"), 7, title_of(content));
    } else {
      files[name] = content;
    }
  }
}

Result<SiteFiles> site_files(const Catalogue& catalogue, const std::vector<Scenario>& scenarios) {
  const Result<SiteModel> model = site_model(catalogue, scenarios);
  if (!model) return tl::unexpected<Error>(model.error());
  SiteFiles out;
  add_guide_pages(out);
  add_rule_pages(out, *model);
  add_release_pages(out, *model);
  out["catalogue.js"] = catalogue_script(*model, scenarios);
  out["index.html"] = site_page({"Ask", "index.html", "", {"catalogue.js", "match.js", "page.js"}}, first_page(*model));
  return out;
}

}  // namespace nodebound::cli
