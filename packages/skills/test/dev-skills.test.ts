import { mkdirSync, rmSync, renameSync } from 'node:fs';
import { connectTo } from '../../cli/src/remote/open-remote.js';
import { DevProcess } from '../../cli/test/support/dev-process.js';
import { ProjectFolder, compilerOptions } from '../../cli/test/support/project-folder.js';
import { skillText } from './support/skill-folders.js';

const main = `import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';

void createMcpServer({ name: 'shop', version: '1.0.0', skills: ['./skills', { folder: '../shared', prefix: 'shared' }] })
  .then((server) => serveHttp(server, { port: 0 }));
`;

let around: ProjectFolder;
let project: Pick<ProjectFolder, 'folder' | 'path'>;
let dev: DevProcess;

beforeAll(() => {
  around = new ProjectFolder();
  around.write('shop/package.json', JSON.stringify({ name: 'shop' }));
  around.write('shop/tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  around.write('shop/src/main.ts', main);
  around.write('shop/skills/refunds/SKILL.md', 'Nobody has written the front matter.\n');
  around.write('shared/letters/SKILL.md', skillText('letters'));
  around.install({ '@types/node': 'node_modules/@types/node' });
  for (const name of ['core', 'http', 'skills'])
    around.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
  around.link('node_modules/typescript', 'packages/cli/node_modules/typescript-7');
  project = { folder: around.path('shop'), path: (...names) => around.path('shop', ...names) };
  dev = new DevProcess(project, '--no-console');
});

afterAll(async () => {
  await dev.stop();
  around.remove();
});

test('toolwright dev serves each edit of a skill, and what is broken never', async () => {
  // The repair of a skill starts an app that did not start.
  await dev.says(/The skill \S+ cannot be served: it does not begin with front matter/);
  await dev.says(/The app does not start/);
  around.write('shop/skills/refunds/SKILL.md', skillText('refunds'));
  const client = await connectTo(await dev.url(), {});
  const listed = async () => {
    const { skills } = (await client.request('skills/list')) as { skills: { uri: string }[] };
    return skills.map(({ uri }) => uri);
  };
  expect(await listed()).toEqual(['skill://refunds/SKILL.md', 'skill://shared/letters/SKILL.md']);

  // dev may report one edit twice. So the report that is read here may be about the edit before.
  const becomes = async (read: () => Promise<unknown>, wanted: unknown) => {
    while (JSON.stringify(await read()) !== JSON.stringify(wanted)) await dev.says(/read \S+ again/);
  };
  const textOf = (uri: string) => async () => {
    const read = client.request('resources/read', { uri }) as Promise<{ contents: { text: string }[] }>;
    // A file that is not served yet has no text.
    return read.then(
      ({ contents }) => contents[0]!.text,
      () => undefined,
    );
  };
  const changes = await client.listen({ resources: true, uris: ['skill://refunds/SKILL.md'] });

  around.write('shop/skills/refunds/SKILL.md', `${skillText('refunds')}Ask first.\n`);
  await becomes(textOf('skill://refunds/SKILL.md'), `${skillText('refunds')}Ask first.\n`);
  const heard = [await changes.next(), await changes.next()];
  expect(heard.map((change) => change!.method)).toEqual([
    'notifications/resources/list_changed',
    'notifications/resources/updated',
  ]);

  // A folder outside of the project, and one that appears at once.
  around.write('shared/letters/references/tone.txt', 'Kind.\n');
  await becomes(textOf('skill://shared/letters/references/tone.txt'), 'Kind.\n');
  around.write('returns/SKILL.md', skillText('returns'));
  renameSync(around.path('returns'), around.path('shop/skills/returns'));
  await becomes(listed, [
    'skill://refunds/SKILL.md',
    'skill://returns/SKILL.md',
    'skill://shared/letters/SKILL.md',
  ]);
  rmSync(around.path('shop/skills/returns'), { recursive: true });
  await becomes(listed, ['skill://refunds/SKILL.md', 'skill://shared/letters/SKILL.md']);

  mkdirSync(around.path('shop/skills/half'));
  around.write('shop/skills/half/SKILL.md', '---\nname: whole\n---\n');
  await dev.says(/The skill \S+ cannot be served: its "name" is "whole", and its folder is "half"/);
  await dev.says(/What was read before is served on/);
  expect(await listed()).toEqual(['skill://refunds/SKILL.md', 'skill://shared/letters/SKILL.md']);
  await changes.close();
  await client.close();
});
