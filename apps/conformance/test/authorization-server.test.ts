import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../fleet/src/processes/free-port.js';
import { ProxyAtWork } from '../../../packages/identity/test/support/open-proxy.js';
import { ProxyPerson } from '../../../packages/identity/test/support/proxy-person.js';
import { conformanceCli, newerNode } from './support/referees.js';

const RESOURCE = 'http://127.0.0.1:3000/mcp';

test('The official suite finds nothing to fault with the authorization proxy', async () => {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/callback`;
  const proxy = await ProxyAtWork.start(RESOURCE, {
    clients: [{ client_id: 'suite', redirect_uris: [callback], grant_types: ['authorization_code'] }],
  });
  const args = ['authorization', '--url', proxy.issuer, '--client-id', 'suite', '--resource', RESOURCE];
  const child = spawn(newerNode(), [conformanceCli, ...args, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const visits: Promise<unknown>[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    // The suite shows the address that a person opens in a browser, and waits for the code.
    if (line.startsWith(`${proxy.issuer}/oauth/authorize`))
      visits.push(new ProxyPerson('ann').signIn(line).then((back) => fetch(back)));
  });
  const [code] = (await once(child, 'close')) as [number];
  await Promise.all(visits);
  await proxy.close();
  expect(lines.join('\n')).toContain('authorization-code-grant');
  expect(lines.filter((line) => /FAIL|WARNING|SKIP|✗/.test(line))).toEqual([]);
  expect(visits).toHaveLength(1);
  expect(code).toBe(0);
});
