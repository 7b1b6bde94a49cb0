// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_builder/training_config.hpp"

namespace gs_builder {

// --quality of the command line: how long training may take, in one word. Draft: minutes, to see
// whether a drive makes a world; standard: a coffee; high: a night.
enum class TrainingQuality { Draft, Standard, High };
constexpr auto enumWords(std::type_identity<TrainingQuality>) {
  return std::to_array<gs::EnumWord<TrainingQuality>>({{TrainingQuality::Draft, "draft"},
                                                       {TrainingQuality::Standard, "standard"},
                                                       {TrainingQuality::High, "high"}});
}

// Sets what the quality decides: iterations, schedules, budgets and save_iterations. Everything
// else keeps what the configuration says.
void applyPreset(TrainingQuality quality, TrainingConfig& config);

}  // namespace gs_builder
