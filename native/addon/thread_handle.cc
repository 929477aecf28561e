#include "addon/thread_handle.h"

namespace tscope::addon {

ThreadHandle::ThreadHandle(Napi::Env env, Napi::Function callback, const char* name) : env_(env) {
  napi_create_threadsafe_function(env, callback, nullptr, Napi::String::New(env, name), 0, 1, nullptr,
                                  nullptr, this, &ThreadHandle::OnNotify, &notify_);
  napi_unref_threadsafe_function(env, notify_);
}

// Not adopted: the thread never ran, so there is nothing to join.
ThreadHandle::~ThreadHandle() {
  if (notify_ != nullptr) napi_release_threadsafe_function(notify_, napi_tsfn_abort);
}

Napi::Value ThreadHandle::Adopt() {
  adopted_ = true;
  auto external =
      Napi::External<ThreadHandle>::New(env_, this, [](Napi::Env, ThreadHandle* self) { delete self; });
  alive_ = Napi::Reference<Napi::Value>::New(external, 1);
  // Hooks run last in, first out: before the environment takes down the function that the thread notifies
  // through.
  napi_add_env_cleanup_hook(env_, &ThreadHandle::OnEnvironmentGoes, this);
  return external;
}

void ThreadHandle::Notify(int event) {
  napi_call_threadsafe_function(notify_, reinterpret_cast<void*>(static_cast<intptr_t>(event)),
                                napi_tsfn_nonblocking);
}

void ThreadHandle::Hold(bool hold) {
  if (notify_ == nullptr) return;
  if (hold) {
    napi_ref_threadsafe_function(env_, notify_);
  } else {
    napi_unref_threadsafe_function(env_, notify_);
  }
}

void ThreadHandle::OnNotify(napi_env env, napi_value callback, void* context, void* data) {
  // Without an environment the queue is only being emptied.
  if (env == nullptr) return;
  auto* self = static_cast<ThreadHandle*>(context);
  const int event = static_cast<int>(reinterpret_cast<intptr_t>(data));
  if (event == kEnded) self->Ended();
  Napi::Function(env, callback).Call({Napi::Number::New(env, event)});
}

void ThreadHandle::Ended() {
  Join();
  napi_remove_env_cleanup_hook(env_, &ThreadHandle::OnEnvironmentGoes, this);
  napi_release_threadsafe_function(notify_, napi_tsfn_release);
  notify_ = nullptr;
  // The object may go with this reference, but not before the callback, which still holds the handle scope.
  alive_.Reset();
}

void ThreadHandle::OnEnvironmentGoes(void* context) {
  auto* self = static_cast<ThreadHandle*>(context);
  self->Stop();
  self->Join();
  // The environment closes the function itself.
  self->notify_ = nullptr;
  self->alive_.Reset();
}

}  // namespace tscope::addon
