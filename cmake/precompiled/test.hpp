// SPDX-License-Identifier: Apache-2.0
// As library.hpp, for tests.
#include "library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
