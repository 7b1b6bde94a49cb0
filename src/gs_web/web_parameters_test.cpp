// SPDX-License-Identifier: Apache-2.0
#include "gs_web/web_parameters.hpp"

#include <gmock/gmock.h>

#include "gs_sim/testing/fake_host.hpp"
#include "gs_sim/testing/fake_wire.hpp"

namespace gs_web {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFactor = "simulation.real_time_factor";

TEST(WebParameters, AWholeNumberIsTakenWhereADoubleIsMeantAndEveryWireLearnsOfIt) {
  gs_sim::testing::FakeHost host({}, GS_MINIMAL_WORLD);
  gs_sim::testing::FakeWire wire;
  host.attach(wire);
  const ParameterChange change = changeParameters(host, {{kFactor, int64_t{2}}});
  EXPECT_THAT(change.problems, IsEmpty());
  EXPECT_THAT(change.values, ElementsAre(gs_sim::Parameter{kFactor, 2.0}));
  EXPECT_EQ(host.real_time_factor, 2);
  EXPECT_THAT(wire.parameters, ElementsAre(gs_sim::Parameter{kFactor, 2.0}));
}

TEST(WebParameters, WhatIsRefusedIsSaidWithTheValueThatStays) {
  gs_sim::testing::FakeHost host({}, GS_MINIMAL_WORLD);
  const ParameterChange change =
      changeParameters(host, {{"vehicle.wheelbase", 9.0}, {"who", true}, {kFactor, 0.5}});
  EXPECT_THAT(change.problems, ElementsAre(HasSubstr("vehicle.wheelbase: "), HasSubstr("who: ")));
  EXPECT_THAT(change.values, ElementsAre(gs_sim::Parameter{"vehicle.wheelbase", 2.8},
                                         gs_sim::Parameter{kFactor, 0.5}));
}

TEST(WebParameters, NoNamesMeanAllOfThem) {
  gs_sim::testing::FakeHost host({}, GS_MINIMAL_WORLD);
  EXPECT_EQ(parametersOf(host.parameters(), {}), host.parameters().all());
  EXPECT_THAT(parametersOf(host.parameters(), {"who"}), IsEmpty());
}

}  // namespace
}  // namespace gs_web
