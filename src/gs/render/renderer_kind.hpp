// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/fields.hpp"

namespace gs {

// Backends by name; which are there, makeSplatRenderer knows.
enum class RendererKind { Auto, Cpu, Vulkan, Reference };
constexpr auto enumWords(std::type_identity<RendererKind>) {
  return std::to_array<EnumWord<RendererKind>>({{RendererKind::Auto, "auto"},
                                                {RendererKind::Cpu, "cpu"},
                                                {RendererKind::Vulkan, "vulkan"},
                                                {RendererKind::Reference, "reference"}});
}

}  // namespace gs
