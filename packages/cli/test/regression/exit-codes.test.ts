import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolwright } from '../support/recording-terminal.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'toolwright-codes-'))));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [0, '--help'],
  [0, 'build --help'],
  [0, '--version'],
  [1, 'list --url http://127.0.0.1:9/mcp'],
  [2, 'unknown'],
  [2, 'build --unknown'],
  [2, 'build --project none.json'],
  [2, 'inspect --project none.json'],
  [2, 'explain'],
  [2, 'explain tool --project none.json'],
  [2, 'lint --project none.json'],
  [2, 'lock --project none.json'],
  [2, 'client --project none.json'],
  [2, 'diff'],
  [2, 'diff --fail-on none'],
  [2, 'dev none.ts'],
  [2, 'start none.js'],
  [2, 'start'],
  [2, 'audit query none.jsonl'],
  [2, 'audit none'],
  [2, 'new tool'],
  [2, 'new tool x --project none.json'],
  [2, 'init --project none.json'],
  [2, 'list --url ftp://localhost'],
  [2, 'list more'],
  [2, 'call'],
  [2, 'completion none'],
])('exit code %i: toolwright %s', async (code, line) => {
  expect(await toolwright(line, folder)).toMatchObject({ code });
});
