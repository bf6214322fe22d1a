// Two workers of node:cluster, as other programs start them. A message with the name of a file stops the primary process
// until the file exists:
//   node cluster-app.cjs <port>
const cluster = require('node:cluster');
const { existsSync } = require('node:fs');
const { createServer } = require('node:http');
const { createMcpServer } = require('@toolwright/core');
const { drainOnSignal, mcpHttp } = require('@toolwright/http');

async function serve() {
  const server = await createMcpServer({ name: 'app', version: '1.0.0', services: [], rateLimit: false });
  const annotations = { readOnlyHint: true };
  server.tools.add({ name: 'answer', description: 'Answers.', annotations, handler: () => 'done' });
  const http = createServer(mcpHttp(server)).listen(Number(process.argv[2]), '127.0.0.1');
  http.once('close', () => process.stdout.write('closed\n'));
  drainOnSignal(server, http, { drainDelay: 0 });
}

function start() {
  const still = new Int32Array(new SharedArrayBuffer(4));
  process.on('message', (file) => {
    process.send('blocked');
    while (!existsSync(file)) Atomics.wait(still, 0, 0, 20);
  });
  const pids = [];
  const listening = () => pids.length === 2 && process.send(pids);
  for (let count = 0; count < 2; count++) {
    const worker = cluster.fork();
    worker.once('listening', () => pids.push(worker.process.pid) && listening());
  }
}

if (cluster.isPrimary) start();
else void serve();
