import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { Hub } from '../hub/hub.js';
import { ConsoleHandler } from './console-handler.js';
import { Pages } from './pages.js';

test('a path that somebody chose cannot break out of the page', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'index.html'), '<base href="__BASE__/">');
  const hub = new Hub({
    access: ['read'],
    askInside: () => Promise.reject(new Error()),
    overview: () => ({}) as never,
  });
  const handler = new ConsoleHandler({ hub, pages: new Pages(folder) });
  const base = `/t/"><script>alert(1)</script>__NONCE__`;
  const http = createServer((req, res) => void handler.handle({ path: '/', base, req, res }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
  const page = await answer.text();
  expect(page).toBe('<base href="/t/&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;__NONCE__/">');
  http.closeAllConnections();
  http.close();
});
