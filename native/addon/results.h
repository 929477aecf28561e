// Results of native/core/thread and native/core/histogram as JavaScript values, shared by several bindings.
#pragma once

#include <napi.h>

#include <algorithm>
#include <vector>

#include "tscope/histogram/recorder.h"
#include "tscope/thread/thread.h"

namespace tscope::addon {

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
