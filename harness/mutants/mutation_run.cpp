#include "harness/mutants/mutation_run.h"

#include <algorithm>

#include "harness/endpoint/signals.h"
#include "harness/run/in_parallel.h"

namespace nodebound::mutants {

MutationRun::MutationRun(const std::vector<Mutant>& mutants, std::vector<std::unique_ptr<MutantSetting>>& settings,
                         const Known& known, const MutationRunOptions& options)
    : mutants_(mutants), settings_(settings), known_(known), options_(options) {}

void MutationRun::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  in_parallel(
      count, options_.jobs, [&](std::size_t i, std::size_t) { work(i); }, interrupted);
}

void MutationRun::walk() {
  for (const std::unique_ptr<MutantSetting>& setting : settings_) {
    each(setting->scenarios().size(), [&](std::size_t i) { setting->walk(i); });
  }
}

void MutationRun::note_failures(const MutantSetting& setting, std::size_t mutant, const Trial& trial,
                                std::size_t scenario) {
  const std::lock_guard lock(mutex_);
  kills_.try_emplace(setting.scenarios()[scenario].id, mutants_[mutant].id);
  killers_.try_emplace(mutants_[mutant].id, trial.failed.front());
  failed_.insert(trial.failed.begin(), trial.failed.end());
}

bool MutationRun::ask(MutantSetting& setting, std::size_t index, std::size_t scenario, MutantResult& result) {
  const Trial trial = setting.attempt(mutants_[index], scenario, options_.checks);
  if (result.noticed.empty() && !trial.reworded.empty()) result.noticed = trial.reworded.front();
  if (result.unclear.empty() && !trial.unclear.empty()) result.unclear = trial.unclear.front();
  if (trial.failed.empty()) return false;
  note_failures(setting, index, trial, scenario);
  if (result.killer.empty()) {
    result.killer = trial.failed.front();
    result.setting = setting.name();
  }
  result.killers.push_back(setting.scenarios()[scenario].id);
  return !options_.all_killers;
}

MutantResult MutationRun::try_mutant(std::size_t index) {
  const Mutant& mutant = mutants_[index];
  const Version& release = settings_.front()->rules().release().version;
  MutantResult result;
  result.id = mutant.id;
  result.part = mutant.part;
  result.meaning = mutant.meaning;
  result.release = release.text();
  // A mutant with a proof is tried in the likely scenarios only, unless all killers are asked for.
  const Equivalent* equivalent = known_.equivalent(mutant.id, release);
  const bool proved = equivalent != nullptr && !options_.all_killers;
  for (const std::unique_ptr<MutantSetting>& setting : settings_) {
    if (!applies(mutant, setting->rules())) continue;
    const std::vector<std::size_t> likely = setting->candidates(mutant, index, proved);
    if (std::any_of(likely.begin(), likely.end(), [&](std::size_t one) { return ask(*setting, index, one, result); })) {
      break;
    }
    // For a listed mutant with other words, every scenario is searched, because the words may appear in any.
    if (!proved || !equivalent->worded) continue;
    for (const std::size_t scenario : setting->candidates(mutant, index, false)) {
      if (!result.noticed.empty() || ask(*setting, index, scenario, result)) break;
    }
    if (!result.killer.empty()) break;
  }
  result.outcome = !result.killer.empty()  ? MutantResult::Outcome::killed
                   : equivalent != nullptr ? MutantResult::Outcome::equivalent
                                           : MutantResult::Outcome::survived;
  if (equivalent != nullptr) result.proof = equivalent->proof;
  return result;
}

// Mutants that flip a rule are tried only in scenarios that name or meet the rule.
void MutationRun::look_for_kill(MutantSetting& setting, std::size_t scenario, const std::vector<std::size_t>& picked) {
  for (const std::size_t index : picked) {
    const Mutant& mutant = mutants_[index];
    if (!applies(mutant, setting.rules())) continue;
    const bool everywhere = !has_reach(mutant);
    const bool named = std::any_of(mutant.rules.begin(), mutant.rules.end(), [&](Rule rule) {
      return setting.names(scenario, rule) || setting.walked(scenario).deciders[static_cast<std::size_t>(rule)];
    });
    if (everywhere ? !named : !setting.walked(scenario).reached[index]) continue;
    const Trial trial = setting.attempt(mutant, scenario, options_.checks);
    if (trial.failed.empty()) continue;
    return note_failures(setting, index, trial, scenario);
  }
}

void MutationRun::find_use_of_scenarios(const std::vector<std::size_t>& picked, MutationReport& report) {
  for (const std::unique_ptr<MutantSetting>& setting : settings_) {
    each(setting->scenarios().size(), [&](std::size_t i) {
      {
        const std::lock_guard lock(mutex_);
        if (kills_.contains(setting->scenarios()[i].id)) return;
      }
      look_for_kill(*setting, i, picked);
    });
  }
  for (const std::unique_ptr<MutantSetting>& setting : settings_) {
    for (const Scenario& scenario : setting->scenarios()) {
      const auto known = std::find_if(report.scenarios.begin(), report.scenarios.end(),
                                      [&](const ScenarioUse& use) { return use.id == scenario.id; });
      const auto kill = kills_.find(scenario.id);
      const std::string kills = kill == kills_.end() ? std::string() : kill->second;
      if (known == report.scenarios.end()) {
        report.scenarios.push_back({scenario.id, kills, known_.stays_because(scenario.id)});
      } else if (known->kills.empty()) {
        known->kills = kills;
      }
    }
  }
}

// Asks again only scenarios with a check that no mutant has made fail yet.
void MutationRun::find_idle_checks(const std::vector<std::size_t>& picked, MutationReport& report) {
  for (const std::unique_ptr<MutantSetting>& setting : settings_) {
    each(setting->scenarios().size(), [&](std::size_t scenario) {
      const auto idle = [&] {
        const std::lock_guard lock(mutex_);
        const std::vector<std::string>& ids = setting->checks(scenario);
        return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return !failed_.contains(id); });
      };
      for (const std::size_t index : picked) {
        if (!idle()) return;
        const Mutant& mutant = mutants_[index];
        if (!applies(mutant, setting->rules()) || (has_reach(mutant) && !setting->walked(scenario).reached[index]))
          continue;
        const Trial trial = setting->attempt(mutant, scenario, true);
        if (!trial.failed.empty()) note_failures(*setting, index, trial, scenario);
      }
    });
    for (std::size_t i = 0; i < setting->scenarios().size(); ++i) {
      for (const std::string& id : setting->checks(i)) report.checks[id].stays = known_.stays_because(id);
    }
  }
  // At another release the check may have failed before.
  for (auto& [id, check] : report.checks) check.fails = check.fails || failed_.contains(id);
}

void MutationRun::run(const std::vector<std::size_t>& picked, MutationReport& report) {
  walk();
  std::vector<MutantResult> results(picked.size());
  each(picked.size(), [&](std::size_t i) {
    results[i] = try_mutant(picked[i]);
    options_.done();
  });
  const Version& release = settings_.front()->rules().release().version;
  report.releases.push_back(release.text());
  if (options_.scenarios) find_use_of_scenarios(picked, report);
  if (options_.checks) find_idle_checks(picked, report);
  // After an interrupted run, some mutants have no result.
  std::erase_if(results, [](const MutantResult& result) { return result.id.empty(); });
  for (MutantResult& result : results) {
    note_mistake(known_.equivalent(result.id, release), result, report);
    report.mutants.push_back(std::move(result));
  }
}

// A listed equivalent may be killed later, while the run searches for a scenario or check that kills something.
void MutationRun::note_mistake(const Equivalent* listed, MutantResult& result, MutationReport& report) const {
  if (listed == nullptr) return;
  const auto killer = killers_.find(result.id);
  if (killer != killers_.end()) {
    result.outcome = MutantResult::Outcome::killed;
    result.killer = killer->second;
    report.mistakes.push_back("equivalent.toml lists " + result.id + ", which " + result.killer + " catches at " +
                              result.release);
  } else if (listed->worded != !result.noticed.empty()) {
    report.mistakes.push_back("equivalent.toml says that " + result.id + (listed->worded ? " is" : " is not") +
                              " worded differently, at " + result.release + " it is" +
                              (listed->worded ? " not" : ": " + result.noticed));
  }
}

void note_unused_patterns(const Known& known, MutationReport& report) {
  for (const Equivalent& listed : known.equivalents) {
    for (const std::string& pattern : listed.mutants) {
      const bool used = std::any_of(report.mutants.begin(), report.mutants.end(), [&](const MutantResult& mutant) {
        return is_id_of(pattern, mutant.id) && listed.holds.contains(*Version::parse(mutant.release));
      });
      if (!used) report.mistakes.push_back("equivalent.toml lists " + pattern + ", and there is no such mutant");
    }
  }
}

}  // namespace nodebound::mutants
