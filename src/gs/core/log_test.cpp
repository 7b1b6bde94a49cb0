// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "gs/core/log_observer.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One test, since only the first observer of a process gets what was logged before.
TEST(Log, AnObserverSeesItsLevelAndTheFirstOneAlsoWhatWasBefore) {
  logger("wheel").info("is mounted");  // stderr shows errors only, as test_main has it
  logger("wheel").debug("is round");
  std::vector<std::string> seen;
  const auto keep = [&](LogLevel, std::string_view component, std::string_view message) {
    seen.push_back(std::string(component) + ": " + std::string(message));
  };
  setLogObserver(keep);
  EXPECT_THAT(seen, ElementsAre("wheel: is mounted"));
  logger("wheel").warn("is loose");
  logger("wheel").debug("turns");
  EXPECT_THAT(seen, ElementsAre("wheel: is mounted", "wheel: is loose"));

  setLogObserver(nullptr);
  logger("wheel").warn("came off");
  seen.clear();
  setLogObserver(keep, LogLevel::Warn);
  EXPECT_THAT(seen, IsEmpty());
  logger("wheel").info("is back");
  logger("wheel").warn("is loose again");
  setLogObserver(nullptr);
  EXPECT_THAT(seen, ElementsAre("wheel: is loose again"));
}

}  // namespace
}  // namespace gs
