import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { RecordingTerminal } from '../../test/support/recording-terminal.js';
import { offerBundle } from './make-bundle.js';

let project: string;

beforeEach(() => {
  project = temporaryFolder();
  writeFileSync(join(project, 'server.json'), '{}\n');
});

/** Offers a bundle, and says what was shown and written. */
async function offer(
  choice: { dryRun?: true; yes?: true },
  { answer, after = '{"a":1}\n' }: { answer?: string; after?: string } = {},
) {
  const terminal = new RecordingTerminal(project);
  const person =
    answer === undefined ? terminal : Object.assign(terminal, { ask: () => Promise.resolve(answer) });
  let isKept = false;
  const serverJson = { path: join(project, 'server.json'), before: '{}\n', after };
  const bundle = {
    manifest: { name: 'notes' },
    bytes: 1_500_000,
    path: join(project, 'out/notes.mcpb'),
    serverJson,
    keep: () => void (isKept = true),
    drop: () => undefined,
  };
  const options = { project, dryRun: choice.dryRun, yes: choice.yes };
  const code = await offerBundle(bundle, options, person).catch((error: Error) => error.message);
  return {
    code,
    isKept,
    stdout: terminal.stdout,
    written: readFileSync(join(project, 'server.json'), 'utf8'),
  };
}

test('a dry run shows the manifest and the change, and writes nothing', async () => {
  const { stdout, ...rest } = await offer({ dryRun: true });
  expect(rest).toEqual({ code: 0, isKept: false, written: '{}\n' });
  expect(stdout).toContain('out/notes.mcpb, 1.5 MB, with this manifest.json:\n{\n  "name": "notes"\n}');
  expect(stdout).toContain('+{"a":1}');
});

test('with a yes both are written', async () => {
  const { stdout: _, ...result } = await offer({}, { answer: 'y' });
  expect(result).toEqual({ code: 0, isKept: true, written: '{"a":1}\n' });
});

test('without a yes nothing is written, also if server.json needs no change', async () => {
  for (const after of ['{"a":1}\n', '{}\n']) {
    expect(await offer({}, { answer: 'n', after })).toMatchObject({
      code: 1,
      isKept: false,
      written: '{}\n',
    });
    expect(await offer({}, { after })).toMatchObject({
      code: expect.stringContaining('Nothing was written'),
      isKept: false,
    });
  }
  for (const choice of [{ yes: true as const }, {}])
    expect(await offer(choice, { answer: 'y', after: '{}\n' })).toMatchObject({ code: 0, isKept: true });
});
