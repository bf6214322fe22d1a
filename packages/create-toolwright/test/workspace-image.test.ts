import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ProjectFolder } from '../../cli/test/support/project-folder.js';
import { createApp } from '../src/index.js';

const json = (value: unknown) => JSON.stringify(value);

let room: ProjectFolder;

beforeEach(() => {
  room = new ProjectFolder();
  room.write('shop/package.json', json({ name: 'shop', private: true }));
  room.write('shop/pnpm-workspace.yaml', 'packages: ["apps/*", "packages/*"]\n');
});

afterEach(() => room.remove());

function sh(folder: string, line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', line], {
    cwd: room.path(folder),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: room.path('home'), CI: 'true' },
  });
  if (status !== 0) throw new Error(`${line}\n${stdout}${stderr}`);
  return stdout;
}

/** Does what a builder does, in folders of this machine: `root` has the files of the image. */
function buildImage(text: string): void {
  for (const stage of ['build', 'root']) room.write(`${stage}/.keep`, '');
  let [stage, at] = ['', '/'];
  const path = (name: string, of = stage) => room.path(of, name);
  for (const [, word, rest = ''] of text.matchAll(/^(FROM|WORKDIR|COPY|RUN) (.*)$/gm)) {
    if (word === 'FROM') stage = rest.endsWith('AS build') ? 'build' : 'root';
    if (word === 'WORKDIR') {
      at = rest;
      room.write(join(stage, at, '.keep'), '');
    }
    if (word === 'RUN' && stage === 'build')
      sh(join(stage, at), rest.replace('corepack enable && ', '').replace(/ \/app$/, ` ${path('/app')}`));
    if (word !== 'COPY') continue;
    const written = rest.split(' ').filter((each) => !each.startsWith('--'));
    const target = path(join(at, written.pop()!));
    const words = written.flatMap((each) => (each.includes('*') ? matching(each, path) : [each]));
    for (const each of words) {
      const source = rest.startsWith('--from=build') ? path(each, 'build') : room.path('shop', each);
      const isFile = /\.json$/.test(each);
      cpSync(source, isFile ? join(target, each.split('/').at(-1)!) : target, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) =>
          dirname(source).startsWith(room.path('build')) || !/\/node_modules(\/|$)/.test(file),
      });
    }
  }
}

/** The files of the stage that builds, which a name with a star means. */
function matching(pattern: string, path: (name: string, stage: string) => string): string[] {
  const [before, after] = basename(pattern).split('*') as [string, string];
  const names = readdirSync(path(dirname(pattern), 'build'));
  const found = names.filter((name) => name.startsWith(before) && name.endsWith(after));
  return found.map((name) => join(dirname(pattern), name));
}

test('the Dockerfile of an app in a workspace of pnpm builds what the app needs of it, and takes it along', () => {
  createApp({ directory: room.path('shop/apps/notes'), words: {} });
  const image = room.read('shop/apps/notes/Dockerfile');
  expect(image).toContain('docker build -f apps/notes/Dockerfile -t notes .');
  expect(room.read('shop/apps/notes/README.md')).toContain(
    'docker build -f apps/notes/Dockerfile -t notes .',
  );
  expect(room.has('shop/apps/notes/.dockerignore')).toBe(false);
  expect(room.read('shop/apps/notes/Dockerfile.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['**/node_modules', '**/.env*', '**/.git']),
  );
  // What stands for the app and its compiler, so that nothing comes from a registry.
  room.write(
    'shop/apps/notes/package.json',
    json({
      name: 'notes',
      version: '1.0.0',
      dependencies: { '@shop/billing': 'workspace:*' },
      scripts: { build: 'mkdir -p dist && cp ../main.js dist && cp ../main.js mcp.manifest.json' },
    }),
  );
  room.write('shop/apps/main.js', "console.log(require('@shop/billing').price);");
  room.write(
    'shop/packages/billing/package.json',
    json({
      name: '@shop/billing',
      version: '1.0.0',
      main: 'dist/index.js',
      files: ['dist', 'mcp.manifest.json'],
      scripts: { build: 'mkdir -p dist && cp index.js dist', manifest: 'cp package.json mcp.manifest.json' },
    }),
  );
  room.write('shop/packages/billing/index.js', 'exports.price = 42;');
  sh('shop', 'pnpm install --lockfile-only');
  buildImage(image);
  const [, entry] = /^ENTRYPOINT (.*)$/m.exec(image)!;
  const [program, ...words] = JSON.parse(entry!) as string[];
  // Only what is in the image is left.
  for (const gone of ['shop', 'build']) sh('.', `rm -r ${gone}`);
  expect(sh('root/app', [program, ...words].join(' '))).toBe('42\n');
  expect(room.has('root/app/mcp.manifest.json')).toBe(true);
  expect(room.has('root/app/node_modules/@shop/billing/mcp.manifest.json')).toBe(true);
});

test('a package with its own lockfile, or below settings that list no packages, has an image of its own', () => {
  room.write('shop/pnpm-workspace.yaml', 'onlyBuiltDependencies: []\n');
  createApp({ directory: room.path('shop/apps/alone'), words: {} });
  expect(room.read('shop/apps/alone/Dockerfile')).toContain('COPY package.json package-lock.json* ./');
  expect(room.has('shop/apps/alone/.dockerignore')).toBe(true);
});
