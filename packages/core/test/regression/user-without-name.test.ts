import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Such a user as OpenShift gives a container. Only root may become it. */
const NOBODY_KNOWS = 1_000_680_000;
const isRoot = process.getuid?.() === 0;

it('a user of the system without a name is called by its number', () => {
  const become = isRoot ? `process.setuid(${NOBODY_KNOWS});` : '';
  const program = `const { systemUser } = require('@toolwright/core/operate'); ${become} console.log(systemUser())`;
  const name = execFileSync(process.execPath, ['-e', program], { cwd: join(__dirname, '../..') });
  expect(String(name).trim()).toBe(isRoot ? `uid ${NOBODY_KNOWS}` : userInfo().username);
});
