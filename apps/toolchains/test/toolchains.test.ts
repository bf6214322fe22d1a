import { mkdirSync, writeFileSync } from 'node:fs';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { AppFolder } from './support/app-folder.js';
import { esbuild, toolchains, type Toolchain } from './support/toolchain.js';

const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });

/** A service, an injectable class, a parent, a provider and a completion provider take part in the answers. */
const requests = [
  call('readPage', { id: '1', times: 2 }),
  call('writePage', { text: 'Bye' }),
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'summarise' }, argument: { name: 'id', value: '' } },
  },
];
const answers = [
  { structuredContent: { result: 'Hi. HelloHello' } },
  { structuredContent: { result: 'Hi. Bye at 1970-01-01T00:00:00.000Z' } },
  { completion: { values: ['1'] } },
];

/** One of each kind. `pnpm proof` tries all. */
const chosen = new Set([
  'tsc, ES modules (`nodenext`)',
  'TypeScript 7.0',
  'SWC without metadata',
  'tsx',
  'esbuild, one file with all packages, minified',
  'esbuild, minified, ES modules',
  'Rolldown',
  'Vite 8, SSR build',
]);
const built = sampleOf(toolchains, ({ name }) => chosen.has(name));
const titled = built.map((each): [string, Toolchain] => [
  `${each.name}, ${each.decorators} decorators`,
  each,
]);

/** One folder for each tsconfig: a manifest does not depend on what builds the app. */
const folders = new Map<string, AppFolder>();

async function folderOf(project: Pick<Toolchain, 'tsconfig' | 'type'>): Promise<AppFolder> {
  let folder = folders.get(project.tsconfig);
  if (!folder) {
    folders.set(project.tsconfig, (folder = new AppFolder(project)));
    await folder.manifest();
  }
  folder.empty();
  return folder;
}

afterAll(() => folders.forEach((folder) => folder.remove()));

test.each(titled)('%s: the app is built and answers', async (_, { build, start, ...project }) => {
  const folder = await folderOf(project);
  for (const command of build) await folder.node(...command);
  expect(await folder.ask(start, requests)).toMatchObject(answers);
});

test('a bundle that lost a class, because it was only used as a type, says how to keep it', async () => {
  const folder = await folderOf({ tsconfig: 'tsconfig.json' });
  await folder.node(...esbuild('--format=esm', '--packages=external', '--outfile=out/app.mjs'));
  await expect(folder.ask(['out/app.mjs'], requests)).rejects.toThrow(
    /pages: PageStore.*does not have its class[^]*verbatimModuleSyntax/,
  );
});

test('tsx runs the sources, also if there is an older build', async () => {
  const folder = await folderOf({ tsconfig: 'tsconfig.json' });
  mkdirSync(folder.path('dist'));
  writeFileSync(folder.path('dist/page-store.js'), 'throw new Error("an old build");');
  const { start } = toolchains.find(({ name }) => name === 'tsx')!;
  expect(await folder.ask(start, requests)).toMatchObject(answers);
});
