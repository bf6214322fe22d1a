import { count, size } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from './support/referees.js';
import { RunningApp } from './support/running-app.js';

/** How many checks the suite makes of each revision. The README tells the first number. */
const checks: Record<string, number> = { '2025-11-25': 84, '2026-07-28': 195 };

const revisions = ['2025-11-25', '2026-07-28'];

// On another queue, the later revision is the sample; `pnpm proof` asks it on both.
describe.each([
  ['tasks in its process', false, revisions],
  ['tasks on the queue in PostgreSQL', true, size > 1 ? revisions : revisions.slice(1)],
])('A server with %s', (_where, queued, asked) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await RunningApp.start({ queued });
  });
  afterAll(() => app.stop());

  test.each(asked)('The official suite finds nothing to fault on %s', async (revision) => {
    const { code, output } = await runReferee([
      conformanceCli,
      'server',
      '--url',
      app.url,
      '--requirements',
      revision,
    ]);
    const summary = output.slice(output.indexOf('=== SUMMARY ==='));
    const results = [...summary.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
    // The suite scores no extensions; we do.
    const failed = results.filter(([, , , failures]) => failures !== '0');
    expect(failed.map(([line]) => line)).toEqual([]);
    expect(results.length).toBeGreaterThan(30);
    expect(code).toBe(0);
    const [, passed] = /^Total: (\d+) passed, 0 failed$/m.exec(summary)!;
    expect(Number(passed)).toBe(checks[revision]);
    count('checks', Number(passed));
  });
});
