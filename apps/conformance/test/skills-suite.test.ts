import { count } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from './support/referees.js';
import { RunningApp } from './support/running-app.js';

/** The suite runs scenarios of extensions only when it is asked to, and scores none of them. We do. */
const scenarios: [scenario: string, revision: string, checks: number][] = [
  ['sep-2640-skills-directory', '2026-07-28', 7],
  ['sep-2640-skills-enumeration', '2026-07-28', 32],
  ['sep-2640-skills-manifest', '2026-07-28', 6],
  ['sep-2640-skills-directory', '2025-11-25', 7],
  ['sep-2640-skills-enumeration', '2025-11-25', 30],
  ['sep-2640-skills-manifest', '2025-11-25', 6],
];

let app: RunningApp;
beforeAll(async () => {
  app = await RunningApp.start();
});
afterAll(() => app.stop());

test.each(scenarios)('%s finds nothing to fault on %s', async (scenario, revision, checks) => {
  const { code, output } = await runReferee([
    ...[conformanceCli, 'server', '--url', app.url],
    ...['--scenario', scenario, '--spec-version', revision, '--force'],
  ]);
  expect(output).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  expect(code).toBe(0);
  count('checks', checks);
});
