import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { describeTransport } from '@toolwright/testing';
import { serveStdio } from '../src/index.js';

const principal = { subject: 'ada', scopes: [] };

describeTransport('serveStdio', async (server) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = await serveStdio(server, { input, output, principal });
  return {
    peer: { principal, ip: undefined, transport: 'stdio' },
    connect(receive) {
      createInterface({ input: output }).on('line', receive);
      return { send: (text) => void input.write(`${text}\n`), leave: () => void input.end() };
    },
    close: () => service.close(),
  };
});
