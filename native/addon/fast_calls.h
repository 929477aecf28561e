// Reads that take their slot from the thread, not from the callback's data, and cheaper ways into them than
// Node-API: V8's fast C calls, found in the running binary, and an exported C symbol that node:ffi can call.
// Both are opt-in; lib/clock/fast.ts tests them before it uses them.
#pragma once

#include <node_api.h>

#include <cstdint>

namespace tscope::addon {

struct FastReads {
  napi_value read = nullptr;
  napi_value read_ordered = nullptr;
};

// Where the fast reads of this thread write (they get no arguments), and how often the slow twin ran:
// slot[kSlowCount].
inline constexpr int kSlowCount = 7;

// Sets the slot for both ways. False if another copy of the library has taken this thread.
bool ClaimFastSlot(double* slot, uint64_t base);
// When the environment goes.
void ReleaseFastSlot(double* slot);

// Node-API callbacks for a thread whose slot is claimed: without asking for the callback's data they cost 2.4
// ns less.
napi_value ReadClaimed(napi_env env, napi_callback_info info);
napi_value ReadClaimedOrdered(napi_env env, napi_callback_info info);

// Null and the functions, or why not (one sentence).
const char* MakeV8FastReads(FastReads* out);

}  // namespace tscope::addon
