import { addCompilerOptions } from './tsconfig.js';

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
