// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_config.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "gs/core/value_checks.hpp"

namespace gs_builder {
namespace {

namespace fs = std::filesystem;

void checkLearningRates(gs::ValueChecks& checks, const TrainingConfig::LearningRate& rate) {
  // 0 is a use, not a mistake: it keeps that property as it was initialised.
  TrainingConfig::LearningRate::fields(
      rate, [&](const char* name, double value, gs::FieldTraits = {}) {
        checks.isNotNegative(std::string("training.learning_rate.") + name, value);
      });
}

void checkDensify(gs::ValueChecks& checks, const TrainingConfig::Densify& densify, int iterations) {
  checks.isAtLeast("training.densify.start_iter", densify.start_iter, 0);
  checks.isAtLeast("training.densify.interval", densify.interval, 1);
  checks.isPositive("training.densify.grad_threshold", densify.grad_threshold);
  checks.require(densify.start_iter < densify.end_iter, "training.densify.end_iter",
                 std::to_string(densify.end_iter) + " is not after start_iter (" +
                     std::to_string(densify.start_iter) + ")");
  checks.require(densify.end_iter <= iterations, "training.densify.end_iter",
                 std::to_string(densify.end_iter) + " is after the last iteration (" +
                     std::to_string(iterations) + ")");
}

void checkSaveIterations(gs::ValueChecks& checks, const std::vector<int>& saves, int iterations) {
  for (size_t i = 0; i < saves.size(); ++i) {
    const std::string path = "output.save_iterations[" + std::to_string(i) + "]";
    const std::string value = std::to_string(saves[i]);
    checks.isAtLeast(path, saves[i], 1);
    checks.require(saves[i] <= iterations, path,
                   value + " is after the last iteration (" + std::to_string(iterations) + ")");
    checks.require(i == 0 || saves[i - 1] < saves[i], path,
                   value + " does not come after " + std::to_string(i == 0 ? 0 : saves[i - 1]));
  }
}

bool isPowerOfTwo(int value) { return value > 0 && (value & (value - 1)) == 0; }

void checkNative(gs::ValueChecks& checks, const TrainingConfig::Native& native) {
  checks.isBetween("training.native.max_gaussians", native.max_gaussians, 100, 5'000'000);
  checks.isBetween("training.native.pixels_per_gaussian", native.pixels_per_gaussian, 0, 1'000'000);
  checks.isBetween("training.native.start_part", native.start_part, 0.01, 1.0);
  for (const auto& [name, value] : {std::pair("first_divisor", native.first_divisor),
                                    std::pair("last_divisor", native.last_divisor)})
    checks.require(isPowerOfTwo(value) && value <= 16, std::string("training.native.") + name,
                   std::to_string(value) + " is not one of 1, 2, 4, 8, 16");
  checks.require(native.last_divisor <= native.first_divisor, "training.native.last_divisor",
                 std::to_string(native.last_divisor) + " is larger than first_divisor (" +
                     std::to_string(native.first_divisor) + ")");
  checks.isBetween("training.native.coarse_part", native.coarse_part, 0.0, 1.0);
  checks.isAtLeast("training.native.sh_interval", native.sh_interval, 1);
  checks.isBetween("training.native.ssim_weight", native.ssim_weight, 0.0, 1.0);
  checks.isNotNegative("training.native.depth_weight", native.depth_weight);
  checks.isNotNegative("training.native.opacity_weight", native.opacity_weight);
  checks.isNotNegative("training.native.scale_weight", native.scale_weight);
  checks.isNotNegative("training.native.sky_weight", native.sky_weight);
  checks.isAtLeast("training.native.evaluate_every", native.evaluate_every, 0);
  checks.isAtLeast("training.native.evaluate_images", native.evaluate_images, 1);
  checks.isAtLeast("training.native.patience", native.patience, 0);
  checks.isAtLeast("training.native.memory_mb", native.memory_mb, 100);
}

// A relative path that stays below the folder it starts in.
bool staysInside(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return !path.empty() && normal.is_relative() && *normal.begin() != "..";
}

void checkCommand(gs::ValueChecks& checks, const TrainingConfig::Command& command) {
  constexpr auto kPlaceholders =
      std::to_array<std::string_view>({"{dataset}", "{output}", "{seed}", "{iterations}"});
  const char* const path = "training.command.line";
  const std::string_view line = *command.line;
  checks.require(line.find("{dataset}") != line.npos && line.find("{output}") != line.npos, path,
                 "needs {dataset} and {output}: where the trainer finds its images and where its "
                 "result is looked for");
  for (size_t at = line.find('{'); at != line.npos; at = line.find('{', at + 1)) {
    const std::string_view word = line.substr(at, line.find('}', at) - at + 1);
    checks.require(
        std::find(kPlaceholders.begin(), kPlaceholders.end(), word) != kPlaceholders.end(), path,
        "'" + std::string(word.substr(0, 40)) +
            "' is not one of {dataset}, {output}, {seed}, {iterations}");
  }
}

void checkBackend(gs::ValueChecks& checks, const TrainingConfig::Training& training) {
  checks.require(training.backend != TrainingBackend::DriveStudio || training.drivestudio.dir,
                 "training.drivestudio.dir",
                 "required for backend drivestudio: the folder of its checkout");
  checks.require(training.backend != TrainingBackend::Command || training.command.line,
                 "training.command.line", "required for backend command: how to start the trainer");
  checks.require(!training.drivestudio.dir || !training.drivestudio.dir->empty(),
                 "training.drivestudio.dir", "is empty; leave the key out instead");
  checks.require(!training.drivestudio.python.empty(), "training.drivestudio.python", "is empty");
  checks.require(staysInside(training.drivestudio.config_file), "training.drivestudio.config_file",
                 "is not a path inside the checkout");
  checks.require(staysInside(training.command.result_file), "training.command.result_file",
                 "is not a path inside the output folder");
  if (training.command.line) checkCommand(checks, training.command);
}

}  // namespace

std::vector<gs::Problem> problemsIn(const TrainingConfig& config) {
  gs::ValueChecks checks;
  const TrainingConfig::Training& training = config.training;
  checks.isCompatibleVersion("version", config.version);
  checks.isBetween("model.sh_degree", config.model.sh_degree, 0, 3);
  checks.isAtLeast("training.iterations", training.iterations, 1);
  checks.isAtLeast("training.batch_size", training.batch_size, 1);
  checks.require(training.held_out_every == 0 || training.held_out_every >= 2,
                 "training.held_out_every",
                 "is 0 (no frame held out) or at least 2: 1 would leave no frame to train on");
  checkLearningRates(checks, training.learning_rate);
  checkDensify(checks, training.densify, training.iterations);
  checkNative(checks, training.native);
  checkBackend(checks, training);
  checkSaveIterations(checks, config.output.save_iterations, training.iterations);
  checks.require(staysInside(config.output.checkpoint_dir), "output.checkpoint_dir",
                 "is not a path inside the workspace's 03_gs_training");
  return checks.take();
}

void resolvePaths(TrainingConfig& config, const fs::path& folder) {
  auto& dir = config.training.drivestudio.dir;
  if (dir && !dir->empty()) dir = (folder / *dir).lexically_normal().string();
}

std::vector<gs::Problem> missingFilesOf(const TrainingConfig& config) {
  gs::ValueChecks checks;
  std::error_code failure;
  const auto& dir = config.training.drivestudio.dir;
  if (config.training.backend == TrainingBackend::DriveStudio && dir && !dir->empty())
    checks.require(fs::is_regular_file(fs::path(*dir) / "tools/train.py", failure),
                   "training.drivestudio.dir",
                   "there is no tools/train.py in '" + *dir + "': not a DriveStudio checkout");
  return checks.take();
}

}  // namespace gs_builder
