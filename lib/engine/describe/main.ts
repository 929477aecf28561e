/** Entry of the process that says what a benchmark file holds. It loads the user's file and measures nothing. */
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { endWithParent } from '../../cpu/end-with-parent.js';
import { loadedHow } from '../../loader/loaded.js';
import { encodeMessage } from '../../protocol/framing.js';
import { type DescribeRequest, type ForkMessage, PROTOCOL_VERSION } from '../../protocol/messages.js';
import { SuiteError } from '../../suite/validate.js';
import { describeExport } from './describe.js';

const request = JSON.parse(readFileSync(0, 'utf8')) as DescribeRequest;

/** Whole before this process can end: nothing is buffered in a stream. */
function send(message: ForkMessage): void {
  const bytes = Buffer.from(encodeMessage(request.token, message));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

function fail(phase: string, error: unknown): never {
  const known = error instanceof Error;
  send({
    type: 'failed',
    failure: {
      phase,
      message:
        error instanceof SuiteError
          ? error.message
          : known
            ? `${error.name}: ${error.message}`
            : `threw ${String(error)}`,
      // A SuiteError explains itself; its stack would point into this package.
      stack: known && !(error instanceof SuiteError) ? (error.stack ?? null) : null,
    },
  });
  process.exit(1);
}

process.on('uncaughtException', (error) => fail('load', error));
endWithParent();
send({ type: 'hello', protocol: PROTOCOL_VERSION, pid: process.pid });
try {
  const module = (await import(pathToFileURL(request.file).href)) as { default?: unknown };
  // A CommonJS file compiled from ESM keeps its default one level deeper.
  const exported = (module.default as { default?: unknown } | undefined)?.default ?? module.default;
  try {
    const suites = describeExport(exported, request.paramOverrides);
    const { node, v8 } = process.versions;
    send({ type: 'described', suites, loader: loadedHow(request.file), node, v8 });
  } catch (error) {
    fail(error instanceof SuiteError ? 'suite' : 'load', error);
  }
} catch (error) {
  fail('load', error);
}
// The user's file may hold timers or servers; what was asked is answered.
process.exit(0);
