import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('between createMcpServer and listening, the code of at most 110 source files runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boot-path-'));
  try {
    const files = JSON.parse(
      execFileSync(process.execPath, [join(__dirname, 'support/boot-path.cjs'), folder], {
        encoding: 'utf8',
      }),
    ) as string[];
    expect(files).toContain('core/src/boot/registry/bind-services.ts');
    expect(files).toContain('http/src/node/serve-http.ts');
    expect(files.length).toBeLessThanOrEqual(110);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
