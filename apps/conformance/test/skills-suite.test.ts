import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createHash } from 'node:crypto';
import { count } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from './support/referees.js';
import { RunningApp } from './support/running-app.js';
import { connectV1 } from './support/v1-client.js';
import { connectV2 } from './support/v2-client.js';

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
    conformanceCli,
    'server',
    '--url',
    app.url,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '--force',
  ]);
  expect(output).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  expect(code).toBe(0);
  count('checks', checks);
});

interface File {
  uri: string;
  name: string;
  mimeType: string;
  digest: string;
}

/** What the clients have in common, whatever their version. They know no method of skills. */
interface AnyClient {
  request(request: { method: string; params?: object }, schema: typeof ResultSchema): Promise<any>;
  readResource(params: { uri: string }): Promise<any>;
  close(): Promise<void>;
}

test.each<[string, () => Promise<{ client: unknown }>]>([
  ['v1', () => connectV1('http', app.url)],
  ['v2 on a revision with sessions', () => connectV2({ transport: 'http', url: app.url, era: 'legacy' })],
  ['v2 on 2026-07-28', () => connectV2({ transport: 'http', url: app.url, era: 'modern' })],
])('the official client %s reads skills, also without methods for them', async (_name, connect) => {
  const client = (await connect()).client as AnyClient;
  const ask = (method: string, params: object = {}) => client.request({ method, params }, ResultSchema);
  try {
    const { skills } = await ask('skills/list');
    expect(skills.map(({ uri }: File) => uri).sort()).toEqual([
      'skill://office/archive/SKILL.md',
      'skill://write-letter/SKILL.md',
    ]);
    for (const skill of skills) {
      expect((await ask('skills/get', { uri: skill.uri })).skill).toEqual(skill);
      for (const { uri, digest } of skill.resources as File[]) {
        const [{ text }] = (await client.readResource({ uri })).contents;
        expect(`sha256:${createHash('sha256').update(text).digest('hex')}`).toBe(digest);
      }
    }
    const { resources } = await ask('resources/directory/read', { uri: 'skill://write-letter' });
    expect(resources.map(({ name, mimeType }: File) => `${name} ${mimeType}`)).toEqual([
      'write-letter text/markdown',
      'references inode/directory',
      'templates inode/directory',
    ]);
    await expect(ask('skills/get', { uri: 'skill://none/SKILL.md' })).rejects.toThrow(/skill:\/\/none/);
  } finally {
    await client.close();
  }
});
