/**
 * An HTTP server in a process of its own, driven open-loop over loopback: a request goes out when it is planned, whether or not earlier ones
 * have been answered. `tscope latency examples/latency-http.latency.ts --max p99=20ms`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { latency } from 'tscope';

export default latency('HTTP on loopback', {
  rate: 500,
  arrivals: 'poisson',
  duration: '5s',
  warmup: '2s',
  timeout: '5s',
  probes: ['firstByte'],
  async setup() {
    const script = fileURLToPath(new URL('./latency-http-server.mjs', import.meta.url));
    const server = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [port] = await once(server.stdout, 'data');
    // No limit on sockets: waiting for a free one would close the loop.
    return { server, port: Number(port), agent: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }) };
  },
  run({ port, agent }, event) {
    const begin = event.now();
    return new Promise<void>((resolve, reject) => {
      get({ host: '127.0.0.1', port, agent, path: `/orders/${event.seq}` }, (response) => {
        event.probe.firstByte(event.now() - begin);
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume().on('end', resolve).on('error', reject);
      }).on('error', reject);
    });
  },
  async teardown({ server, agent }) {
    agent.destroy();
    server.stdin.end();
    await once(server, 'exit');
  },
});
