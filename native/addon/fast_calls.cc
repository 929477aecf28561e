#include "addon/fast_calls.h"

#include <cstring>

#include "tscope/clock/counter.h"

#if defined(__linux__) || defined(__APPLE__)
#include <dlfcn.h>
#define TSCOPE_ITANIUM 1
#endif

namespace tscope::addon {

namespace {

struct Target {
  double* slot;
  uint64_t base;
};

#if defined(__GLIBC__)
// Without a call into the loader for every read; 16 bytes of the space that glibc keeps for this.
__attribute__((tls_model("initial-exec")))
#endif
thread_local Target target = {nullptr, 0};

inline void Write(uint64_t tick) {
  double* slot = target.slot;
  if (slot != nullptr) slot[0] = static_cast<double>(static_cast<int64_t>(tick - target.base));
}

}  // namespace

bool ClaimFastSlot(double* slot, uint64_t base) {
  if (target.slot != nullptr && target.slot != slot) return false;
  target = {slot, base};
  return true;
}

void ReleaseFastSlot(double* slot) {
  if (target.slot == slot) target = {nullptr, 0};
}

napi_value ReadClaimed(napi_env, napi_callback_info) {
  Write(clock::ReadCounter());
  return nullptr;
}

napi_value ReadClaimedOrdered(napi_env, napi_callback_info) {
  Write(clock::ReadCounterOrdered());
  return nullptr;
}

#if defined(TSCOPE_ITANIUM)

namespace {

using clock::ReadCounter;
using clock::ReadCounterOrdered;

// The fast twin must not touch the JavaScript heap; it gets the receiver and ignores it. The slow twin does
// the same work and counts, so that a test can tell which of the two V8 calls.
void FastRead(void*) { Write(ReadCounter()); }
void FastReadOrdered(void*) { Write(ReadCounterOrdered()); }
void CountSlow() {
  if (target.slot != nullptr) target.slot[kSlowCount] += 1;
}
void SlowRead(const void*) {
  Write(ReadCounter());
  CountSlow();
}
void SlowReadOrdered(const void*) {
  Write(ReadCounterOrdered());
  CountSlow();
}

// Own description of what V8 reads when it is handed a fast callback; the header is not part of Node's
// installed headers. A function is {address, info}; info is the record of the return type, from 12.x a byte
// for the representation of 64-bit integers, the argument count at byte 4 and a pointer to the argument
// records at byte 8. The first byte of a record is its type. Confirmed by disassembling the constructors that
// each binary exports. The versions differ in the size of a record (3 bytes, 2 in 14.6) and in the
// representation byte (none in 11.3), neither of which matters for `void` with nothing but a receiver: one
// record, and the byte is zero.
constexpr const char* kTested[] = {"11.3.", "12.4.", "13.6.", "14.6."};
constexpr uint8_t kVoid = 0, kValue = 10;

struct alignas(8) TypeInfo {
  uint8_t head[16];
  uint8_t receiver[8];
};
struct FastFunction {
  const void* address;
  const void* info;
};

bool Tested(const char* version) {
  for (const char* prefix : kTested) {
    if (std::strncmp(version, prefix, std::strlen(prefix)) == 0) return true;
  }
  return false;
}

void Describe(TypeInfo* info) {
  std::memset(info, 0, sizeof *info);
  info->head[0] = kVoid;
  const uint32_t count = 1;
  std::memcpy(info->head + 4, &count, sizeof count);
  const void* records = info->receiver;
  std::memcpy(info->head + 8, &records, sizeof records);
  info->receiver[0] = kValue;
}

template <typename Fn>
bool Find(const char* symbol, Fn* out) {
  *out = reinterpret_cast<Fn>(dlsym(RTLD_DEFAULT, symbol));
  return *out != nullptr;
}

using SlowFn = void (*)(const void*);

}  // namespace

const char* MakeV8FastReads(FastReads* out) {
  const char* (*version)();
  void* (*current_isolate)();
  void* (*current_context)(void*);
  void* (*new_template)(void*, SlowFn, void*, void*, int, int, int, const void*, uint16_t, uint16_t,
                        uint16_t);
  void* (*get_function)(void*, void*);
  if (!Find("_ZN2v82V810GetVersionEv", &version)) return "this binary does not export V8";
  if (!Tested(version())) return "this V8 is not one of those tested (11.3, 12.4, 13.6, 14.6)";
  const bool found =
      Find("_ZN2v87Isolate10GetCurrentEv", &current_isolate) &&
      Find("_ZN2v87Isolate17GetCurrentContextEv", &current_context) &&
      Find(
          "_ZN2v816FunctionTemplate3NewEPNS_7IsolateEPFvRKNS_20FunctionCallbackInfoINS_5ValueEEEENS_"
          "5LocalIS4_"
          "EENSA_INS_9SignatureEEEiNS_19ConstructorBehaviorENS_14SideEffectTypeEPKNS_9CFunctionEttt",
          &new_template) &&
      Find("_ZN2v816FunctionTemplate11GetFunctionENS_5LocalINS_7ContextEEE", &get_function);
  if (!found) return "this V8 does not export what a fast call needs";
  // V8 keeps the pointers for as long as the process lives.
  static const struct Reads {
    TypeInfo info;
    FastFunction plain, ordered;
    Reads() {
      Describe(&info);
      plain = {reinterpret_cast<const void*>(FastRead), &info};
      ordered = {reinterpret_cast<const void*>(FastReadOrdered), &info};
    }
  } reads;
  void* isolate = current_isolate();
  void* context = current_context(isolate);
  auto make = [&](SlowFn slow, const FastFunction* fast) {
    constexpr int kThrowIfConstructed = 0, kHasSideEffect = 0;
    void* made =
        new_template(isolate, slow, nullptr, nullptr, 0, kThrowIfConstructed, kHasSideEffect, fast, 0, 0, 0);
    return made != nullptr ? reinterpret_cast<napi_value>(get_function(made, context)) : nullptr;
  };
  out->read = make(SlowRead, &reads.plain);
  out->read_ordered = make(SlowReadOrdered, &reads.ordered);
  return out->read != nullptr && out->read_ordered != nullptr ? nullptr : "V8 refused the function";
}

#else

// Other names and a hidden return pointer: not under this compiler.
const char* MakeV8FastReads(FastReads*) { return "V8 fast calls are not looked for on this platform"; }

#endif

}  // namespace tscope::addon

// For node:ffi, which opens this very file.
#if defined(_WIN32)
#define TSCOPE_EXPORT extern "C" __declspec(dllexport)
#else
#define TSCOPE_EXPORT extern "C" __attribute__((visibility("default")))
#endif

TSCOPE_EXPORT void tscope_read() { tscope::addon::Write(tscope::clock::ReadCounter()); }
TSCOPE_EXPORT void tscope_read_ordered() { tscope::addon::Write(tscope::clock::ReadCounterOrdered()); }
