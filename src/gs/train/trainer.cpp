// SPDX-License-Identifier: Apache-2.0
#include "gs/train/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/train/densify.hpp"
#include "gs/train/depth_loss.hpp"
#include "gs/train/residual_map.hpp"
#include "gs/train/schedule.hpp"
#include "gs/train/start_splats.hpp"
#include "gs/train/target_images.hpp"
#include "gs/train/trainer_state.hpp"
#include "gs/train/unseen_splats.hpp"
#include "gs/train/view_pass.hpp"

namespace gs {
namespace {

Error failed(const std::string& message, int iteration, const std::string& suggestion) {
  return Error({.code = ErrorCode::TrainingFailed,
                .component = "gs_trainer",
                .message = message,
                .details = {{"iteration", iteration}},
                .suggestion = suggestion});
}

double psnrOf(double mean_squared) {
  return mean_squared > 0 ? -10 * std::log10(mean_squared) : 100;
}

class Trainer {
 public:
  Trainer(const TrainingSet& set, const TrainerOptions& options, TrainingObserver& observer,
          TrainerState state)
      : set_(set),
        options_(options),
        schedule_{options},
        observer_(observer),
        state_(std::move(state)),
        images_(set, options.image_cache_bytes) {
    for (size_t i = 0; i < set.images.size(); ++i)
      (set.images[i].is_held_out ? held_out_ : trained_).push_back(i);
    if (trained_.empty())
      throw failed("there is no image to train on", 0,
                   "Record a longer drive, or lower "
                   "training.held_out_every.");
    if (state_.splats.size() == 0)
      throw failed("there are no Gaussians to start from", 0,
                   "Check the LiDAR map: the geometry stage made no usable point.");
  }

  TrainingResult run() {
    const auto begin = std::chrono::steady_clock::now();
    const int first = state_.iteration;
    TrainingResult result;
    if (first == 0 && options_.has_sky) startWithSky();
    while (state_.iteration < options_.iterations && !result.is_stopped && !result.is_converged) {
      trainOnce();
      const int now = ++state_.iteration;
      if (schedule_.densifiesAt(now)) {
        Rng rng = Rng(options_.seed).fork(uint64_t{1} << 40 | static_cast<uint64_t>(now));
        densify(state_.splats, options_, rng);
      }
      const bool is_measured = schedule_.evaluatesAt(now);
      if (is_measured) result.is_converged = isConverged(measure(result));
      const double elapsed =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      result.is_stopped =
          !observer_.onProgress({.iteration = now,
                                 .iterations = options_.iterations,
                                 .loss = state_.mean_loss,
                                 .psnr_db = psnrOf(state_.mean_squared),
                                 .gaussians = state_.splats.size(),
                                 .resolution = 1.0 / schedule_.divisorAt(now - 1),
                                 .elapsed_sec = elapsed,
                                 .remaining_sec = schedule_.remaining(first, now, elapsed)});
      // What is saved may be exported: it is compared by the same figure as all the others.
      if (result.is_stopped && !is_measured) measure(result);
      if (schedule_.savesAt(now) || result.is_stopped || result.is_converged) save();
    }
    result.iterations = state_.iteration;
    result.cloud = cloudOf(state_.splats);
    if (options_.has_sky) result.sky = state_.sky.image();
    if (options_.mask_residuals)
      for (const ResidualMap& residual : state_.residuals)
        for (const uint8_t is_bad : badBlocks(residual))
          result.masked_pixels += is_bad ? kResidualBlock * kResidualBlock : 0;
    return result;
  }

 private:
  const TrainingEvaluation& measure(TrainingResult& result) {
    result.evaluations.push_back(evaluate());
    observer_.onEvaluation(result.evaluations.back());
    return result.evaluations.back();
  }

  // Whether it has not got better for so long that it will not.
  bool isConverged(const TrainingEvaluation& evaluation) {
    constexpr double kGain = 0.02;  // dB that count as better
    const bool is_better = evaluation.psnr_db > state_.best_psnr_db + kGain;
    state_.evaluations_without_gain = is_better ? 0 : state_.evaluations_without_gain + 1;
    state_.best_psnr_db = std::max(state_.best_psnr_db, evaluation.psnr_db);
    return options_.patience > 0 && state_.iteration < options_.iterations &&
           state_.evaluations_without_gain >= options_.patience &&
           schedule_.divisorAt(state_.iteration) == options_.last_divisor;
  }

  // Every image once, in an order that the seed decides, then all again.
  size_t imageAt(int iteration) const {
    const size_t count = trained_.size(), round = static_cast<size_t>(iteration) / count;
    if (order_.empty() || order_round_ != round) {
      order_.resize(count);
      std::iota(order_.begin(), order_.end(), size_t{0});
      Rng rng = Rng(options_.seed).fork(round);
      for (size_t i = count; i > 1; --i) std::swap(order_[i - 1], order_[rng.below(i)]);
      order_round_ = round;
    }
    return trained_[order_[static_cast<size_t>(iteration) % count]];
  }

  // Depth, blame and the higher SH coefficients change slowly and cost much: they take part in
  // every fourth iteration only.
  static constexpr int kExtrasEvery = 4;
  static constexpr int kPrefetched = 8;
  void prefetch(int divisor) {
    std::vector<size_t> next;
    for (int i = 0; i < kPrefetched && state_.iteration + i < options_.iterations; ++i)
      next.push_back(imageAt(state_.iteration + i));
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    images_.prefetch(next, divisor);
  }

  // Calls look(view) for images of all along the drive, rendered with the splats of now.
  void lookAround(size_t most, const auto& look) {
    const int divisor = std::max(2, options_.last_divisor);
    const size_t count = std::min(trained_.size(), most);
    for (size_t n = 0; n < count; ++n) {
      const size_t image = trained_[n * trained_.size() / count];
      const auto target = images_.at(image, divisor);
      const auto camera = images_.cameraOf(image, divisor);
      const Rigid3 pose = poseOf(image);
      toPlanar(target->rgb, target_);
      pass_.render(state_.splats.scene, *camera, pose, settings(), true);
      look(SkyView{*camera, pose, pass_.color(), pass_.extras(), target_, target->mask});
    }
  }

  // Before the first iteration: the sky, and splats for what else no LiDAR point is on.
  void startWithSky() {
    lookAround(150, [&](const SkyView& view) { state_.sky.collect(view); });
    state_.sky.settle();
    UnseenSplats unseen;
    lookAround(100, [&](const SkyView& view) { unseen.collect(view, state_.sky); });
    const size_t known = state_.splats.size();
    const size_t room = options_.max_gaussians - std::min(options_.max_gaussians, known);
    const GaussianCloud added = unseen.make(options_.sh_degree, std::min(room, known / 4));
    if (added.size() > 0) state_.splats = trainedFrom(joined(cloudOf(state_.splats), added));
  }

  Rigid3 poseOf(size_t image) const {
    const TrainingImage& info = set_.images[image];
    Rigid3 pose = mapFromOpencv({info.camera, info.map_from_camera, {}});
    if (!options_.refine_pose) return pose;
    const auto& by = state_.poses[image].value;
    pose.translation += Vec3(by[0], by[1], by[2]);
    const Vec3 turn(by[3], by[4], by[5]);
    if (const double angle = turn.norm(); angle > 0)
      pose.rotation = pose.rotation * Quat(Eigen::AngleAxisd(angle, turn / angle));
    return pose;
  }

  RenderSettings settings() const {
    RenderSettings settings{.background = {0.5f, 0.5f, 0.5f}};
    settings.far_plane = 2000;
    if (options_.has_sky) settings.sky = state_.sky.sky();
    return settings;
  }

  void trainOnce() {
    const int divisor = schedule_.divisorAt(state_.iteration);
    const size_t image = imageAt(state_.iteration);
    if (state_.iteration % kPrefetched == 0) prefetch(divisor);
    const std::shared_ptr<const TargetImage> target = images_.at(image, divisor);
    const std::shared_ptr<const PreparedCamera> camera = images_.cameraOf(image, divisor);
    const Rigid3 pose = poseOf(image);
    toPlanar(target->rgb, target_);
    const bool has_extras = state_.iteration % kExtrasEvery == 0;
    pass_.render(state_.splats.scene, *camera, pose, settings(), has_extras);

    expose(image);
    acceptBrighterThanWhite();
    const size_t counted = leaveOutMasked(image, divisor, *target);
    const ImageLoss value = imageLoss(exposed_, target_, options_.ssim_weight, by_color_);
    if (!std::isfinite(value.loss))
      throw failed(
          "the loss is no longer a number", state_.iteration,
          "Lower the learning rates; if it happens again, keep the workspace and report it.");
    if (options_.refine_exposure) adjustExposure(image);
    double depth_loss = 0;
    if (has_extras) {
      startExtras();
      depth_loss = depthLoss(pass_.extras(), target->depths, options_.depth_weight, by_extras_);
    }
    if (has_extras && options_.has_sky && options_.sky_weight > 0) {
      const double quarter = 0.25 * target_.width * target_.height;
      state_.sky.keepClear({*camera, pose, pass_.color(), pass_.extras(), target_, target->mask},
                           static_cast<float>(options_.sky_weight / quarter), by_extras_);
    }
    pass_.differentiate(by_color_, has_extras ? &by_extras_ : nullptr);
    const PoseGradient by_pose = stepSplats();
    if (options_.refine_pose) adjustPose(image, by_pose);
    if (options_.has_sky) {
      state_.sky.learn({*camera, pose, pass_.color(), pass_.extras(), target_, target->mask},
                       static_cast<uint64_t>(state_.iteration), options_.rates.sky);
      if (state_.iteration % 8 == 0) state_.sky.publish();
    }
    // Masked pixels are equal in both images: they are left out of the mean.
    const double pixels = static_cast<double>(target_.width) * target_.height;
    const double squared = value.squared * pixels / std::max(1.0, static_cast<double>(counted));
    const double blend = state_.iteration == 0 ? 1 : 0.01;
    state_.mean_loss += blend * (value.loss + depth_loss - state_.mean_loss);
    state_.mean_squared += blend * (squared - state_.mean_squared);
  }

  void expose(size_t image) {
    exposed_.resize(pass_.color().width, pass_.color().height);
    for (size_t c = 0; c < 3; ++c) {
      gains_[c] = options_.refine_exposure ? std::exp(state_.exposures[image].value[c]) : 1.0f;
      const auto& from = pass_.color().planes[c];
      auto& to = exposed_.planes[c];
      parallelFor(from.size(), 65536, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) to[i] = gains_[c] * from[i];
      });
    }
  }

  // Where the camera was blinded the target is a lower bound: nobody knows how bright it was, and
  // whoever pulls a sunlit wall down to white makes it grey in the images that show it darker.
  void acceptBrighterThanWhite() {
    constexpr float kWhite = 254.5f / 255;
    parallelFor(static_cast<size_t>(target_.height), 32, [&](size_t begin, size_t end) {
      for (size_t y = begin; y < end; ++y)
        for (size_t c = 0; c < 3; ++c) {
          float* seen = exposed_.row(c, static_cast<int>(y));
          const float* wanted = target_.row(c, static_cast<int>(y));
          for (int x = 0; x < target_.width; ++x)
            if (wanted[x] > kWhite) seen[x] = std::min(seen[x], wanted[x]);
        }
    });
  }

  // Makes the image equal to the target where it must not count; returns how many pixels count.
  size_t leaveOutMasked(size_t image, int divisor, const TargetImage& target) {
    const int width = target_.width, height = target_.height;
    ResidualMap& residual = state_.residuals[image];
    const bool has_mask = !target.mask.pixels.empty();
    std::vector<uint8_t> is_bad;
    if (options_.mask_residuals) {
      addResiduals(exposed_, target_, target.mask, divisor, residual);
      if (state_.iteration >= options_.iterations / 5) is_bad = badBlocks(residual);
    }
    if (!has_mask && is_bad.empty()) return static_cast<size_t>(width) * height;
    const int block = residualBlock(divisor);
    size_t counted = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool is_left_out =
            (has_mask && *target.mask.at(x, y) == 0) ||
            (!is_bad.empty() &&
             is_bad[static_cast<size_t>(y / block) * residual.columns + x / block]);
        counted += !is_left_out;
        if (!is_left_out) continue;
        for (size_t c = 0; c < 3; ++c) exposed_.row(c, y)[x] = target_.row(c, y)[x];
      }
    return counted;
  }

  // No derivative yet by transmittance and depth; the blame is the error of the pixel.
  void startExtras() {
    const int width = target_.width, height = target_.height;
    by_extras_.resize(width, height);
    parallelFor(static_cast<size_t>(height), 16, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) {
        const int y = static_cast<int>(row);
        std::fill_n(by_extras_.row(0, y), width, 0.0f);
        std::fill_n(by_extras_.row(1, y), width, 0.0f);
        for (int x = 0; x < width; ++x) {
          float error = 0;
          for (size_t c = 0; c < 3; ++c)
            error += std::abs(exposed_.row(c, y)[x] - target_.row(c, y)[x]);
          by_extras_.row(2, y)[x] = error;
        }
      }
    });
  }

  void adjustExposure(size_t image) {
    std::array<double, 3> gradient{};
    for (size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (int y = 0; y < exposed_.height; ++y)
        for (int x = 0; x < exposed_.width; ++x)
          sum += static_cast<double>(by_color_.row(c, y)[x]) * exposed_.row(c, y)[x];
      // A weak pull to neutral: the mean of all exposures is the look of the world.
      gradient[c] = sum + 1e-3 * state_.exposures[image].value[c];
    }
    state_.exposures[image].step(gradient, options_.rates.exposure);
    // From the exposed image back to the splats'.
    for (size_t c = 0; c < 3; ++c)
      for (float& g : by_color_.planes[c]) g *= gains_[c];
  }

  void adjustPose(size_t image, const PoseGradient& by_pose) {
    std::array<double, 6> gradient;
    for (size_t k = 0; k < 3; ++k) {
      gradient[k] = by_pose.shift[k];
      gradient[3 + k] = by_pose.turn[k];
    }
    state_.poses[image].step(gradient, options_.rates.pose);
  }

  PoseGradient stepSplats() {
    AdamStep step = schedule_.stepAt(state_.iteration);
    const bool has_extras = state_.iteration % kExtrasEvery == 0;
    if (!has_extras) step.learned_degree = 0;
    // Regularisers are per image and splat: as large as the mean over pixels that the loss is.
    const auto seen = static_cast<double>(std::max<size_t>(1, pass_.splatCount()));
    step.opacity_pull = static_cast<float>(options_.opacity_weight / seen);
    step.scale_pull = static_cast<float>(options_.scale_weight / seen);
    TrainedSplats& splats = state_.splats;
    std::vector<PoseGradient> poses(options_.refine_pose ? pass_.clusterCount() : 0);
    parallelFor(pass_.clusterCount(), 4, [&](size_t begin, size_t end) {
      const auto image = std::make_unique<ImageGradients>();
      const auto gradients = std::make_unique<SplatGradients>();
      std::array<SplatBlame, kClusterSize> blame;
      for (size_t i = begin; i < end; ++i) {
        if (!pass_.gather(i, *image, blame)) continue;
        const size_t cluster = pass_.cluster(i);
        projectBackward(splats.scene, cluster, step.learned_degree, pass_.projection(), *image,
                        *gradients, poses.empty() ? nullptr : &poses[i]);
        adamStep(splats, cluster, *gradients, image->is_seen, step);
        for (size_t place = 0; place < kClusterSize; ++place) {
          if (!image->is_seen[place]) continue;
          const size_t n = cluster * kClusterSize + place;
          splats.views[n] += has_extras ? 1.0f : 0.0f;
          splats.error[n] += blame[place].error;
          if (has_extras) splats.gradient[n] += blame[place].gradient;
        }
      }
    });
    updateGroups(splats.scene);
    PoseGradient sum;
    for (const PoseGradient& part : poses)
      for (size_t k = 0; k < 3; ++k) sum.shift[k] += part.shift[k], sum.turn[k] += part.turn[k];
    return sum;
  }

  // Always of whole images: a figure of smaller ones is higher, and says nothing about these.
  TrainingEvaluation evaluate() {
    TrainingEvaluation evaluation{.iteration = state_.iteration,
                                  .train_psnr_db = psnrOf(state_.mean_squared),
                                  .gaussians = state_.splats.size()};
    if (options_.has_sky) state_.sky.publish();
    const std::vector<size_t>& measured = held_out_.empty() ? trained_ : held_out_;
    const size_t count = std::min(measured.size(), std::max<size_t>(1, options_.evaluate_images));
    double sum = 0;
    for (size_t n = 0; n < count; ++n) {
      const size_t image = measured[n * measured.size() / count];
      const auto target = images_.at(image, 1);
      pass_.render(state_.splats.scene, *images_.cameraOf(image, 1), poseOf(image), settings(),
                   false);
      double squared = 0;
      size_t counted = 0;
      for (int y = 0; y < target->rgb.height; ++y)
        for (int x = 0; x < target->rgb.width; ++x) {
          if (!target->mask.pixels.empty() && *target->mask.at(x, y) == 0) continue;
          ++counted;
          for (size_t c = 0; c < 3; ++c) {
            const float color = std::clamp(pass_.color().row(c, y)[x], 0.0f, 1.0f);
            const float error = color - static_cast<float>(target->rgb.at(x, y)[c]) / 255;
            squared += static_cast<double>(error) * error / 3;
          }
        }
      sum += psnrOf(squared / std::max<double>(1, static_cast<double>(counted)));
    }
    evaluation.images = held_out_.empty() ? 0 : count;
    evaluation.psnr_db = sum / static_cast<double>(count);
    return evaluation;
  }

  // The trainer itself goes on from what it saved, so that a resumed run gives the same bytes.
  void save() {
    const TrainingCheckpoint checkpoint = checkpointOf(state_);
    observer_.onCheckpoint(checkpoint);
    state_ = TrainerState();  // gives its memory back before the new one takes as much
    state_ = stateFrom(checkpoint, set_.images.size(), options_.sky_height);
  }

  const TrainingSet& set_;
  const TrainerOptions& options_;
  Schedule schedule_;
  TrainingObserver& observer_;
  TrainerState state_;
  TargetImages images_;
  std::vector<size_t> trained_, held_out_;
  mutable std::vector<size_t> order_;
  mutable size_t order_round_ = 0;
  ViewPass pass_;
  PlanarImage target_, exposed_, by_color_, by_extras_;
  std::array<float, 3> gains_{1, 1, 1};
};

}  // namespace

size_t estimateTrainingMemory(const TrainingSet& set, const TrainerOptions& options) {
  size_t pixels = 0, within = 0, beside = 0;
  for (const TrainingImage& image : set.images) {
    pixels = std::max(pixels, static_cast<size_t>(image.camera.width) * image.camera.height);
    within += TargetImages::bytesWithin(image.camera);
    beside += TargetImages::bytesBeside(image.camera);
  }
  // Parameters, their moments, the scene, and a copy of all while splats are added.
  const auto coefficients = static_cast<size_t>((options.sh_degree + 1) * (options.sh_degree + 1));
  const size_t per_splat = 2 * (sizeof(float) * 3 * (TrainedSplats::kGeometry + 3 * coefficients) +
                                sizeof(uint16_t) * 3 * coefficients + 64);
  const size_t per_entry = 6 * (sizeof(SplatMoments) + 16);  // a splat is in a few tiles
  const size_t per_pixel = 24 * sizeof(float);
  return options.max_gaussians * (per_splat + per_entry) + pixels * per_pixel + beside +
         std::min(within, options.image_cache_bytes);
}

TrainingResult train(const TrainingSet& set, const GaussianCloud& initial,
                     const TrainerOptions& options, TrainingObserver& observer,
                     const TrainingCheckpoint* resume_from) {
  TrainerState state = resume_from != nullptr
                           ? stateFrom(*resume_from, set.images.size(), options.sky_height)
                           : stateFrom(initial, set.images.size(), options.sky_height);
  return Trainer(set, options, observer, std::move(state)).run();
}

}  // namespace gs
