import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('no name of a package is marked as deprecated', () => {
  const withSources = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'src')),
  );
  const marked = withSources.flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `packages/${name}/src/${file}`)
      .filter((file) => /(?<!\.test)\.m?ts$/.test(file) && /^ *(\/\*\*|\*) @deprecated /m.test(read(file))),
  );
  expect(marked).toEqual([]);
});

test.each([
  [
    'express',
    [
      'drainOnSignal',
      'mcpReady',
      'DrainedApp',
      'DrainOnSignalOptions',
      'mcpHealth',
      'oauthResourceServer',
      'serveHttp',
    ],
  ],
  ['testing', ['connect', 'McpClient', 'RpcError', 'ConnectOptions']],
])('@toolwright/%s passes on these names of another package, and no other', (folder, passedOn) => {
  const text = read(`packages/${folder}/src/index.ts`);
  const lists = [...text.matchAll(/export \{([^}]*)\} from '@toolwright\/[^']+'/g)];
  const names = lists.flatMap(([, list]) => list!.match(/\b(?!type\b)\w+/g) ?? []);
  expect(names).toEqual(passedOn);
});
