// A native thread that belongs to a JavaScript environment: it tells JavaScript what happens, is stopped and
// joined before its environment goes, and its object lives as long as the thread or a reference to it,
// whichever is longer.
#pragma once

#include <napi.h>

#include <functional>

namespace tscope::addon {

class ThreadHandle {
 public:
  virtual ~ThreadHandle();
  ThreadHandle(const ThreadHandle&) = delete;
  ThreadHandle& operator=(const ThreadHandle&) = delete;

  /// Hands the object over to JavaScript, which deletes it when both the thread and the last reference are
  /// gone. Call once the thread runs.
  Napi::Value Adopt();

  /// From any thread, never blocks: calls the callback with `event` on the environment's thread. Lost when
  /// the environment is going. kEnded must be the last one and must come exactly once.
  static constexpr int kEnded = 0;
  void Notify(int event);

  /// Does the thread keep the event loop alive? Not until asked to.
  void Hold(bool hold);

  /// The object behind an argument; nullptr with a TypeError pending if it is none.
  template <class T>
  static T* Of(const Napi::CallbackInfo& info, const char* name) {
    if (info.Length() > 0 && info[0].IsExternal()) {
      auto* handle = info[0].As<Napi::External<ThreadHandle>>().Data();
      if (T* found = dynamic_cast<T*>(handle)) return found;
    }
    Napi::TypeError::New(info.Env(), std::string("the first argument must be a ") + name)
        .ThrowAsJavaScriptException();
    return nullptr;
  }

 protected:
  ThreadHandle(Napi::Env env, Napi::Function callback, const char* name);
  /// Returns at once.
  virtual void Stop() = 0;
  /// After Stop() the thread ends soon; when it already ended, at once.
  virtual void Join() = 0;

 private:
  static void OnNotify(napi_env env, napi_value callback, void* self, void* event);
  static void OnEnvironmentGoes(void* self);
  void Ended();

  Napi::Env env_;
  napi_threadsafe_function notify_ = nullptr;
  Napi::Reference<Napi::Value> alive_;
  bool adopted_ = false;
};

}  // namespace tscope::addon
