// Life of a sampler: claim the CPU, start two threads, stop, join.
#include "tscope/jitter/sampler.h"

#include "cpu_registry.h"
#include "run.h"

namespace tscope::jitter {

Sampler::Sampler(std::unique_ptr<Run> run) : run_(std::move(run)) {}

std::unique_ptr<Sampler> Sampler::Start(const Config& config, std::function<void()> on_done,
                                        StartFailure* failure) {
  *failure = {};
  if (!ClaimCpu(config.cpu)) {
    failure->busy = true;
    return nullptr;
  }
  std::unique_ptr<Run> run(new Run(config, std::move(on_done)));
  Run* shared = run.get();
  const thread::Placement sampling{config.cpu, thread::kAnyCpu, config.fifo};
  failure->refusal = run->sampling.Start("tscope-jitter", sampling, [shared] { shared->Sample(); });
  if (!failure->refusal.refused()) {
    const thread::Placement observing{thread::kAnyCpu, config.cpu, false};
    failure->refusal = run->observing.Start("tscope-observer", observing, [shared] { shared->Observe(); });
    if (!failure->refusal.refused()) return std::unique_ptr<Sampler>(new Sampler(std::move(run)));
    run->stop.store(true);
    run->ready.Wake();
    run->released.Wake();
    run->sampling.Join();
  }
  ReleaseCpu(config.cpu);
  return nullptr;
}

Sampler::~Sampler() {
  RequestStop();
  Join();
}

void Sampler::RequestStop() { run_->stop.store(true, std::memory_order_relaxed); }

void Sampler::Join() {
  if (run_->stop.load(std::memory_order_relaxed)) run_->sampling.Unpin();
  run_->sampling.Join();
  run_->observing.Join();
}

const Result& Sampler::result() const { return run_->result; }

}  // namespace tscope::jitter
