import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { writeClient } from '../../src/client/write-client.js';
import { toolwright } from '../support/recording-terminal.js';

const sensitive = join(__dirname, '../fixtures/sensitive');
let folder: string;

beforeEach(() => (folder = temporaryFolder()));

test.each(['explain login', 'explain login --json', 'lint'])(
  'toolwright %s shows no sensitive value',
  async (command) => {
    const { stdout, stderr } = await toolwright(command, sensitive);
    expect(stdout + stderr).not.toBe('');
    expect(stdout + stderr).not.toContain('canary');
  },
);

test('a generated client says that an argument is sensitive, and contains no value of it', () => {
  const pin = { type: 'string', writeOnly: true, enum: ['canary-one'], pattern: 'canary', default: 'canary' };
  const inputSchema = { type: 'object', properties: { pin, pins: { type: 'array', items: pin } } };
  const text = writeClient([{ name: 'login', inputSchema } as never], 'Client');
  expect(text).toContain('/** @sensitive */\n  pin?: string;');
  expect(text).not.toContain('canary');
});

test('no default of it is published', async () => {
  const out = join(folder, 'manifest.json');
  await toolwright(`build --out ${out}`, sensitive);
  const manifest = readFileSync(out, 'utf8');
  expect(manifest).toContain('"writeOnly":true');
  for (const value of ['canary-initialiser', 'canary-tag', 'canary-example'])
    expect(manifest).not.toContain(value);
});
