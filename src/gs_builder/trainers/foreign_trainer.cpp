// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/foreign_trainer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "gs/bundle/import_splats.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr const char* kProject = "gs_world_builder";
constexpr const char* kRun = "run";
constexpr int kMaxCameras = 6;  // of the nuScenes loader

[[noreturn]] void fail(const std::string& message, const std::string& suggestion) {
  throw gs::Error({.code = gs::ErrorCode::TrainingFailed,
                   .component = "gs_train_orchestrator",
                   .message = message,
                   .suggestion = suggestion});
}

std::optional<int> readInt(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  int value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
  return value;
}

// The number behind "key: ".
std::optional<double> numberAfter(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  if (at == line.npos) return std::nullopt;
  const std::string rest(line.substr(at + key.size(), 40));
  char* end = nullptr;
  const double value = std::strtod(rest.c_str(), &end);
  return end != rest.c_str() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// As one word for a POSIX shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A 4 x 4 matrix in rows, as drivestudio_dataset.cpp writes it.
gs::Rigid3 readPose(const fs::path& file) {
  const std::string text = gs::readTextFile(file, 1 << 16);
  const char* at = text.c_str();
  gs::Mat4 m;
  for (int i = 0; i < 16; ++i) {
    char* end = nullptr;
    m(i / 4, i % 4) = std::strtod(at, &end);
    if (end == at) fail("'" + file.string() + "' is not a pose", "Run drivesim_converter again.");
    at = end;
  }
  const gs::Mat3 rotation = m.topLeftCorner<3, 3>();
  if (!m.allFinite() || !(std::abs(rotation.determinant() - 1) < 1e-3))
    fail("'" + file.string() + "' is not a pose", "Run drivesim_converter again.");
  return {gs::Quat(rotation).normalized(), m.topRightCorner<3, 1>()};
}

// checkpoint_final.pth, else the one with the highest number.
fs::path findCheckpoint(const fs::path& folder) {
  fs::path best;
  std::error_code why;
  for (fs::directory_iterator entry(folder, why), end; !why && entry != end; entry.increment(why)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with("checkpoint_") || !name.ends_with(".pth")) continue;
    // "final" sorts behind all digits.
    if (best.empty() || name > best.filename().string()) best = entry->path();
  }
  if (best.empty())
    throw gs::Error({.code = gs::ErrorCode::CheckpointNotFound,
                     .component = "gs_train_orchestrator",
                     .message = "DriveStudio left no checkpoint in '" + folder.string() + "'",
                     .details = {{"folder", folder.string()}},
                     .suggestion = "Look into training_log.txt for why."});
  return best;
}

int countCameras(const fs::path& scene) {
  int count = 0;
  std::error_code ignored;
  while (fs::is_regular_file(scene / fmt::format("intrinsics/{}.txt", count), ignored)) ++count;
  return count;
}

ForeignResult importPly(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw gs::Error({.code = gs::ErrorCode::CheckpointNotFound,
                     .component = "gs_train_orchestrator",
                     .message = "the trainer left no '" + file.string() + "'",
                     .details = {{"file", file.string()}},
                     .suggestion = "Set training.command.result_file to what it writes inside "
                                   "{output}."});
  gs::ImportedSplats splats = gs::importSplats(*gs::openFile(file));
  if (splats.cloud.size() == 0)
    fail("'" + file.string() + "' holds no usable splat", "Look into training_log.txt for why.");
  return {.cloud = std::move(splats.cloud),
          .dropped = splats.dropped_non_finite + splats.dropped_zero_rotation};
}

}  // namespace

std::optional<TrainerLine> parseDriveStudioLine(std::string_view line) {
  const size_t bracket = line.find('[');
  if (bracket == line.npos || line.find("eta:") == line.npos) return std::nullopt;
  std::string_view rest = line.substr(bracket + 1);
  const auto iteration = readInt(rest);
  if (!iteration || !rest.starts_with('/')) return std::nullopt;
  rest.remove_prefix(1);
  const auto iterations = readInt(rest);
  if (!iterations || *iterations == 0 || !rest.starts_with(']')) return std::nullopt;
  TrainerLine found{.iteration = *iteration, .iterations = *iterations};
  found.psnr_db = numberAfter(line, "train_metrics/psnr: ");
  const auto rgb = numberAfter(line, "losses/rgb_loss: ");
  if (rgb) found.loss = *rgb + numberAfter(line, "losses/ssim_loss: ").value_or(0);
  const auto splats = numberAfter(line, "train_stats/gaussian_num_Background: ");
  if (splats && *splats >= 0) found.gaussians = static_cast<uint64_t>(*splats);
  return found;
}

std::optional<TrainerLine> parseCountingLine(std::string_view line, int iterations) {
  const std::string total = std::to_string(iterations);
  for (size_t at = line.find('/'); at != line.npos; at = line.find('/', at + 1)) {
    std::string_view behind = line.substr(at + 1);
    const auto end = readInt(behind);
    if (!end || *end != iterations) continue;
    size_t begin = at;
    while (begin > 0 && line[begin - 1] == ' ') --begin;
    const size_t last = begin;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    std::string_view number = line.substr(begin, last - begin);
    if (const auto iteration = readInt(number); iteration && *iteration <= iterations)
      return TrainerLine{.iteration = *iteration, .iterations = iterations};
  }
  return std::nullopt;
}

ChildCommand driveStudioCommand(const TrainingConfig& config, const fs::path& dataset,
                                const fs::path& output, int cameras) {
  const TrainingConfig::Training& training = config.training;
  std::string list, scale;
  for (int i = 0; i < cameras; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ",", i);
    scale += i == 0 ? "1" : ",1";
  }
  int save_every = training.iterations;
  for (const int save : config.output.save_iterations) save_every = std::min(save_every, save);
  return {
      .arguments = {training.drivestudio.python, "-u", "tools/train.py", "--config_file",
                    training.drivestudio.config_file, "--output_root",
                    fs::absolute(output).string(), "--project", kProject, "--run_name", kRun,
                    "dataset=nuscenes/6cams", "data.data_root=" + fs::absolute(dataset).string(),
                    "data.scene_idx=0", "data.start_timestep=0", "data.end_timestep=-1",
                    "data.pixel_source.cameras=[" + list + "]",
                    "data.pixel_source.downscale_when_loading=[" + scale + "]",
                    "data.pixel_source.undistort=True",
                    fmt::format("data.pixel_source.test_image_stride={}", training.held_out_every),
                    "data.pixel_source.load_smpl=False", "data.pixel_source.load_objects=False",
                    // Sky masks mask nothing: where the sky is, DriveStudio is not told.
                    "trainer.losses.mask.w=0.0",
                    fmt::format("trainer.optim.num_iters={}", training.iterations),
                    fmt::format("seed={}", training.seed), "logging.print_freq=100",
                    fmt::format("logging.saveckpt_freq={}", save_every), "render.render_full=False",
                    "render.render_novel=null"},
      .folder = *training.drivestudio.dir};
}

ChildCommand templateCommand(const TrainingConfig& config, const fs::path& dataset,
                             const fs::path& output) {
  std::string line = *config.training.command.line;
  const std::pair<std::string, std::string> words[] = {
      {"{dataset}", quoted(fs::absolute(dataset).string())},
      {"{output}", quoted(fs::absolute(output).string())},
      {"{seed}", std::to_string(config.training.seed)},
      {"{iterations}", std::to_string(config.training.iterations)}};
  std::string filled;
  for (size_t at = 0; at < line.size();) {  // once over the line: a path may hold braces
    const auto* word = std::find_if(std::begin(words), std::end(words), [&](const auto& candidate) {
      return line.compare(at, candidate.first.size(), candidate.first) == 0;
    });
    if (word == std::end(words)) {
      filled.push_back(line[at++]);
    } else {
      filled += word->second;
      at += word->first.size();
    }
  }
  return {.arguments = {"/bin/sh", "-c", filled}};
}

ForeignTrainer makeForeignTrainer(const TrainingConfig& config, const fs::path& dataset,
                                  const fs::path& output) {
  if (config.training.backend == TrainingBackend::Command) {
    const fs::path result = output / config.training.command.result_file;
    return {
        .command = templateCommand(config, dataset, output),
        .parse_line = [iterations = config.training.iterations](
                          std::string_view line) { return parseCountingLine(line, iterations); },
        .import_result = [result] { return importPly(result); }};
  }
  const fs::path root = dataset / "drivestudio", scene = root / "000";
  const int cameras = countCameras(scene);
  if (cameras == 0)
    fail("'" + scene.string() + "' is not a dataset of DriveStudio",
         "Run drivesim_converter with training.backend: drivestudio.");
  if (cameras > kMaxCameras)
    fail(fmt::format("DriveStudio's loader takes at most {} cameras, the log has {}", kMaxCameras,
                     cameras),
         "Name the cameras to use in topics.cameras of config.yaml.");
  const fs::path run = output / kProject / kRun;
  return {.command = driveStudioCommand(config, root, output, cameras),
          .parse_line = parseDriveStudioLine,
          .import_result = [run, scene] {
            return readDriveStudioCheckpoint(findCheckpoint(run),
                                             readPose(scene / "extrinsics/000_0.txt"));
          }};
}

}  // namespace gs_builder
