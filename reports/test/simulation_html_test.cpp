#include <boost/test/unit_test.hpp>
#include <limits>

#include "reports/simulation/simulation_html_parts.h"
#include "reports/test/simulation_sample.h"

BOOST_AUTO_TEST_SUITE(reports_simulation_html)

using namespace nodebound;
using namespace std::chrono_literals;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// Text that a hostile target would put wherever it can.
void spoil(Simulation& simulation, const std::string& bad) {
  simulation.title = simulation.file = simulation.target = bad;
  simulation.run.started = simulation.run.host = simulation.run.tool_version = bad;
  simulation.notes = simulation.not_simulated = {bad};
  for (Simulation::Step& step : simulation.steps) {
    step.what = step.where = bad;
    step.health.pods_lost = {bad};
    for (Simulation::Loss& loss : step.losses) loss.who = loss.cause = loss.advice = bad;
    for (Simulation::Finding& finding : step.findings) {
      finding.who = finding.request = finding.example = finding.reason = finding.rule = finding.statement =
          finding.advice = bad;
      finding.avoided_by = {bad};
    }
  }
  for (Simulation::VersionChange& change : simulation.versions) change.version = bad;
  simulation.versions[0].pool = bad;
  for (Simulation::Slice& slice : simulation.refusals) slice.rule = bad;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_page_begins_with_the_verdict_and_leads_to_what_breaks) {
  const std::string page = to_html(test::simulation());
  BOOST_TEST(page.starts_with("<!doctype html>\n<html lang=\"en\">\n"));
  BOOST_TEST(has(page, "<title>Shop to 1.32: begins broken, and breaks 2 steps of 2</title>"));
  BOOST_TEST(has(page, "<p><span aria-hidden=\"true\">✗</span> This plan begins broken, and breaks 2 steps of 2</p>"));
  BOOST_TEST(has(page, "<a href=\"#step-2\">pool blue 1.31.0 → 1.32.0</a>"));
  BOOST_TEST(has(page, "<section id=\"step-2\" class=\"step breaks\">"));
  BOOST_TEST(has(page, "<section id=\"step-0\" class=\"step begin breaks\">"));
  Simulation fine = test::simulation();
  fine.steps.resize(1);
  fine.steps[0].findings.clear();
  BOOST_TEST(has(to_html(fine), "This plan breaks nothing: the plan has no step"));
}

BOOST_AUTO_TEST_CASE(a_step_shows_its_findings_and_what_it_costs) {
  const std::string page = step_sections(test::simulation());
  BOOST_TEST(has(page, "The plan begins broken: what does not work here, no step can be seen to break."));
  BOOST_TEST(
      has(page,
          "<tr><th scope=\"row\">agent monitoring</th><td>list nodes<br><code class=\"example\">GET "
          "/api/v1/nodes</code>"
          "</td><td><code class=\"rule\">node-read-own</code> <span class=\"quiet\">HTTP 403</span><p>A node lists and "
          "watches no Nodes but its own.</p>\n<p class=\"told\">nodes is forbidden</p>\n</td><td><b>12</b> nodes<br>"
          "<b>1</b> pod<br><b>48</b> requests<p class=\"quiet\">+1h5m to +2h</p>\n</td><td class=\"bad\">does not heal"
          "</td><td><ul class=\"remedies\"><li>giving the agent a ServiceAccount</li><li>leaving out step 1</li></ul>"
          "<p>Agents need an identity of their own.</p>\n</td></tr>\n"),
      page);
  BOOST_TEST(
      has(page, "<td>by itself at +1h20m, after 15m</td><td><span class=\"quiet\">nothing that was tried</span>"));
  BOOST_TEST(has(page,
                 "<ul class=\"losses\"><li>3 of 12 nodes not ready</li><li>90 of 360 pods waiting on a node that does "
                 "not run them</li><li>pods lost: daemonset logging: 3 of 12 nodes</li></ul>"));
}

BOOST_AUTO_TEST_CASE(the_picture_has_bars_bands_marks_and_words) {
  const Simulation simulation = test::simulation();
  const std::string picture = timeline_picture(simulation, timeline_of(simulation));
  BOOST_TEST(has(picture, "<title id=\"picture-title\">"));
  BOOST_TEST(
      has(picture,
          "From the begin of the plan to +3h, with marks for 2 steps. 82 requests refused, most of them by "
          "node-read-own; 50 within 15m from +1h, which is the highest bar. control plane: 1.31.0 at first, 1.32.0 "
          "at the end. pool blue: 1.31.0 at first, 1.32.0 at the end."));
  BOOST_TEST(has(picture, "<path class=\"r0\" d=\"M"));
  BOOST_TEST(has(picture, "<title>+1h to +1h15m: node-read-own 40; 403 10.</title>"));
  BOOST_TEST(has(picture, "<title>pool blue from +2h: 1.32.0, 8 of 12</title>"));
  BOOST_TEST(occurrences(picture, "<g class=\"mark breaks\">") == 2U);
  BOOST_TEST(occurrences(picture, "class=\"version middle\"") == 4U);
  const std::string figure = timeline_figure(simulation, timeline_of(simulation));
  BOOST_TEST(has(figure, "<li><span class=\"swatch r0\"></span><code>node-read-own</code> <b>70</b></li>"));
  BOOST_TEST(has(figure, "<tr><td>+1h</td><td>+1h15m</td><td>40</td><td>10</td><td>0</td><td>50</td></tr>"));
  BOOST_TEST(has(figure, "<tr><td>pool blue</td><td>+2h</td><td>1.31.0: 4, 1.32.0: 8</td></tr>"));
}

BOOST_AUTO_TEST_CASE(where_marks_are_dense_those_that_break_keep_their_numbers) {
  Simulation dense = test::simulation();
  for (std::size_t i = 3; i < 200; ++i) {
    dense.steps.push_back(test::step(i, "step", 2h + static_cast<std::int64_t>(i) * 1s));
    if (i == 199) dense.steps.back().findings = dense.steps[1].findings;
  }
  const std::string picture = timeline_picture(dense, timeline_of(dense));
  BOOST_TEST(has(picture, ">199<title>+2h3m19s step</title>"));
  BOOST_TEST(occurrences(picture, "<g class=\"mark") < 10U);
}

BOOST_AUTO_TEST_CASE(the_page_asks_nothing_of_the_network_and_runs_nothing) {
  const std::string page = to_html(test::simulation());
  BOOST_TEST(has(page, "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  for (const char* forbidden : {"<script", "http://", "https://", "url(", "@import", "src=", "<link",
                                " on"
                                "load="}) {
    BOOST_TEST(!has(page, forbidden), forbidden);
  }
}

BOOST_AUTO_TEST_CASE(no_text_from_outside_is_markup) {
  Simulation hostile = test::simulation();
  const std::size_t tags = occurrences(to_html(hostile), "<");
  spoil(hostile, "</style></title></desc><script>alert(1)</script>\" onclick='x' \xff\x1b&");
  const std::string page = to_html(hostile);
  BOOST_TEST(!has(page, "<script"));
  BOOST_TEST(!has(page, "\" onclick"));
  BOOST_TEST(!has(page, "\xff"));
  BOOST_TEST(!has(page, "\x1b"));
  BOOST_TEST(occurrences(page, "</style>") == 1U);
  // The text has fewer entries: rules and versions with equal names are merged.
  BOOST_TEST(occurrences(page, "<") <= tags);
}

BOOST_AUTO_TEST_CASE(a_page_of_a_long_run_can_be_opened) {
  Simulation large = test::simulation();
  for (std::size_t i = 3; i < 10'000; ++i) {
    large.steps.push_back(test::step(i, "step", static_cast<std::int64_t>(i) * 1s));
    large.steps.back().findings.assign(3, large.steps[1].findings[0]);
    large.refusals.push_back({static_cast<std::int64_t>(i) * 1s, "rule" + std::to_string(i), i});
    large.versions.push_back(
        {"pool" + std::to_string(i % 50), static_cast<std::int64_t>(i) * 1s, "1." + std::to_string(i), i});
    large.notes.push_back("note");
  }
  const std::string page = to_html(large);
  BOOST_TEST(page.size() < 4'000'000U);
  BOOST_TEST(has(page, "And 9700 more steps, in the JSON."));
  BOOST_TEST(occurrences(page, "<section") == 300U);
  large.steps.resize(500);
  spoil(large, std::string(1000, '<'));
  BOOST_TEST(to_html(large).size() < 20'000'000U);
}

BOOST_AUTO_TEST_CASE(nodes_that_are_not_ready_are_seen) {
  Simulation simulation = test::simulation();
  simulation.refusals.clear();
  simulation.steps[1].findings.clear();
  simulation.steps[2].losses = {test::loss()};
  simulation.not_ready = {{1h + 55min, 12}, {2h + 30min, 0}};
  const std::string page = to_html(simulation);
  BOOST_TEST(has(page, "<div class=\"bad\"><dt>Nodes not ready at once</dt><dd><b>12</b> of 12</dd></div>"));
  BOOST_TEST(has(page, "No request is refused, but nodes are not ready."));
  BOOST_TEST(has(page, "<title>+1h55m to +2h30m: 12 of 12 nodes not ready</title>"));
  BOOST_TEST(has(page, "12 of 12 nodes not ready at the worst, from +1h55m on."));
  BOOST_TEST(
      has(page,
          "<td class=\"bad\">3 of 12 nodes not ready, with 90 pods</td><td>kubelet 1.32.0 exits: unknown labels</td>"));
  BOOST_TEST(!has(to_html(test::simulation()), "class=\"down\""));
}

BOOST_AUTO_TEST_CASE(sources_of_a_rule_are_links_to_the_web_alone) {
  Simulation simulation = test::simulation();
  simulation.steps[1].findings[0].sources = {{"KEP-1", "https://example.com/?a=1&b=\"2\""},
                                             {"odd", "javascript:alert(1)"}};
  const std::string page = to_html(simulation);
  BOOST_TEST(
      has(page, "<a href=\"https://example.com/?a=1&amp;b=&quot;2&quot;\" rel=\"noreferrer\">KEP-1</a>, odd</p>"),
      page);
  BOOST_TEST(!has(page, "javascript"));
}

BOOST_AUTO_TEST_CASE(each_of_many_versions_has_a_colour_of_its_own) {
  Simulation simulation = test::simulation();
  simulation.versions.clear();
  for (int minor = 6; minor < 38; ++minor)
    simulation.versions.push_back({"", minor * 1min, "1." + std::to_string(minor) + ".0", 1});
  const std::string page = to_html(simulation);
  BOOST_TEST(has(page, "<span class=\"swatch v31\"></span>1.37.0"));
  BOOST_TEST(has(page, ".v31 { fill: var(--v31); background: var(--v31); }"));
  BOOST_TEST(!has(to_html(test::simulation()), "--v12"));
}

BOOST_AUTO_TEST_CASE(the_page_of_nothing_and_of_no_numbers_is_a_page) {
  const std::string nothing = to_html({});
  BOOST_TEST(has(nothing, "No request is refused."));
  BOOST_TEST(has(nothing, "A plan without a title"));
  Simulation strange = test::simulation();
  strange.run.seconds = std::numeric_limits<double>::quiet_NaN();
  strange.length = Simulation::Time::max();
  strange.slice = Simulation::Time::min();
  strange.steps[1].at = Simulation::Time::min();
  strange.refusals[0].count = std::numeric_limits<std::size_t>::max();
  for (const std::string& page : {nothing, to_html(strange)}) {
    BOOST_TEST(page.ends_with("</html>\n"));
    for (const char* number : {"\"nan", "\"inf", "Mnan", "Minf", "\"-nan"}) BOOST_TEST(!has(page, number), number);
  }
}

BOOST_AUTO_TEST_CASE(the_same_simulation_gives_the_same_page) {
  BOOST_TEST(to_html(test::simulation()) == to_html(test::simulation()));
  BOOST_TEST(to_json(test::simulation()) == to_json(test::simulation()));
}

BOOST_AUTO_TEST_SUITE_END()
