import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { addCompilerOptions, excludeFolder } from './tsconfig.js';

const add = (text: string) => addCompilerOptions(text, { experimentalDecorators: true });

test('a new option is written like the others, and comments stay', () => {
  expect(add('{\n  // Ours.\n  "compilerOptions": {\n    "strict": true, // always\n  },\n}\n')).toBe(
    '{\n  // Ours.\n  "compilerOptions": {\n    "experimentalDecorators": true,\n    "strict": true, // always\n  },\n}\n',
  );
  expect(add('{ "compilerOptions": { "strict": true } }')).toBe(
    '{ "compilerOptions": { "experimentalDecorators": true, "strict": true } }',
  );
});

test.each(['{ "extends": "./base.json" }', '{ "compilerOptions": {} }', '[]', ''])(
  'a file without its own options is not changed: %s',
  (text) => {
    expect(add(text)).toBeUndefined();
  },
);

describe('a folder is left out', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.ts'), '');
  writeFileSync(join(folder, 'base.json'), '{ "include": ["*.ts"], "exclude": ["old"] }');

  test.each([
    ['{\n  "include": ["*.ts"] // all\n}', '{\n  "include": ["*.ts"],\n  "exclude": ["src/views"] // all\n}'],
    ['{ "include": ["*.ts"] }', '{ "include": ["*.ts"], "exclude": ["src/views"] }'],
    ['{ "exclude": ["old"] }', '{ "exclude": ["old", "src/views"] }'],
    ['{ "exclude": [] }', '{ "exclude": ["src/views"] }'],
    // What the compiler leaves out by itself stays out.
    [
      '{ "compilerOptions": { "outDir": "out" } }',
      '{ "compilerOptions": { "outDir": "out" }, "exclude": ["node_modules", "out", "src/views"] }',
    ],
    ['{ "extends": "./base.json" }', '{ "extends": "./base.json", "exclude": ["old", "src/views"] }'],
  ])('%s becomes %s', (text, after) => {
    const path = join(folder, 'tsconfig.json');
    writeFileSync(path, text);
    expect(excludeFolder(path, text, 'src/views')).toBe(after);
    writeFileSync(path, after);
    expect(excludeFolder(path, after, 'src/views')).toBe(after);
  });

  test.each(['{ "exclude": ["./src/views/**"] }', '{ "files": ["a.ts"] }'])('%s needs no change', (text) => {
    const path = join(folder, 'tsconfig.json');
    writeFileSync(path, text);
    expect(excludeFolder(path, text, 'src/views')).toBe(text);
  });
});
