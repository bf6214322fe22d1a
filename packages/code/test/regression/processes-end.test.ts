import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// With the built packages: a thread loads nothing else.
test.each([
  ['that has run no program', ''],
  ['whose program is over', `await client.call('run_code', { code: 'await sleep(1); return 1' });`],
])('a process with code mode %s ends when it has nothing left to do', (_what, work) => {
  const script = `
    const { createMcpServer } = require('@toolwright/core');
    const { connect } = require('@toolwright/testing');
    (async () => {
      const server = await createMcpServer({ name: 'shop', version: '1.0.0', services: [], codeMode: true });
      const client = await connect(server);
      ${work}
      console.log('done');
    })();`;
  const cwd = join(__dirname, '../..');
  const said = execFileSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8', timeout: 60_000 });
  expect(said).toBe('done\n');
});
