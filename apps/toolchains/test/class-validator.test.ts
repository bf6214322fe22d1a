import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { AppFolder } from './support/app-folder.js';
import { esbuild } from './support/toolchain.js';

const call = (name: string) => ({
  method: 'tools/call',
  params: { name: 'createUser', arguments: { name } },
});
const bundle = (...options: string[]) =>
  esbuild('--format=cjs', '--outfile=out/app.cjs', '--tree-shaking=true', ...options);

let folder: AppFolder;

beforeAll(async () => {
  folder = new AppFolder({ tsconfig: 'tsconfig.verbatim.json' });
  cpSync(join(__dirname, 'fixtures/validated'), folder.path('src'), { recursive: true });
  await folder.manifest();
});

afterAll(() => folder.remove());

test('a minified bundle that does not keep names does not start, and says what to do', async () => {
  folder.empty();
  await folder.node(...bundle('--minify'));
  await expect(folder.ask(['out/app.cjs'], [call('ANN')])).rejects.toThrow(
    /CreateUserDto validates arguments and cannot be loaded.*--keep-names/s,
  );
});

test.each([
  ['tsx', undefined, ['node_modules/tsx/dist/cli.mjs', 'src/main.ts']],
  ['a bundle', bundle(), ['out/app.cjs']],
  ['a bundle with source maps', bundle('--sourcemap'), ['--enable-source-maps', 'out/app.cjs']],
  ['a minified bundle that keeps names', bundle('--minify', '--keep-names'), ['out/app.cjs']],
])('%s checks arguments with the class that class-validator decorates', async (_, build, start) => {
  folder.empty();
  if (build) await folder.node(...build);
  const [right, wrong] = await folder.ask(start, [call('ANN'), call('Ann')]);
  expect(right).toMatchObject({ structuredContent: { result: 'ANN true' } });
  expect(wrong).toMatchObject({ isError: true });
  expect(JSON.stringify(wrong)).toContain('name must be shouted');
});
