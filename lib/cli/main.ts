#!/usr/bin/env node
/** The command `tscope`: arguments in, exit code out. */
import { EXIT } from './io.js';
import { processIo } from './process-io.js';
import { main } from './program.js';

const io = processIo();
const stranded = () => {
  io.err(
    'tscope: a promise can never settle, and nothing else is left to do: look at what the function, or the config file, waits for.\n',
  );
  process.exitCode = EXIT.usage;
};
// Before the end, because what waits at the top level is ended by Node with a code of its own (13) and without a word.
process.once('beforeExit', stranded);
// No await here for the same reason. What it rejects with is a fault of ours and ends the process with its stack.
void main(process.argv.slice(2), io).then((code) => {
  process.off('beforeExit', stranded);
  process.exitCode = code;
});
