/** Functions of time as they were before user code ran: fake clocks, which tests of user code like to install, replace the global ones. */

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = globalThis;

/** ms since the start of the process. */
export const nowMs: () => number = performance.now.bind(performance);
