import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// A program for each entry point: 5 s where nothing else runs.
jest.setTimeout(120_000);

const script = join(__dirname, '../api-report.mjs');

test('the API report of every package says what its declarations say', () => {
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
