// An app of built packages whose tool `hold` waits for a file:
//   node served-app.cjs <http | drain | inherited | workers> <port> <file> [drainDelay]
// Each call of `complain` makes the server log an error.
const { existsSync } = require('node:fs');
const { createServer } = require('node:http');
const { setTimeout: wait } = require('node:timers/promises');
const { createMcpServer } = require('@toolwright/core');
const { drainOnSignal, mcpHttp, serveHttp } = require('@toolwright/http');
const { runWorkers } = require('@toolwright/http/workers');

const [kind, port, file, drainDelay = '0s'] = process.argv.slice(2);

async function makeServer(stores) {
  const server = await createMcpServer({
    ...{ name: 'app', version: '1.0.0', services: [], rateLimit: false },
    ...(stores && { stores }),
  });
  const annotations = { readOnlyHint: true };
  server.tools.add({
    ...{ name: 'hold', description: 'Waits for the file.', annotations },
    async handler() {
      process.stdout.write('called\n');
      while (!existsSync(file)) await wait(5);
      return 'done';
    },
  });
  server.tools.add({ ...{ name: 'answer', description: 'Answers.', annotations }, handler: () => 'done' });
  server.tools.add({
    ...{ name: 'complain', description: 'Fails.', annotations },
    handler() {
      throw new Error('complaint');
    },
  });
  return server;
}

async function drained(place) {
  const server = await makeServer();
  const http = createServer(mcpHttp(server)).listen(place);
  drainOnSignal(server, http, { drainDelay });
  await new Promise((resolve) => http.once('listening', resolve));
}

const kinds = {
  http: async () => serveHttp(await makeServer(), { port: Number(port), drainDelay }),
  drain: () => drained({ port: Number(port), host: '127.0.0.1' }),
  // As systemd hands over a socket that it has opened.
  inherited: () => drained({ fd: 3 }),
  workers: () =>
    runWorkers({ workers: 1 }, async ({ stores }) =>
      serveHttp(await makeServer(stores), { port: Number(port) }),
    ),
};

void kinds[kind]().then(() => process.stdout.write('ready\n'));
