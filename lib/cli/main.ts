#!/usr/bin/env node
/** The command `tscope`: arguments in, exit code out. */
import { processIo } from './process-io.js';
import { main } from './program.js';

process.exitCode = await main(process.argv.slice(2), processIo());
