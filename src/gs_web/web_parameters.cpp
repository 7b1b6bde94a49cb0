// SPDX-License-Identifier: Apache-2.0
#include "gs_web/web_parameters.hpp"

namespace gs_web {
namespace {

// JavaScript knows one kind of number.
gs_sim::Parameter withDeclaredType(const gs_sim::ParameterStore& store, gs_sim::Parameter wish) {
  const auto* integer = std::get_if<int64_t>(&wish.value);
  if (integer != nullptr && std::holds_alternative<double>(store.get(wish.name)))
    wish.value = static_cast<double>(*integer);
  return wish;
}

}  // namespace

std::vector<gs_sim::Parameter> parametersOf(const gs_sim::ParameterStore& store,
                                            const std::vector<std::string>& names) {
  if (names.empty()) return store.all();
  std::vector<gs_sim::Parameter> values;
  for (const std::string& name : names)
    if (auto value = store.get(name); gs_sim::isSet(value))
      values.push_back({name, std::move(value)});
  return values;
}

ParameterChange changeParameters(gs_sim::SimulationHost& host,
                                 const std::vector<gs_sim::Parameter>& wishes) {
  ParameterChange change;
  std::vector<std::string> names;
  std::vector<gs_sim::Parameter> changed;
  for (const gs_sim::Parameter& wish : wishes) {
    const std::string problem =
        host.parameters().set(withDeclaredType(host.parameters(), wish), changed);
    if (!problem.empty()) change.problems.push_back(wish.name + ": " + problem);
    names.push_back(wish.name);
  }
  host.announceParameters(changed);
  if (!names.empty()) change.values = parametersOf(host.parameters(), names);
  return change;
}

}  // namespace gs_web
