// Every concern of native/core has one binding file; each adds its functions to the module's exports, once per environment
// (main thread and every worker).
#pragma once

#include <napi.h>

namespace tscope::addon {}
