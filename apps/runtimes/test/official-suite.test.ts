import { count, size } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from '../../conformance/test/support/referees.js';
import { runtimes } from './support/runtimes.js';
import { start, type Started } from './support/start.js';

/** The suite opens sessions on 2025-11-25. */
const withSessions = runtimes.filter(({ name, hasNoSessions }) => !hasNoSessions && name !== 'Node 24');

const revisions = ['2025-11-25', '2026-07-28'];

/** The suite takes long. So each runtime is asked on one revision, in turn, and on the other one in `pnpm proof`. */
const asked = withSessions.map((runtime, index) => ({
  ...runtime,
  revisions: size > 1 || withSessions.length === 1 ? revisions : [revisions[index % 2]!],
}));

test('each revision is asked of a runtime', () =>
  expect(new Set(asked.flatMap((each) => each.revisions)).size).toBe(revisions.length));

describe.each(asked)('$name', ({ command, args, revisions: own }) => {
  let app: Started;
  beforeAll(async () => void (app = await start(command, args, { SERVE: 'conformance' })));
  afterAll(() => app?.stop());

  test.each(own)('the official suite finds nothing to fault on %s', async (revision) => {
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
  });
});
