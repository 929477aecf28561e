// Binding of native/core/pacer: the pacer.
#include "tscope/pacer/pacer.h"

#include <memory>

#include "addon/args.h"
#include "addon/register.h"
#include "addon/results.h"
#include "addon/thread_handle.h"

namespace tscope::addon {
namespace {

using Info = const Napi::CallbackInfo&;
using pacer::Pacer;

class PacerHandle : public ThreadHandle {
 public:
  static constexpr int kWake = 1;

  PacerHandle(Napi::Env env, Napi::Function callback, Napi::Value block)
      : ThreadHandle(env, callback, "tscope.pacer"), block_(Napi::Reference<Napi::Value>::New(block, 1)) {}

  bool Start(pacer::Config config, thread::Refusal* refusal) {
    pacer_ = Pacer::Start(
        std::move(config), [this] { Notify(kWake); }, [this] { Notify(kEnded); }, refusal);
    return pacer_ != nullptr;
  }
  void Stop() override { pacer_->RequestStop(); }
  void Join() override {
    pacer_->Join();
    joined_ = true;
  }
  bool joined() const { return joined_; }
  const Pacer& pacer() const { return *pacer_; }

 private:
  std::unique_ptr<Pacer> pacer_;
  bool joined_ = false;
  // The thread writes into it until it has been joined.
  Napi::Reference<Napi::Value> block_;
};

// start(options, plan: Float64Array, words: Int32Array at the start of the ring's block, onEvent): the
// handle, or {step, errno}
Napi::Value Start(Info info) {
  const Napi::Env env = info.Env();
  Doubles plan;
  Words words;
  if (!DoublesArg(info, 1, "plan", &plan) || !WordsArg(info, 2, "words", &words)) return env.Undefined();
  if (!info[0].IsObject() || info.Length() < 4 || !info[3].IsFunction()) {
    Napi::TypeError::New(env, "start needs options and a function").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const auto options = info[0].As<Napi::Object>();
  pacer::Config config;
  config.placement = PlacementOf(options);
  config.time = TimeBaseOf(options);
  config.plan.assign(plan.data, plan.data + plan.length);
  config.t0_ns = NumberOf(options, "t0Ns");
  config.spin_ns = NumberOf(options, "spinNs");
  config.block = words.data;
  config.capacity = static_cast<uint32_t>(NumberOf(options, "capacity"));
  const uint32_t capacity = config.capacity;
  if (capacity == 0 || (capacity & (capacity - 1)) != 0 || words.bytes_to_end < pacer::RingBytes(capacity)) {
    Napi::RangeError::New(env, "words must start a block for the capacity").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  auto handle = std::make_unique<PacerHandle>(env, info[3].As<Napi::Function>(), info[2]);
  thread::Refusal refusal;
  if (!handle->Start(std::move(config), &refusal)) return FromRefusal(env, refusal);
  return handle.release()->Adopt();
}

Napi::Value Stop(Info info) {
  if (auto* handle = ThreadHandle::Of<PacerHandle>(info, "pacer")) handle->Stop();
  return info.Env().Undefined();
}

Napi::Value Hold(Info info) {
  if (auto* handle = ThreadHandle::Of<PacerHandle>(info, "pacer")) handle->Hold(info[1].ToBoolean());
  return info.Env().Undefined();
}

Napi::Value StartTime(Info info) {
  auto* handle = ThreadHandle::Of<PacerHandle>(info, "pacer");
  if (handle == nullptr) return info.Env().Undefined();
  return Napi::Number::New(info.Env(), handle->pacer().t0_ns());
}

// result(handle): after the end only; null before.
Napi::Value ResultOf(Info info) {
  const Napi::Env env = info.Env();
  auto* handle = ThreadHandle::Of<PacerHandle>(info, "pacer");
  if (handle == nullptr) return env.Undefined();
  if (!handle->joined()) return env.Null();
  const pacer::Result& result = handle->pacer().result();
  Napi::Object out = Napi::Object::New(env);
  out.Set("released", static_cast<double>(result.released));
  out.Set("overflow", static_cast<double>(result.overflow));
  out.Set("wakes", static_cast<double>(result.wakes));
  out.Set("stopped", result.stopped);
  out.Set("lateness", FromSnapshot(env, result.lateness));
  return out;
}

Napi::Object RegisterPacer(Napi::Env env) {
  thread::RememberAllowedCpus();
  Napi::Object target = Napi::Object::New(env);
  Method<Start>(target, "start");
  Method<Stop>(target, "stop");
  Method<Hold>(target, "hold");
  Method<StartTime>(target, "startTime");
  Method<ResultOf>(target, "result");
  return target;
}

}  // namespace

TSCOPE_ADDON_CONCERN(pacer, RegisterPacer)

}  // namespace tscope::addon
