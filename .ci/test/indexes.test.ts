import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '../../packages');
const statement = /export (type )?\{([^}]*)\} from '(?:\.|@toolwright)\/[^']+';/g;
const comment = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const effect = /import '[^']+';/g;

const indexes = readdirSync(packages)
  .map((name) => [name, join(packages, name, 'src/index.ts')] as const)
  .filter(([, file]) => existsSync(file))
  .map(([name, file]) => [name, readFileSync(file, 'utf8').replace(comment, '')] as const);

test.each(indexes)('%s re-exports by name and does nothing else', (_name, index) => {
  expect(index.replace(statement, '').replace(effect, '').trim()).toBe('');
});
