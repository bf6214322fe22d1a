import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '../../packages');
const statement = /export (type )?\{([^}]*)\} from '\.\/[^']+';/g;
const comment = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const effect = /import '[^']+';/g;

/** Values are held by each package's own snapshot; types exist only in the source, where every name is written out. */
function typeExports(index: string): string[] {
  const names = [...index.matchAll(statement)].flatMap(([, allTypes, list]) =>
    list!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && (allTypes || name.startsWith('type ')))
      .map((name) => name.replace(/^type /, '')),
  );
  return names.sort();
}

const indexes = readdirSync(packages)
  .map((name) => [name, join(packages, name, 'src/index.ts')] as const)
  .filter(([, file]) => existsSync(file))
  .map(([name, file]) => [name, readFileSync(file, 'utf8').replace(comment, '')] as const);

test.each(indexes)('%s re-exports by name and does nothing else', (_name, index) => {
  expect(index.replace(statement, '').replace(effect, '').trim()).toBe('');
});

test.each(indexes)('the types that %s exports', (_name, index) => {
  expect(typeExports(index)).toMatchSnapshot();
});
