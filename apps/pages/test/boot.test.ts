import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builtFile } from './started-app.js';

const dist = (file: string) => JSON.stringify(builtFile('pages', file));

/** Runs a script in a process of its own and gives the modules loaded at each mark that it sets. */
function modulesAt(script: string): Record<string, string[]> {
  const recorder = `
    const marks = {};
    const mark = (name) => { marks[name] = Object.keys(require.cache); };
    (async () => { ${script} })().then(() => { process.stdout.write(JSON.stringify(marks)); process.exit(0); });`;
  return JSON.parse(execFileSync(process.execPath, ['-e', recorder], { encoding: 'utf8', maxBuffer: 64e6 }));
}

/** Names of npm packages among loaded files. */
function packagesOf(files: string[] = []): string[] {
  const names = files.flatMap(
    (file) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? [],
  );
  return [...new Set(names)];
}

const boot = `
  const { createPagesServer } = require(${dist('pages-server.js')});
  require(${JSON.stringify(join(builtFile('pages', '..'), 'node_modules', '@toolwright', 'http'))});
  const { server } = await createPagesServer({ port: 0, dataFolder: require('node:os').tmpdir() + '/pages-boot-' + process.pid });
  mark('booted');`;

describe('a production boot of the pages app', () => {
  it('loads no compiler, no validator and no database driver', () => {
    const loaded = packagesOf(modulesAt(`${boot} await server.close();`).booted);

    expect(loaded).toContain('reflect-metadata');
    for (const late of [
      'typescript',
      'typescript-json-schema',
      'ajv',
      'class-validator',
      'class-transformer',
      'pg',
    ]) {
      expect(loaded).not.toContain(late);
    }
    expect(loaded.filter((name) => name.startsWith('@electric-sql') || name.startsWith('@swc'))).toEqual([]);
  });
});
