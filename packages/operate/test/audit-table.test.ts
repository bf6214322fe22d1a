import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { postgresAuditSink } from '@toolwright/postgres';
import { ProjectFolder } from '../../cli/test/support/project-folder.js';
import { sampleEvent } from '../../audit/test/sample-event.js';
import { temporaryLog } from '../../audit/test/temporary-log.js';
import { writeLog } from '../../postgres/test/support/audit-log.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';

const bin = join(__dirname, '../bin/toolwright-operate.js');

describePostgres('toolwright-operate audit and usage, of a table', (postgres) => {
  const log = temporaryLog();

  test('read it by its address, together with files, and refuse to verify it', async () => {
    const app = new ProjectFolder();
    const { url } = postgres.server;
    const schema = postgres.newSchema();
    const named = ['--schema', schema];
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [bin, ...words], {
        cwd: app.folder,
        env: { PATH: process.env['PATH'] },
        encoding: 'utf8',
      });
    try {
      app.write('package.json', '{ "name": "app", "private": true }');
      expect(run('usage', url, ...named)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('@toolwright/postgres'),
      });
      app.link('node_modules/@toolwright/postgres', 'packages/postgres');
      const events = [sampleEvent({ time: 1_000 }), sampleEvent({ time: 3_000 })];
      await writeLog(log.file, postgresAuditSink({ url, schema }), events);
      const other = join(app.folder, 'other.jsonl');
      await writeLog(other, undefined, [sampleEvent({ time: 2_000 })]);
      const query = run('audit', 'query', url, other, '--json', ...named);
      const times = query.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { time: number }).time);
      expect([query.status, query.stderr, times]).toEqual([0, '', [1_000, 2_000, 3_000]]);
      expect(run('usage', url, ...named).stdout).toMatch(/delete_page +2/);
      const verified = run('audit', 'verify', url);
      expect([verified.status, verified.stderr]).toEqual([2, expect.stringContaining('compareAudit')]);
      // No message has the password that an address may have.
      expect(verified.stderr).not.toContain('postgres://');
    } finally {
      app.remove();
    }
  });
});
