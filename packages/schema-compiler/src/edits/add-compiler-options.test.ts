import { addCompilerOptions } from './add-compiler-options.js';

const add = (text: string) => addCompilerOptions(text, { experimentalDecorators: true });

test('an option is added as the others are written, and comments stay', () => {
  expect(add('{\n  // Ours.\n  "compilerOptions": {\n    "strict": true, // always\n  },\n}\n')).toBe(
    '{\n  // Ours.\n  "compilerOptions": {\n    "experimentalDecorators": true,\n    "strict": true, // always\n  },\n}\n',
  );
  expect(add('{ "compilerOptions": { "strict": true } }')).toBe(
    '{ "compilerOptions": { "experimentalDecorators": true, "strict": true } }',
  );
});

test.each(['{ "extends": "./base.json" }', '{ "compilerOptions": {} }', '[]', ''])(
  'what has no options of its own is not touched: %s',
  (text) => {
    expect(add(text)).toBeUndefined();
  },
);
