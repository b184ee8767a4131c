#include "harness/cli/site/site.h"

#include "harness/built_in/built_in_scenarios.h"
#include "harness/certify/gzip.h"
#include "harness/cli/site/site_page.h"
#include "harness/cli/site/site_writers.h"
#include "reference/encoding/base64.h"

namespace nodebound::data {
/// The guides as HTML, and the files of `assets/`.
std::string_view packed_site();
}  // namespace nodebound::data

namespace nodebound::cli {

namespace {

std::string release_options(const SiteModel& model) {
  std::string out;
  for (auto minor = model.minors.rbegin(); minor != model.minors.rend(); ++minor) {
    out += "<option>" + minor->minor_text() + "</option>";
  }
  return out;
}

std::string first_page(const SiteModel& model, bool with_library) {
  return R"(<h1>Does a Kubernetes control plane keep a node within its bounds?</h1>
<section class="ask"><h2>Why was this refused?</h2>
<label for="refusal">Paste a refusal from a log, the whole line. It stays in this page.</label>
<textarea id="refusal" rows="4" spellcheck="false" autocomplete="off" placeholder="nodes is forbidden: User &quot;system:node:a&quot; cannot list resource &quot;nodes&quot; … node 'a' cannot read all nodes, only its own Node object"></textarea>
<div id="matches" role="status" aria-live="polite"></div></section>
<section class="ask"><h2>May a node do this?</h2>
<div class="row"><div><label for="question">A verb and a resource, and more words to narrow it</label>
<input id="question" type="search" autocomplete="off" placeholder="list nodes"></div>
<div><label for="release">Release</label><select id="release">)" +
         release_options(model) + R"(</select></div></div>
<p class="dim">Answered by the rules alone, at the release's default feature gates, as the scenarios of the suite ask it.
For your own objects: )" +
         (with_library ? "<a href=\"explain.html\">ask with them</a>, in this browser"
                       : "<code>nodebound explain</code>") +
         R"(.</p>
<div id="answers" role="status" aria-live="polite"></div></section>
<p><a href="rules.html">All )" +
         std::to_string(model.rules.size()) +
         R"( rules</a> · <a href="releases.html">what changed with each release</a> ·
<a href="guides/index.html">guides</a></p>
<noscript><p>The two boxes need JavaScript; all other pages do not.</p></noscript>)";
}

std::string explain_page(const SiteModel& model) {
  return R"(<h1>May this request pass, and why?</h1>
<p>Nodebound's reference answers in this page, from the objects that you paste. They stay here: nothing is sent.</p>
<form id="ask" class="ask">
<div class="row"><div><label for="as">Who asks: node:NAME, user:NAME,GROUP, admin or anonymous</label>
<input id="as" required autocomplete="off" spellcheck="false" value="node:a"></div>
<div><label for="release">Release</label><select id="release">)" +
         release_options(model) + R"(</select></div></div>
<div class="row"><div><label for="target">Resource and name, or a path: secrets/db, pods, /healthz</label>
<input id="target" required autocomplete="off" spellcheck="false" placeholder="secrets/db"></div>
<div><label for="verb">Verb</label><input id="verb" required autocomplete="off" spellcheck="false" value="get"></div></div>
<label for="namespace">Namespace; empty: that of the object below, or default</label>
<input id="namespace" autocomplete="off" spellcheck="false">
<label for="objects">What the cluster has, as <code>kubectl get pods,nodes,… -A -o yaml</code> prints it</label>
<textarea id="objects" rows="8" spellcheck="false" autocomplete="off"></textarea>
<label for="body">The object of a create, update or patch</label>
<textarea id="body" rows="4" spellcheck="false" autocomplete="off"></textarea>
<p><button type="submit">Ask</button></p></form>
<div id="answer" role="status" aria-live="polite"></div>
<noscript><p>This page needs JavaScript.</p></noscript>)";
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

Result<SiteFiles> site_files(const Catalogue& catalogue, const std::vector<Scenario>& scenarios,
                             std::string_view library) {
  const Result<SiteModel> model = site_model(catalogue, scenarios);
  if (!model) return tl::unexpected<Error>(model.error());
  SiteFiles out;
  add_guide_pages(out);
  add_rule_pages(out, *model);
  add_release_pages(out, *model);
  out["catalogue.js"] = catalogue_script(*model, scenarios);
  out["index.html"] = site_page({"Ask", "index.html", "", {"elements.js", "catalogue.js", "match.js", "page.js"}},
                                first_page(*model, !library.empty()));
  if (library.empty()) {
    for (const char* unused : {"nodebound.js", "explain.js"}) out.erase(unused);
    return out;
  }
  // A page that comes from a file may load scripts, but no bytes.
  out["library.js"] = "\"use strict\";\nconst packedLibrary = \"" + base64_encode(certify::gzip(library)) + "\";\n";
  SitePage page = {"Explain", "index.html", "", {"elements.js", "library.js", "nodebound.js", "explain.js"}};
  page.runs_library = true;
  out["explain.html"] = site_page(page, explain_page(*model));
  return out;
}

}  // namespace nodebound::cli
