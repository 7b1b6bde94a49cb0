// SPDX-License-Identifier: Apache-2.0
#include "mutate.hpp"

#include <set>

#include <gtest/gtest.h>

namespace gs::fuzz {
namespace {

const std::vector<std::string> kSeeds{"{\"width\": 12, \"height\": 7}", std::string(100, '\0'),
                                      "x"};

std::vector<std::string> mutations(uint64_t seed) {
  std::vector<std::string> result;
  for (uint64_t i = 0; i < 300; ++i) {
    Rng rng = Rng(seed).fork(i);
    result.push_back(mutate(kSeeds, i % kSeeds.size(), rng));
  }
  return result;
}

TEST(Mutate, GivesTheSameInputsForTheSameSeed) { EXPECT_EQ(mutations(7), mutations(7)); }

TEST(Mutate, GivesOtherInputsForAnotherSeed) { EXPECT_NE(mutations(7), mutations(8)); }

TEST(Mutate, FindsManyDifferentDamages) {
  const auto all = mutations(7);
  EXPECT_GT(std::set<std::string>(all.begin(), all.end()).size(), 200u);
}

TEST(Mutate, AcceptsAnEmptySeed) {
  Rng rng(1);
  for (int i = 0; i < 100; ++i) EXPECT_LT(mutate({""}, 0, rng).size(), 100u);
}

}  // namespace
}  // namespace gs::fuzz
