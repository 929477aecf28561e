// The clock for JavaScript. Hot reads are plain Node-API callbacks without arguments and result: they write
// into memory that JavaScript already holds (11.8 to 18.7 ns here, of which 11 are the counter; returning a
// number costs 19 to 32).
#include "tscope/clock/clock.h"

#include <node_api.h>

#include <algorithm>
#include <vector>

#include "addon/args.h"
#include "addon/fast_calls.h"
#include "addon/register.h"
#include "tscope/clock/anchor.h"
#include "tscope/clock/counter.h"
#include "tscope/clock/cross_core.h"
#include "tscope/clock/features.h"
#include "tscope/clock/kernel_clock.h"
#include "tscope/clock/probe.h"

namespace tscope::addon {

namespace {

using namespace tscope::clock;

// What the hot callbacks of one environment know: where to write and since when to count.
struct HotData {
  double* slot;
  uint64_t base;
  Napi::Reference<Napi::Value> keep;
};

double Since(uint64_t tick, uint64_t base) { return static_cast<double>(static_cast<int64_t>(tick - base)); }

HotData* Hot(napi_env env, napi_callback_info info) {
  void* data = nullptr;
  napi_get_cb_info(env, info, nullptr, nullptr, nullptr, &data);
  return static_cast<HotData*>(data);
}

napi_value ReadTick(napi_env env, napi_callback_info info) {
  HotData* hot = Hot(env, info);
  hot->slot[0] = Since(ReadCounter(), hot->base);
  return nullptr;
}

napi_value ReadTickOrdered(napi_env env, napi_callback_info info) {
  HotData* hot = Hot(env, info);
  hot->slot[0] = Since(ReadCounterOrdered(), hot->base);
  return nullptr;
}

napi_value ReadKernel(napi_env env, napi_callback_info info) {
  HotData* hot = Hot(env, info);
  hot->slot[0] = Since(static_cast<uint64_t>(KernelNs()), hot->base);
  return nullptr;
}

Napi::Value HotFunction(Napi::Env env, const char* name, napi_callback callback, HotData* data) {
  napi_value fn;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, data, &fn);
  return Napi::Value(env, fn);
}

// Argument `index` is `true`.
bool FlagArg(const Napi::CallbackInfo& info, size_t index) {
  return index < info.Length() && info[index].IsBoolean() && info[index].As<Napi::Boolean>().Value();
}

uint64_t ReadKernelClock() { return static_cast<uint64_t>(KernelNs()); }

// open(slot: Float64Array of 8 on a SharedArrayBuffer, kernel: boolean): reads that write slot[0], and what
// was decided about the counter. Shared memory, because an ordinary ArrayBuffer can be detached under the
// pointer by anyone who holds the view.
Napi::Value Open(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  Doubles slot;
  if (!DoublesArg(info, 0, "slot", &slot)) return env.Undefined();
  if (slot.length < 8) {
    Napi::RangeError::New(env, "slot must hold at least 8 numbers").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const Setup& setup = GetSetup();
  const bool kernel = setup.source == Source::kKernel || FlagArg(info, 1);
  const uint64_t base = kernel ? static_cast<uint64_t>(setup.kernel_base) : setup.base;
  auto* hot = new HotData{slot.data, base, Napi::Reference<Napi::Value>::New(info[0], 1)};
  // Runs when the environment goes: after the last JavaScript, before its heap.
  napi_add_env_cleanup_hook(
      env,
      [](void* p) {
        auto* data = static_cast<HotData*>(p);
        ReleaseFastSlot(data->slot);
        delete data;
      },
      hot);
  Napi::Object result = Napi::Object::New(env);
  // One environment per thread is the rule; a second one, or a second `open`, carries its data with the
  // callback.
  const bool claimed = !kernel && ClaimFastSlot(hot->slot, base);
  const auto read = kernel ? ReadKernel : claimed ? ReadClaimed : ReadTick;
  const auto ordered = kernel ? ReadKernel : claimed ? ReadClaimedOrdered : ReadTickOrdered;
  result.Set("read", HotFunction(env, "read", read, hot));
  result.Set("readOrdered", HotFunction(env, "readOrdered", ordered, hot));
  result.Set("source", kernel ? KernelClockName() : setup.name);
  result.Set("kernelClock", KernelClockName());
  result.Set("counting", kernel ? "ns" : "ticks");
  result.Set("reason", setup.reason ? Napi::Value(Napi::String::New(env, setup.reason)) : env.Null());
  result.Set("counterReadNs", setup.counter_read_ns);
  result.Set("kernelReadNs", setup.kernel_read_ns);
  return result;
}

// openFast(slot): V8 fast calls that write into the slot `open` was given, or the reason why not. For
// node:ffi the slot is claimed as well.
Napi::Value OpenFast(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  Doubles slot;
  if (!DoublesArg(info, 0, "slot", &slot)) return env.Undefined();
  if (slot.length < 8) {
    Napi::RangeError::New(env, "slot must hold at least 8 numbers").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const Setup& setup = GetSetup();
  Napi::Object result = Napi::Object::New(env);
  const bool claimed = setup.source != Source::kKernel && ClaimFastSlot(slot.data, setup.base);
  result.Set("claimed", claimed);
  FastReads reads;
  const char* reason = claimed ? MakeV8FastReads(&reads)
                       : setup.source == Source::kKernel
                           ? "the kernel clock is no faster for it"
                           : "this thread already has accelerated reads from another copy of tscope";
  result.Set("reason", reason ? Napi::Value(Napi::String::New(env, reason)) : env.Null());
  if (reason == nullptr) {
    result.Set("read", Napi::Value(env, reads.read));
    result.Set("readOrdered", Napi::Value(env, reads.read_ordered));
  }
  return result;
}

// point(out: Float64Array, index, tries): writes ns, ticks, width and CPU at out[index..index+3].
Napi::Value TakePointInto(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double index = 0, tries = 0;
  Doubles out;
  if (!DoublesArg(info, 0, "out", &out)) return env.Undefined();
  if (!NumberArg(info, 1, "index", &index) || !NumberArg(info, 2, "tries", &tries)) return env.Undefined();
  if (!(index >= 0) || !(index + 4 <= static_cast<double>(out.length))) {
    Napi::RangeError::New(env, "index is outside out").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const Point p = TakePoint(tries >= 1 && tries <= 1000 ? static_cast<int>(tries) : 1);
  double* at = out.data + static_cast<size_t>(index);
  at[0] = p.ns;
  at[1] = p.ticks;
  at[2] = p.width_ns;
  at[3] = CurrentCpu();
  return env.Undefined();
}

Napi::Value FitObject(Napi::Env env, const Fit& fit) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("valid", fit.valid);
  result.Set("hz", fit.ticks_per_ns * 1e9);
  result.Set("sePpm", fit.se_ppm);
  result.Set("sdPpm", fit.sd_ppm);
  result.Set("residualNs", fit.residual_ns);
  result.Set("maxResidualNs", fit.max_residual_ns);
  result.Set("used", static_cast<double>(fit.used));
  result.Set("dropped", static_cast<double>(fit.dropped));
  return result;
}

// fit(points: Float64Array of n groups of 4, parts)
Napi::Value FitFrom(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double parts = 0;
  Doubles data;
  if (!DoublesArg(info, 0, "points", &data)) return env.Undefined();
  if (!NumberArg(info, 1, "parts", &parts)) return env.Undefined();
  std::vector<Point> points;
  points.reserve(data.length / 4);
  for (size_t i = 0; i + 4 <= data.length; i += 4)
    points.push_back({data.data[i], data.data[i + 1], data.data[i + 2]});
  const Fit fit = FitPoints(points, parts >= 2 && parts <= 1000 ? static_cast<size_t>(parts) : 0);
  return FitObject(env, fit);
}

// steps(n, kernel): granularity and backward steps of n readings.
Napi::Value StepsNow(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double n = 0;
  if (!NumberArg(info, 0, "n", &n)) return env.Undefined();
  const Steps steps = MeasureSteps(FlagArg(info, 1) ? ReadKernelClock : GetSetup().read,
                                   n >= 2 && n <= 65536 ? static_cast<size_t>(n) : 65536);
  Napi::Object result = Napi::Object::New(env);
  result.Set("granularity", static_cast<double>(steps.granularity));
  result.Set("gcd", static_cast<double>(steps.gcd));
  result.Set("smallest", static_cast<double>(steps.smallest));
  result.Set("backward", static_cast<double>(steps.backward));
  return result;
}

// check(startNs, startTicks, startWidth, endNs, endTicks, endWidth, nsPerTick)
Napi::Value Check(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double v[7];
  for (size_t i = 0; i < 7; i++) {
    if (!NumberArg(info, i, "anchor", &v[i])) return env.Undefined();
  }
  const Drift drift = CheckAnchors({v[0], v[1], v[2]}, {v[3], v[4], v[5]}, v[6]);
  Napi::Object result = Napi::Object::New(env);
  result.Set("driftNs", drift.drift_ns);
  result.Set("ppm", drift.ppm);
  result.Set("elapsedNs", drift.elapsed_ns);
  result.Set("discontinuity", drift.discontinuity);
  return result;
}

Napi::Value FeaturesOf(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  const Features& f = GetFeatures();
  Napi::Object result = Napi::Object::New(env);
  result.Set("architecture", f.architecture);
  result.Set("vendor", f.vendor);
  result.Set("counter", f.counter);
  result.Set("counterAllowed", f.counter_allowed);
  result.Set("invariant", f.invariant);
  result.Set("rdtscp", f.rdtscp);
  result.Set("rdpid", f.rdpid);
  result.Set("rdpru", f.rdpru);
  result.Set("lfenceSerializing", f.lfence_serializing);
  result.Set("hypervisor", f.hypervisor);
  result.Set("nominalHz", f.nominal_hz > 0 ? Napi::Value(Napi::Number::New(env, f.nominal_hz)) : env.Null());
  result.Set("nominalFrom", f.nominal_from);
  return result;
}

// calibrate(ms, points, parts): blocks for ms, sleeping.
Napi::Value CalibrateNow(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double ms = 0, points = 0, parts = 0;
  if (!NumberArg(info, 0, "ms", &ms) || !NumberArg(info, 1, "points", &points) ||
      !NumberArg(info, 2, "parts", &parts)) {
    return env.Undefined();
  }
  if (!(ms > 0 && ms <= 1e6 && points >= 3 && points <= 1e5 && parts >= 0 && parts <= 1000)) {
    Napi::RangeError::New(env, "calibrate: out of range").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  return FitObject(env, Calibrate(ms, static_cast<size_t>(points), static_cast<size_t>(parts)));
}

// backward(n): backward steps among n readings.
Napi::Value Backward(const Napi::CallbackInfo& info) {
  double n = 0;
  if (!NumberArg(info, 0, "n", &n)) return info.Env().Undefined();
  const bool sane = n >= 1 && n <= 1e8;
  return Napi::Number::New(info.Env(), static_cast<double>(CountBackward(sane ? static_cast<size_t>(n) : 0)));
}

// offset(first, second, exchanges, limitMs): see MeasurePair.
Napi::Value OffsetBetween(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  double v[4];
  for (size_t i = 0; i < 4; i++) {
    if (!NumberArg(info, i, "offset", &v[i])) return env.Undefined();
  }
  if (!(v[0] >= 0 && v[0] < 1e6 && v[1] >= 0 && v[1] < 1e6 && v[2] >= 1 && v[2] <= 1e7 && v[3] > 0 &&
        v[3] <= 1e6)) {
    Napi::RangeError::New(env, "offset: out of range").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const PairResult pair = MeasurePair(static_cast<int>(v[0]), static_cast<int>(v[1]),
                                      static_cast<size_t>(v[2]), static_cast<int64_t>(v[3] * 1e6));
  Napi::Object result = Napi::Object::New(env);
  result.Set("errno", pair.error);
  result.Set("exchanges", static_cast<double>(pair.forward.exchanges + pair.backward.exchanges));
  result.Set("offsetTicks", pair.both.offset_ticks);
  result.Set("asymmetryTicks", pair.both.asymmetry_ticks);
  result.Set("spreadTicks", std::max(pair.forward.spread_ticks, pair.backward.spread_ticks));
  result.Set("boundTicks", std::min(pair.forward.bound_ticks, pair.backward.bound_ticks));
  result.Set("roundTripTicks", std::min(pair.forward.round_trip_ticks, pair.backward.round_trip_ticks));
  result.Set("violations", static_cast<double>(pair.forward.violations + pair.backward.violations));
  return result;
}

// probe(name): "works", "faults" or "unknown".
Napi::Value ProbeOne(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  if (info.Length() < 1 || !info[0].IsString()) {
    Napi::TypeError::New(env, "probe: name must be a string").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const std::string name = info[0].As<Napi::String>().Utf8Value();
  switch (ProbeInstruction(name.c_str())) {
    case Probe::kWorks:
      return Napi::String::New(env, "works");
    case Probe::kFaults:
      return Napi::String::New(env, "faults");
    default:
      return Napi::String::New(env, "unknown");
  }
}

// nativeCost(ordered): what one read costs in C++, ns; the measure for the paths from JavaScript.
Napi::Value NativeCost(const Napi::CallbackInfo& info) {
  const Setup& setup = GetSetup();
  return Napi::Number::New(info.Env(), ReadCostNs(FlagArg(info, 0) ? setup.read_ordered : setup.read));
}

Napi::Object RegisterClock(Napi::Env env) {
  Napi::Object target = Napi::Object::New(env);
  Method<Open>(target, "open");
  Method<OpenFast>(target, "openFast");
  Method<CalibrateNow>(target, "calibrate");
  Method<Backward>(target, "backward");
  Method<OffsetBetween>(target, "offset");
  Method<ProbeOne>(target, "probe");
  Method<NativeCost>(target, "nativeCost");
  Method<TakePointInto>(target, "point");
  Method<FitFrom>(target, "fit");
  Method<StepsNow>(target, "steps");
  Method<Check>(target, "check");
  Method<FeaturesOf>(target, "features");
  return target;
}

}  // namespace

TSCOPE_ADDON_CONCERN(clock, RegisterClock)

}  // namespace tscope::addon
