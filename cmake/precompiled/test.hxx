// SPDX-License-Identifier: Apache-2.0
// As library.hxx, for tests.
#include "library.hxx"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
