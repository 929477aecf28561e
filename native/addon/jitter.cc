// Binding of native/core/jitter.
#include <memory>

#include "addon/args.h"
#include "addon/register.h"
#include "addon/results.h"
#include "addon/thread_handle.h"
#include "tscope/jitter/sampler.h"
#include "tscope/thread/thread.h"

namespace tscope::addon {
namespace {

using Info = const Napi::CallbackInfo&;
using jitter::Config;

class SamplerHandle : public ThreadHandle {
 public:
  SamplerHandle(Napi::Env env, Napi::Function callback) : ThreadHandle(env, callback, "tscope.jitter") {}

  bool Start(const Config& config, jitter::StartFailure* failure) {
    time_ = config.time;
    sampler_ = jitter::Sampler::Start(
        config, [this] { Notify(kEnded); }, failure);
    return sampler_ != nullptr;
  }
  void Stop() override { sampler_->RequestStop(); }
  void Join() override {
    sampler_->Join();
    joined_ = true;
  }
  bool joined() const { return joined_; }
  const jitter::Result& result() const { return sampler_->result(); }
  const thread::TimeBase& time() const { return time_; }

 private:
  std::unique_ptr<jitter::Sampler> sampler_;
  thread::TimeBase time_;
  bool joined_ = false;
};

Config ToConfig(Napi::Object options) {
  Config config;
  config.kind = FlagOf(options, "sleep") ? jitter::Kind::kSleep : jitter::Kind::kSpin;
  config.cpu = static_cast<int>(NumberOf(options, "cpu"));
  config.fifo = FlagOf(options, "fifo");
  config.duration_ns = static_cast<uint64_t>(NumberOf(options, "durationNs"));
  config.threshold_ns = static_cast<uint64_t>(NumberOf(options, "thresholdNs"));
  config.capacity = static_cast<uint32_t>(NumberOf(options, "capacity"));
  config.interval_ns = static_cast<uint64_t>(NumberOf(options, "intervalNs"));
  config.time = TimeBaseOf(options);
  return config;
}

// start(options, onEnd): the handle, or {busy, step, errno}
Napi::Value Start(Info info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject() || !info[1].IsFunction()) {
    Napi::TypeError::New(env, "start needs options and a function").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  auto handle = std::make_unique<SamplerHandle>(env, info[1].As<Napi::Function>());
  jitter::StartFailure failure;
  if (handle->Start(ToConfig(info[0].As<Napi::Object>()), &failure)) return handle.release()->Adopt();
  Napi::Object out = FromRefusal(env, failure.refusal);
  out.Set("busy", failure.busy);
  return out;
}

Napi::Value Stop(Info info) {
  if (auto* handle = ThreadHandle::Of<SamplerHandle>(info, "sampler")) handle->Stop();
  return info.Env().Undefined();
}

Napi::Value Hold(Info info) {
  if (auto* handle = ThreadHandle::Of<SamplerHandle>(info, "sampler")) handle->Hold(true);
  return info.Env().Undefined();
}

Napi::Value OrNull(Napi::Env env, const std::optional<uint64_t>& value) {
  if (!value) return env.Null();
  return Napi::Number::New(env, static_cast<double>(*value));
}

Napi::Object FromTotals(Napi::Env env, const jitter::Totals& totals) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("voluntarySwitches", OrNull(env, totals.voluntary));
  out.Set("involuntarySwitches", OrNull(env, totals.involuntary));
  out.Set("runDelayNs", OrNull(env, totals.run_delay_ns));
  out.Set("interrupts", OrNull(env, totals.interrupts));
  out.Set("softirqs", OrNull(env, totals.softirqs));
  out.Set("throttled", OrNull(env, totals.throttled));
  out.Set("throttledNs", OrNull(env, totals.throttled_ns));
  out.Set("stealNs", OrNull(env, totals.steal_ns));
  out.Set("vcpuMoves", OrNull(env, totals.vcpu_moves));
  return out;
}

// result(handle): after the end only; null before.
Napi::Value ResultOf(Info info) {
  const Napi::Env env = info.Env();
  auto* handle = ThreadHandle::Of<SamplerHandle>(info, "sampler");
  if (handle == nullptr) return env.Undefined();
  if (!handle->joined()) return env.Null();
  const jitter::Result& result = handle->result();
  const thread::TimeBase& time = handle->time();

  const size_t n = result.gaps.size();
  auto at = Napi::Float64Array::New(env, n);
  auto wall = Napi::Float64Array::New(env, n);
  auto len = Napi::Float64Array::New(env, n);
  auto evidence = Napi::Uint8Array::New(env, n);
  for (size_t i = 0; i < n; i++) {
    const jitter::Gap& gap = result.gaps[i];
    at.Data()[i] = time.NsSinceBase(gap.at);
    wall.Data()[i] = result.WallMs(gap.at, time);
    len.Data()[i] = time.ToNs(gap.len);
    evidence.Data()[i] = gap.evidence;
  }
  auto causes = Napi::Float64Array::New(env, 2 * jitter::kCauses);
  for (int i = 0; i < jitter::kCauses; i++) {
    causes.Data()[2 * i] = static_cast<double>(result.causes[i].gaps);
    causes.Data()[2 * i + 1] = static_cast<double>(result.causes[i].lost_ns);
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("atNs", at);
  out.Set("wallMs", wall);
  out.Set("lenNs", len);
  out.Set("evidence", evidence);
  out.Set("dropped", static_cast<double>(result.dropped));
  out.Set("histogram", FromSnapshot(env, result.histogram));
  out.Set("gapCount", static_cast<double>(result.gap_count));
  out.Set("lostNs", static_cast<double>(result.lost_ns));
  out.Set("lostPerSecondNs", FromDoubles(env, result.lost_per_second_ns));
  out.Set("startNs", time.NsSinceBase(result.start));
  out.Set("endNs", time.NsSinceBase(result.end));
  out.Set("wallStartMs", result.WallMs(result.start, time));
  out.Set("turns", static_cast<double>(result.turns));
  out.Set("loopMinNs", result.loop_min_ns);
  out.Set("loopMedianNs", result.loop_median_ns);
  out.Set("thresholdNs", static_cast<double>(result.threshold_ns));
  out.Set("blindNs", static_cast<double>(result.blind_ns));
  out.Set("stopped", result.stopped);
  out.Set("causes", causes);
  out.Set("windows", static_cast<double>(result.windows));
  out.Set("totals", FromTotals(env, result.totals));
  return out;
}

Napi::Object RegisterJitter(Napi::Env env) {
  thread::RememberAllowedCpus();
  Napi::Object target = Napi::Object::New(env);
  Method<Start>(target, "start");
  Method<Stop>(target, "stop");
  Method<Hold>(target, "hold");
  Method<ResultOf>(target, "result");
  return target;
}

}  // namespace

TSCOPE_ADDON_CONCERN(jitter, RegisterJitter)

}  // namespace tscope::addon
