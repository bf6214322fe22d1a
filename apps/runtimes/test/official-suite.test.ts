import { count } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from '../../conformance/test/support/referees.js';
import { runtimes } from './support/runtimes.js';
import { start, type Started } from './support/start.js';

/** The suite opens sessions on 2025-11-25. */
const withSessions = runtimes.filter(({ name, hasNoSessions }) => !hasNoSessions && name !== 'Node 24');

describe.each(withSessions)('$name', ({ command, args }) => {
  let app: Started;
  beforeAll(async () => void (app = await start(command, args, { SERVE: 'conformance' })));
  afterAll(() => app?.stop());

  test.each(['2025-11-25', '2026-07-28'])(
    'the official suite finds nothing to fault on %s',
    async (revision) => {
      // The suite wants a name, not an address.
      const url = app.url.replace('127.0.0.1', 'localhost');
      const { code, output } = await runReferee([
        conformanceCli,
        'server',
        '--url',
        url,
        '--requirements',
        revision,
      ]);
      const summary = output.slice(output.indexOf('=== SUMMARY ==='));
      const results = [...summary.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
      expect(results.filter(([, , , failed]) => failed !== '0').map(([line]) => line)).toEqual([]);
      expect(results.length).toBeGreaterThan(30);
      expect(code).toBe(0);
      count(
        'checks',
        results.reduce((total, [, , passed]) => total + Number(passed), 0),
      );
    },
  );
});
