// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town_renderer.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"
#include "gs/synthetic/town/shading.hpp"
#include "gs/synthetic/town/textures.hpp"
#include "gs/synthetic/town/tone_curve.hpp"
#include "gs/synthetic/town/tracer.hpp"

namespace gs {
namespace {

constexpr float kReach = 600;
constexpr int kTile = 32;

// What is kept of a pixel's middle to decide where edges are.
struct Sample {
  Vec3f color = Vec3f::Zero();
  Vec3f normal = Vec3f::Zero();
  Vec3f position = Vec3f::Zero();
  float distance = 0;  // 0: sky
  uint16_t material = 0xffff;
  bool is_moving = false;
  bool is_lit = false;
};

using Movers = std::vector<const PlacedMover*>;

// One image being made.
struct Frame {
  const Tracer& tracer;
  const RayTable& table;
  Eigen::Matrix3f map_from_camera;
  Vec3f eye;
  float pixel_angle;
  Movers movers;
  std::vector<Sample> samples;

  Sample& at(int x, int y) { return samples[static_cast<size_t>(y) * table.width() + x]; }
};

struct LitPoint {
  SurfacePoint point;
  Vec3f flat_normal;
};

// The hit as a surface point, light still missing.
LitPoint pointOf(const Frame& frame, const SceneHit& hit, const Vec3f& direction) {
  const Surface::Triangle& t = *hit.triangle;
  const auto& vertices = hit.surface->vertices;
  const auto &a = vertices[t.corners[0]], &b = vertices[t.corners[1]], &c = vertices[t.corners[2]];
  const float wb = hit.u, wc = hit.v, wa = 1 - wb - wc;
  LitPoint out;
  SurfacePoint& p = out.point;
  p.material = &frame.tracer.model().materials[t.material];
  p.view = direction;
  p.distance = hit.distance;
  p.variation = t.variation;
  p.u = wa * a.uv[0] + wb * b.uv[0] + wc * c.uv[0];
  p.v = wa * a.uv[1] + wb * b.uv[1] + wc * c.uv[1];
  p.normal = (a.normal * wa + b.normal * wb + c.normal * wc).normalized();
  p.position = a.position * wa + b.position * wb + c.position * wc;
  Vec3f tangent = t.tangent;
  out.flat_normal = t.normal;
  if (hit.mover) {
    p.normal = hit.mover->map_from_mover * p.normal;
    tangent = hit.mover->map_from_mover * tangent;
    out.flat_normal = hit.mover->map_from_mover * out.flat_normal;
  } else {
    const auto open = frame.tracer.openness();
    p.openness = wa * open[t.corners[0]] + wb * open[t.corners[1]] + wc * open[t.corners[2]];
  }
  if (out.flat_normal.dot(direction) > 0) {
    out.flat_normal = -out.flat_normal;
    if (p.material->texture != Texture::Leaf) p.normal = -p.normal;  // leaves shine through
  }
  // Width of the pixel's cone on the plane, along u and along v.
  const float facing = std::max(0.02f, -out.flat_normal.dot(direction));
  const float radius = hit.distance * frame.pixel_angle;
  const float slide_u = tangent.dot(direction) / facing;
  const float slide_v = tangent.cross(out.flat_normal).dot(direction) / facing;
  p.width_u = radius * std::sqrt(1 + slide_u * slide_u) * t.uv_per_metre[0];
  p.width_v = radius * std::sqrt(1 + slide_v * slide_v) * t.uv_per_metre[1];
  return out;
}

float reflectivityAt(const Tracer& tracer, const SceneHit& hit) {
  constexpr float kBeamAngle = 0.003f;  // divergence of a common sensor, radians
  const Surface::Triangle& t = *hit.triangle;
  const auto mixed = [&](int axis) {
    const auto uv = [&](int corner) { return hit.surface->vertices[t.corners[corner]].uv[axis]; };
    return uv(0) * (1 - hit.u - hit.v) + uv(1) * hit.u + uv(2) * hit.v;
  };
  return evaluateReflectivity(tracer.model().materials[t.material], mixed(0), mixed(1),
                              hit.distance * kBeamAngle);
}

// Rays of up to eight pixels, from the eye to a colour.
void shadePacket(const Frame& frame, const Movers& near, const Vec3f (&ways)[kPacket], int count,
                 Sample (&out)[kPacket]) {
  RayPacket rays{};
  for (int i = 0; i < count; ++i) rays.set(i, frame.eye, ways[i], kReach);
  SceneHit hits[kPacket];
  frame.tracer.intersect(rays, near, true, hits);

  LitPoint points[kPacket];
  RayPacket shadow{};
  bool has_shadow_rays = false;
  for (int i = 0; i < count; ++i) {
    out[i] = {};
    if (!hits[i].triangle) continue;
    points[i] = pointOf(frame, hits[i], ways[i]);
    const LitPoint& lit = points[i];
    out[i].normal = lit.flat_normal;
    out[i].position = frame.eye + ways[i] * hits[i].distance;
    out[i].distance = hits[i].distance;
    out[i].material = hits[i].triangle->material;
    out[i].is_moving = hits[i].mover != nullptr;
    if (lit.point.normal.dot(sunDirection()) <= 0) continue;
    const float lift = 2e-4f * hits[i].distance + 3e-3f;
    shadow.set(i, out[i].position + lit.flat_normal * lift, sunDirection(), 250);
    has_shadow_rays = true;
  }
  if (has_shadow_rays) frame.tracer.findOccluded(shadow, frame.movers);
  for (int i = 0; i < count; ++i) {
    if (!hits[i].triangle) {
      out[i].color = skyColor(ways[i]);
      continue;
    }
    out[i].is_lit = shadow.valid[i] != 0 && shadow.far[i] > 0;
    points[i].point.sun = out[i].is_lit ? 1.0f : 0.0f;
    out[i].color = shade(points[i].point);
  }
}

// Movers that any ray of the tile may meet: those within the cone around it.
Movers moversNear(const Frame& frame, int x0, int y0, int x1, int y1) {
  const auto ray = [&](int x, int y) {
    return frame.table.rayAt(static_cast<float>(x), static_cast<float>(y));
  };
  const Vec3f axis = ray((x0 + x1) / 2, (y0 + y1) / 2);
  float cosine = 1;
  for (const int x : {x0, x1})
    for (const int y : {y0, y1}) cosine = std::min(cosine, axis.dot(ray(x, y)));
  const float spread = std::acos(std::clamp(cosine, -1.0f, 1.0f)) + 2 * frame.pixel_angle;
  Movers near;
  for (const PlacedMover* mover : frame.movers) {
    const Vec3f way = frame.map_from_camera.transpose() * (mover->middle - frame.eye);
    const float distance = way.norm();
    if (distance > mover->radius) {
      const float apart = std::acos(std::clamp(way.dot(axis) / distance, -1.0f, 1.0f));
      if (apart > spread + std::asin(mover->radius / distance)) continue;
    }
    near.push_back(mover);
  }
  return near;
}

struct Tile {
  int x0, y0, x1, y1;
};

// Pass 1: the middle of every pixel, in blocks of 4 x 2.
void renderMiddles(Frame& frame, const Tile& tile) {
  const Movers near = moversNear(frame, tile.x0, tile.y0, tile.x1 - 1, tile.y1 - 1);
  for (int y = tile.y0; y < tile.y1; y += 2)
    for (int x = tile.x0; x < tile.x1; x += 4) {
      Vec3f ways[kPacket];
      int where[kPacket][2], count = 0;
      for (int j = y; j < std::min(y + 2, tile.y1); ++j)
        for (int i = x; i < std::min(x + 4, tile.x1); ++i) {
          ways[count] = frame.map_from_camera *
                        frame.table.rayAt(static_cast<float>(i), static_cast<float>(j));
          where[count][0] = i, where[count][1] = j;
          ++count;
        }
      Sample out[kPacket];
      shadePacket(frame, near, ways, count, out);
      for (int k = 0; k < count; ++k) frame.at(where[k][0], where[k][1]) = out[k];
    }
}

bool isEdge(const Sample& a, const Sample& b, float pixel_angle) {
  if (a.material != b.material || a.is_moving != b.is_moving || a.is_lit != b.is_lit) return true;
  if (a.distance == 0) return false;
  if (a.normal.dot(b.normal) < 0.93f) return true;
  // Two points of one plane are no edge, however far apart.
  const float step = std::abs((a.position - b.position).dot(a.normal));
  return step > 2.5f * pixel_angle * std::max(a.distance, b.distance) + 0.01f;
}

bool isOnEdge(Frame& frame, int x, int y) {
  const Sample& here = frame.at(x, y);
  const int w = frame.table.width(), h = frame.table.height();
  const auto differs = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < w && j < h && isEdge(here, frame.at(i, j), frame.pixel_angle);
  };
  return differs(x - 1, y) || differs(x + 1, y) || differs(x, y - 1) || differs(x, y + 1);
}

// Pass 2: pixels on edges get four more samples, two pixels per packet.
void smoothEdges(Frame& frame, const Tile& tile, const ToneCurve& tone, Image8& rgb) {
  constexpr float kOffsets[4][2] = {
      {-0.125f, -0.375f}, {0.375f, -0.125f}, {0.125f, 0.375f}, {-0.375f, 0.125f}};
  const Movers near = moversNear(frame, tile.x0, tile.y0, tile.x1 - 1, tile.y1 - 1);
  Vec3f ways[kPacket];
  int where[2][2], pixels = 0;
  const auto flush = [&] {
    Sample out[kPacket];
    shadePacket(frame, near, ways, 4 * pixels, out);
    for (int k = 0; k < pixels; ++k) {
      Vec3f sum = tone.display(frame.at(where[k][0], where[k][1]).color);
      for (int i = 0; i < 4; ++i) sum += tone.display(out[4 * k + i].color);
      tone.store(sum / 5, rgb.at(where[k][0], where[k][1]));
    }
    pixels = 0;
  };
  for (int y = tile.y0; y < tile.y1; ++y)
    for (int x = tile.x0; x < tile.x1; ++x) {
      if (!isOnEdge(frame, x, y)) {
        tone.store(tone.display(frame.at(x, y).color), rgb.at(x, y));
        continue;
      }
      for (int i = 0; i < 4; ++i)
        ways[4 * pixels + i] =
            frame.map_from_camera * frame.table.rayAt(static_cast<float>(x) + kOffsets[i][0],
                                                      static_cast<float>(y) + kOffsets[i][1]);
      where[pixels][0] = x, where[pixels][1] = y;
      if (++pixels == 2) flush();
    }
  if (pixels > 0) flush();
}

template <typename Body>
void forEachTile(int width, int height, const Body& body) {
  const int columns = (width + kTile - 1) / kTile, rows = (height + kTile - 1) / kTile;
  parallelFor(static_cast<size_t>(columns) * rows, 4, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const int x = static_cast<int>(i) % columns * kTile,
                y = static_cast<int>(i) / columns * kTile;
      body(Tile{x, y, std::min(x + kTile, width), std::min(y + kTile, height)});
    }
  });
}

void storeTruth(Frame& frame, TrueView& view) {
  const int width = frame.table.width(), height = frame.table.height();
  view.depth = ImageF(width, height, 1);
  view.moving = Image8(width, height, 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Sample& sample = frame.at(x, y);
      const float forward = frame.table.rayAt(static_cast<float>(x), static_cast<float>(y)).z();
      *view.depth.at(x, y) = sample.distance * forward;
      *view.moving.at(x, y) = sample.is_moving ? 255 : 0;
    }
}

}  // namespace

struct TownRenderer::Impl {
  Tracer tracer;
};

TownRenderer::TownRenderer(const Town& town) : impl_(new Impl{Tracer(town.sharedModel())}) {}
TownRenderer::~TownRenderer() = default;
TownRenderer::TownRenderer(TownRenderer&&) noexcept = default;
TownRenderer& TownRenderer::operator=(TownRenderer&&) noexcept = default;

TrueView TownRenderer::renderView(const RayTable& rays, const Rigid3& map_from_camera, double t,
                                  const RenderOptions& options, bool with_truth) const {
  const std::vector<PlacedMover> placed =
      options.has_moving_objects ? impl_->tracer.placeMovers(t) : std::vector<PlacedMover>{};
  Frame frame{.tracer = impl_->tracer,
              .table = rays,
              .map_from_camera = map_from_camera.rotation.toRotationMatrix().cast<float>(),
              .eye = map_from_camera.translation.cast<float>(),
              .pixel_angle = rays.pixelAngle(),
              .movers = {},
              .samples = {}};
  for (const PlacedMover& mover : placed) frame.movers.push_back(&mover);
  frame.samples.resize(static_cast<size_t>(rays.width()) * rays.height());
  TrueView view;
  view.rgb = Image8(rays.width(), rays.height(), 3);
  const ToneCurve tone(options.exposure);
  forEachTile(rays.width(), rays.height(), [&](const Tile& tile) { renderMiddles(frame, tile); });
  forEachTile(rays.width(), rays.height(),
              [&](const Tile& tile) { smoothEdges(frame, tile, tone, view.rgb); });
  if (with_truth) storeTruth(frame, view);
  return view;
}

void TownRenderer::cast(std::span<const Ray> rays, std::span<Hit> hits,
                        bool has_moving_objects) const {
  GS_CHECK(rays.size() == hits.size());
  const Tracer& tracer = impl_->tracer;
  constexpr size_t kBlock = 512;
  parallelFor(rays.size(), kBlock, [&](size_t begin, size_t end) {
    std::vector<PlacedMover> placed;
    Movers movers;
    double placed_at = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = begin; i < end; i += kPacket) {
      const int count = static_cast<int>(std::min<size_t>(kPacket, end - i));
      // A packet sees the movers at its first ray's moment: beams are microseconds apart.
      if (has_moving_objects && rays[i].t != placed_at) {
        placed = tracer.placeMovers(placed_at = rays[i].t);
        movers.clear();
        for (const PlacedMover& mover : placed) movers.push_back(&mover);
      }
      RayPacket packet{};
      for (int k = 0; k < count; ++k)
        packet.set(k, rays[i + k].origin, rays[i + k].direction, kReach);
      SceneHit found[kPacket];
      tracer.intersect(packet, movers, false, found);
      for (int k = 0; k < count; ++k) {
        Hit& hit = hits[i + k];
        hit = {};
        if (!found[k].triangle) continue;
        const Surface::Triangle& triangle = *found[k].triangle;
        const Vec3f normal = found[k].mover
                                 ? Vec3f(found[k].mover->map_from_mover * triangle.normal)
                                 : triangle.normal;
        hit.range = found[k].distance;
        hit.reflectivity = reflectivityAt(tracer, found[k]);
        hit.thing = found[k].mover ? Thing::Moving : triangle.thing;
        hit.cos_incidence = std::abs(normal.dot(rays[i + k].direction));
      }
    }
  });
}

}  // namespace gs
