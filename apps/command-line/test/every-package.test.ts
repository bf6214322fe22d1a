import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries, loadsEveryEntry, published } from './support/every-entry.js';
import { withNewcomer } from './support/with-newcomer.js';

const optionalPeersOf = (entry: string) => {
  const { peerDependenciesMeta = {} } = published.find(({ name }) => `${entry}/`.startsWith(`${name}/`))!;
  return Object.keys(peerDependenciesMeta);
};

describe('all packages of a release, installed from a registry by npm', () => {
  const own = withNewcomer();

  beforeAll(() => {
    mkdirSync(join(own.newcomer.home, 'all'));
    writeFileSync(join(own.newcomer.home, 'all/package.json'), '{ "private": true, "type": "module" }');
    const names = published.map(({ name }) => name);
    expect(own.newcomer.run('all', ['npm', 'install', ...names])).toMatchObject({ status: 0 });
  });

  test('load with each of their entries, or name the optional peer that is missing', () => {
    writeFileSync(join(own.newcomer.home, 'all/load.mjs'), loadsEveryEntry);
    const { status, stdout, stderr } = own.newcomer.run('all', ['node', 'load.mjs']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const failed = Object.entries(JSON.parse(stdout) as Record<string, string>);
    const unnamed = failed.filter(
      ([entry, message]) => !optionalPeersOf(entry).some((peer) => message.includes(`'${peer}'`)),
    );
    expect(unnamed).toEqual([]);
    expect(entries.length - failed.length).toBeGreaterThan(40);
  });

  test.each(published.flatMap(({ bin = {} }) => (typeof bin === 'string' ? [] : Object.keys(bin))))(
    'the program %s runs',
    (name) => {
      const { status, stdout } = own.newcomer.run('all', [`node_modules/.bin/${name}`, '--help']);
      expect({ status, heard: stdout.length > 0 }).toEqual({ status: 0, heard: true });
    },
  );
});
