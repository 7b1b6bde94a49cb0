// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gs/core/load_config.hpp"

namespace gs_builder::testing {

// What a person would be told about this configuration text, one line per problem.
template <typename X>
std::vector<std::string> problemTexts(std::string_view yaml) {
  gs::ConfigDocument document = gs::parseConfigDocument(yaml, "config.yaml");
  gs::readConfig<X>(document);
  std::vector<std::string> texts;
  for (const gs::Problem& problem : document.problems) texts.push_back(gs::toString(problem));
  return texts;
}

}  // namespace gs_builder::testing
