import { jobs, workflows } from './support/workflows.js';

const steps = jobs.flatMap(([name, job]) => (job.steps ?? []).map((step) => [name, step] as const));

test('every action of somebody else is pinned to a commit, with its version beside it', () => {
  const lines = workflows.flatMap(({ text }) => text.match(/^.*\buses: .*$/gm) ?? []);
  const others = lines.filter((line) => !line.includes('uses: ./.github/workflows/'));
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
    [],
  );
});

test('one version of each action is in use', () => {
  const used = new Set(steps.flatMap(([, { uses }]) => uses ?? []));
  const actions = [...used].map((each) => each.split('@')[0]);
  expect(actions).toEqual([...new Set(actions)]);
});

test.each(workflows.map((workflow) => [workflow.name, workflow] as const))(
  '%s gives no permission to all of its jobs',
  (_name, { permissions }) => expect(permissions).toEqual({}),
);

test('each job may do what is listed here, and no more', () => {
  expect(Object.fromEntries(jobs.map(([name, { permissions }]) => [name, permissions]))).toEqual({
    'check/test': { contents: 'read' },
    'check/all': { contents: 'read' },
    'check/node': { contents: 'read' },
    'check/windows': { contents: 'read' },
    'check/speed': { contents: 'read' },
    'release/version': { contents: 'write', 'pull-requests': 'write' },
    'release/check': { contents: 'read' },
    'release/pack': { contents: 'read' },
    'release/publish': { contents: 'read', 'id-token': 'write' },
    'release/announce': { contents: 'write' },
  });
});

test('only the step that pushes the branch of the next version finds credentials in its clone', () => {
  const checkouts = steps.filter(([, { uses }]) => uses?.startsWith('actions/checkout@'));
  const kept = checkouts.filter(([, step]) => step.with?.['persist-credentials'] !== false);
  expect(kept.map(([name]) => name)).toEqual(['release/version']);
});

test('no secret is stored: npm and GitHub give short-lived credentials to the job that needs them', () => {
  for (const { text } of workflows)
    expect(text).not.toMatch(/secrets\.|_TOKEN:.*NPM|NODE_AUTH_TOKEN|_authToken/);
});

test('every job ends by itself', () => {
  const endless = jobs.filter(([, job]) => job.uses === undefined && job['timeout-minutes'] === undefined);
  expect(endless).toEqual([]);
});

test('text of pull requests never becomes a part of a script', () => {
  expect(steps.filter(([, { run }]) => run?.includes('${{'))).toEqual([]);
  for (const { text } of workflows) expect(text).not.toMatch(/pull_request_target|workflow_run/);
});
