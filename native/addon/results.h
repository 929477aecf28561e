// Options and results of native/core/thread and native/core/histogram as JavaScript values, shared by several
// bindings.
#pragma once

#include <napi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tscope/histogram/recorder.h"
#include "tscope/thread/thread.h"
#include "tscope/thread/time_base.h"

namespace tscope::addon {

inline double NumberOf(Napi::Object options, const char* name) {
  return options.Get(name).ToNumber().DoubleValue();
}
inline bool FlagOf(Napi::Object options, const char* name) { return options.Get(name).ToBoolean().Value(); }

// cpu, avoid (-1 = any, none), fifo
inline thread::Placement PlacementOf(Napi::Object options) {
  return {static_cast<int>(NumberOf(options, "cpu")), static_cast<int>(NumberOf(options, "avoid")),
          FlagOf(options, "fifo")};
}

// kernel, nsPerTick
inline thread::TimeBase TimeBaseOf(Napi::Object options) {
  return thread::TimeBase::Of(FlagOf(options, "kernel"), NumberOf(options, "nsPerTick"));
}

struct Words {
  int32_t* data = nullptr;
  // Of the buffer, from the first word of the view on.
  size_t bytes_to_end = 0;
};

// Argument `index` as an Int32Array on shared memory, 8-byte aligned; throws TypeError (and returns false)
// otherwise. Shared memory cannot be detached while a thread holds the pointer.
inline bool WordsArg(const Napi::CallbackInfo& info, size_t index, const char* name, Words* out) {
  napi_typedarray_type type;
  size_t length = 0, offset = 0;
  void* data = nullptr;
  napi_value buffer;
  bool detachable = true;
  if (index < info.Length() && info[index].IsTypedArray() &&
      napi_get_typedarray_info(info.Env(), info[index], &type, &length, &data, &buffer, &offset) == napi_ok &&
      type == napi_int32_array && napi_is_arraybuffer(info.Env(), buffer, &detachable) == napi_ok &&
      !detachable && reinterpret_cast<uintptr_t>(data) % 8 == 0) {
    const double bytes = Napi::Object(info.Env(), buffer).Get("byteLength").ToNumber().DoubleValue();
    out->data = static_cast<int32_t*>(data);
    out->bytes_to_end = static_cast<size_t>(bytes) - offset;
    return true;
  }
  Napi::TypeError::New(info.Env(), std::string(name) + " must be an Int32Array on a SharedArrayBuffer")
      .ThrowAsJavaScriptException();
  return false;
}

inline Napi::Float64Array FromDoubles(Napi::Env env, const std::vector<double>& values) {
  auto out = Napi::Float64Array::New(env, values.size());
  std::copy(values.begin(), values.end(), out.Data());
  return out;
}

// {step, errno}: what the system refused, see lib/native/surface/thread.ts.
inline Napi::Object FromRefusal(Napi::Env env, const thread::Refusal& refusal) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("step", static_cast<double>(static_cast<int>(refusal.step)));
  out.Set("errno", refusal.error);
  return out;
}

// Buckets with a count only, as pairs: lowest value of the bucket, count.
inline Napi::Object FromSnapshot(Napi::Env env, const histogram::Snapshot& snapshot) {
  std::vector<double> pairs;
  for (uint32_t i = 0; i < snapshot.counts.size(); i++) {
    if (snapshot.counts[i] == 0) continue;
    pairs.push_back(static_cast<double>(histogram::LowerBound(i)));
    pairs.push_back(static_cast<double>(snapshot.counts[i]));
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("buckets", FromDoubles(env, pairs));
  out.Set("total", static_cast<double>(snapshot.total));
  out.Set("min", static_cast<double>(snapshot.min));
  out.Set("max", static_cast<double>(snapshot.max));
  out.Set("sum", static_cast<double>(snapshot.sum));
  out.Set("over", static_cast<double>(snapshot.over));
  return out;
}

}  // namespace tscope::addon
