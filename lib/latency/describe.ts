/** Entry of the process that says which measurements a file holds. It loads the user's file and measures nothing. */
import { endWithParent } from '../cpu/end-with-parent.js';
import { emitter } from '../engine/emit.js';
import { describeThrown, stackOf } from '../engine/failure.js';
import { PROTOCOL_VERSION } from '../protocol/messages.js';
import { combine, overrideParams } from '../suite/combinations.js';
import { resolveLatency } from '../suite/latency-options.js';
import { show } from '../suite/show.js';
import { checkName } from '../suite/validate.js';
import { readLine } from './fork/control.js';
import { loadLatencies, NothingToMeasure } from './fork/load.js';
import type { LatencyDescribe, LatencyDescription, LatencyMessage } from './messages.js';

const request = JSON.parse(readLine()) as LatencyDescribe;
const emit = emitter(request.token) as unknown as (message: LatencyMessage) => void;

function fail(phase: string, error: unknown, stack: string | null): never {
  emit({
    type: 'failed',
    failure: { phase, message: phase === 'options' ? (error as Error).message : describeThrown(error), stack },
  });
  process.exit(1);
}

process.on('uncaughtException', (error) => fail('load', error, stackOf(error)));
endWithParent();
emit({ type: 'hello', protocol: PROTOCOL_VERSION, pid: process.pid });

const found = await loadLatencies(request.file).catch((error) =>
  error instanceof NothingToMeasure ? fail('options', error, null) : fail('load', error, stackOf(error)),
);
const measurements: LatencyDescription[] = [];
for (const { name, definition } of found) {
  const where = `latency ${show(name)}`;
  try {
    checkName('latency', name, `latency ${show(name)}`);
    if (measurements.some((other) => other.name === name))
      throw new TypeError('another measurement of the file has the same name');
    const config = resolveLatency(definition, request.overrides);
    const params = overrideParams(definition.params ?? {}, request.paramOverrides, where);
    measurements.push({ name, config, combinations: combine(params, definition.where as never, where) });
  } catch (error) {
    const { message } = error as Error;
    fail('options', new Error(message.startsWith(where) ? message : `${where}: ${message}`), null);
  }
}
emit({ type: 'described', measurements });
// The user's file may hold timers or servers; what was asked is answered.
process.exit(0);
