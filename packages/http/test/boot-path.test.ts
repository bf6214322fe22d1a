import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';

test('between createMcpServer and listening, the code of at most 110 source files runs', () => {
  const folder = temporaryFolder();
  const files = JSON.parse(
    execFileSync(process.execPath, [join(__dirname, 'support/boot-path.cjs'), folder], {
      encoding: 'utf8',
    }),
  ) as string[];
  expect(files).toContain('core/src/boot/registry/bind-services.ts');
  expect(files).toContain('ground/src/base/metadata/store.ts');
  expect(files).toContain('http/src/node/serve-http.ts');
  expect(files.length).toBeLessThanOrEqual(110);
});

test('a server of plain HTTP loads nothing of HTTP/2, TLS or child processes, which would cost each start 7 ms', () => {
  const script = `const before = process.moduleLoadList.length;
    require('@toolwright/http');
    console.log(JSON.stringify(process.moduleLoadList.slice(before)));`;
  const cwd = join(__dirname, '..');
  const loaded = JSON.parse(
    execFileSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8' }),
  ) as string[];
  expect(loaded).toContain('NativeModule http');
  expect(loaded.filter((name) => /http2|tls|child_process|dgram/.test(name))).toEqual([]);
});
