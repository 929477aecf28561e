// The server of latency-http.latency.ts: a process of its own, so that its pauses are not the driver's. Prints its port.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  let sum = 0;
  for (let i = 0; i < 2000; i++) sum += Math.sqrt(i);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ path: request.url, sum }));
});
// Idle connections stay open between requests of a slow plan.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with its parent.
process.stdin.resume().on('end', () => process.exit(0));
