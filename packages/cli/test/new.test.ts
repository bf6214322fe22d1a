import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { toolwright } from './support/recording-terminal.js';

let folder: string;

beforeEach(() => (folder = temporaryFolder()));

test('new app writes an app into the given folder', async () => {
  const { code, stdout } = await toolwright('new app apps/orders --transport both --files-only', folder);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^apps\/orders: 20 files\. Access: open to/),
  });
  expect(JSON.parse(readFileSync(join(folder, 'apps/orders/package.json'), 'utf8'))).toMatchObject({
    name: 'orders',
    dependencies: { '@toolwright/http': expect.any(String), '@toolwright/stdio': expect.any(String) },
  });
});

test.each([
  'new app orders --db oracle --files-only',
  'new app orders --transport stdio --sign-in jwt --files-only',
  'new app Two',
  'new nonsense',
])('what cannot be created exits with 2 and writes nothing: %s', async (commandLine) => {
  const { code, stderr } = await toolwright(commandLine, folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: /);
  expect(existsSync(join(folder, 'orders'))).toBe(false);
});

test('the help of new app has an example', async () => {
  const { code, stdout } = await toolwright('new app --help', folder);
  expect(code).toBe(0);
  expect(stdout).toContain('$ toolwright new app apps/orders --db pglite');
});
