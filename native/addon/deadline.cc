// Binding of native/core/pacer: the deadline timer.
#include "tscope/pacer/deadline.h"

#include <memory>

#include "addon/args.h"
#include "addon/register.h"
#include "addon/results.h"
#include "addon/thread_handle.h"

namespace tscope::addon {
namespace {

using Info = const Napi::CallbackInfo&;
using pacer::Deadline;

class DeadlineHandle : public ThreadHandle {
 public:
  DeadlineHandle(Napi::Env env, Napi::Function callback, Napi::Value block)
      : ThreadHandle(env, callback, "tscope.deadline"), block_(Napi::Reference<Napi::Value>::New(block, 1)) {}

  bool Start(void* block, Napi::Object options, thread::Refusal* refusal) {
    deadline_ = Deadline::Start(
        static_cast<pacer::DeadlineBlock*>(block), TimeBaseOf(options), PlacementOf(options),
        NumberOf(options, "spinNs"), [this] { Notify(kEnded); }, refusal);
    return deadline_ != nullptr;
  }
  void Stop() override { deadline_->RequestStop(); }
  void Join() override { deadline_->Join(); }
  Deadline& deadline() { return *deadline_; }

 private:
  std::unique_ptr<Deadline> deadline_;
  Napi::Reference<Napi::Value> block_;
};

// start(options, words: Int32Array at the start of the block, onEnd): the handle, or {step, errno}
Napi::Value Start(Info info) {
  const Napi::Env env = info.Env();
  Words words;
  if (!WordsArg(info, 1, "words", &words)) return env.Undefined();
  if (!info[0].IsObject() || info.Length() < 3 || !info[2].IsFunction()) {
    Napi::TypeError::New(env, "start needs options and a function").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  if (words.bytes_to_end < sizeof(pacer::DeadlineBlock)) {
    Napi::RangeError::New(env, "words must start a block of 24 bytes").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  auto handle = std::make_unique<DeadlineHandle>(env, info[2].As<Napi::Function>(), info[1]);
  thread::Refusal refusal;
  if (!handle->Start(words.data, info[0].As<Napi::Object>(), &refusal)) return FromRefusal(env, refusal);
  return handle.release()->Adopt();
}

// arm(handle, atNs)
Napi::Value Arm(Info info) {
  double at = 0;
  auto* handle = ThreadHandle::Of<DeadlineHandle>(info, "deadline");
  if (handle != nullptr && NumberArg(info, 1, "atNs", &at)) handle->deadline().Arm(at);
  return info.Env().Undefined();
}

Napi::Value Disarm(Info info) {
  if (auto* handle = ThreadHandle::Of<DeadlineHandle>(info, "deadline")) handle->deadline().Disarm();
  return info.Env().Undefined();
}

Napi::Value Stop(Info info) {
  if (auto* handle = ThreadHandle::Of<DeadlineHandle>(info, "deadline")) handle->Stop();
  return info.Env().Undefined();
}

Napi::Value Hold(Info info) {
  if (auto* handle = ThreadHandle::Of<DeadlineHandle>(info, "deadline")) handle->Hold(true);
  return info.Env().Undefined();
}

Napi::Object RegisterDeadline(Napi::Env env) {
  thread::RememberAllowedCpus();
  Napi::Object target = Napi::Object::New(env);
  Method<Start>(target, "start");
  Method<Arm>(target, "arm");
  Method<Disarm>(target, "disarm");
  Method<Stop>(target, "stop");
  Method<Hold>(target, "hold");
  return target;
}

}  // namespace

TSCOPE_ADDON_CONCERN(deadline, RegisterDeadline)

}  // namespace tscope::addon
