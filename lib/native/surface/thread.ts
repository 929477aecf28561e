/** A native thread of this environment: opaque; functions of its concern take it. It never keeps the event loop alive unless held. */
export type ThreadHandle = { readonly __thread: unique symbol };

/** native/core/thread: what a start was refused at. */
export const REFUSED_AT = { nothing: 0, create: 1, pin: 2, priority: 3, unsupported: 4 } as const;

/** A thread that did not start. */
export interface StartRefusal {
  /** One of {@link REFUSED_AT}. */
  readonly step: number;
  readonly errno: number;
}

/** Last event of every thread. */
export const ENDED = 0;
