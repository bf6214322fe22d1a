import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { mcpHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { call } from '../support/wire.js';
import { onPosix } from '../../../../.ci/test/support/on-platforms.js';

// Windows has pipes in their place, with names of another form.
onPosix(
  'Over a Unix socket (not on Windows, which has pipes) calls are served, and the operator hears once that callers have no address',
  async () => {
    const folder = temporaryFolder();
    const socketPath = join(folder, 'app.sock');
    const warned: unknown[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => warned.push(line) };
    const { server } = await createFixture({ logger });
    const http = createServer(mcpHttp(server)).listen(socketPath);
    await once(http, 'listening');
    const { headers, body } = call('echo', { text: 'x' });
    for (let count = 0; count < 3; count++) {
      const sent = request({
        socketPath,
        path: '/mcp',
        method: 'POST',
        headers: {
          ...(headers as Record<string, string>),
          host: 'localhost',
          'content-type': 'application/json',
        },
      });
      sent.end(JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
      response.resume();
      await once(response, 'end');
      expect(response.statusCode).toBe(200);
    }
    expect(warned).toEqual([
      [{ address: 'none' }, expect.stringContaining('The address of a caller cannot be read')],
    ]);
    await new Promise((resolve) => http.close(resolve));
    await server.close(0);
  },
);
