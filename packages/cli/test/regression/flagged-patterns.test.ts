import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { toolwright } from '../support/recording-terminal.js';

const flagged = join(__dirname, '../fixtures/flagged');

test('a build refuses a regular expression with flags that can take exponential time, once and at its place', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'manifest.json');
  const { code, stderr } = await toolwright(`build --out ${out}`, flagged);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^src\/flagged-tools\.ts:5:3: TW_PATTERN_UNSAFE: error: In the class NameDto, the pattern \/\^\(a\+\)\+\$\/i can take/m,
  );
  expect(stderr).toMatch(/Write it so that each repeated part begins/);
  expect(stderr).toMatch(/^1 error: /m);
  expect(existsSync(out)).toBe(false);
});
