import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** How many bytes the page has more, minified and compressed, which imports this. */
const sizeOf = (file: string) =>
  Number(
    execFileSync(process.execPath, [join(__dirname, 'support/measure.mjs'), join(__dirname, '../src', file)]),
  );

test.each(['index.ts', 'react.ts', 'preact.ts'])('%s adds at most 6 KB to a page', (file) => {
  const size = sizeOf(file);
  expect(size).toBeGreaterThan(100);
  expect(size).toBeLessThanOrEqual(6 * 1024);
});
