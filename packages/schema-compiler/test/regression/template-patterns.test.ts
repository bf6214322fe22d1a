import { costOfPattern } from '@toolwright/json';
import { ts } from '../../src/generator/tjs-adapter.js';
import { templatePattern } from '../../src/types/template-pattern.js';

/** Types of texts, as people write them. TypeScript itself says which texts belong to them. */
const TYPES = [
  '`${number}px`',
  '`[${string}]`',
  '`${number}x${number}`',
  '`v${number}.${number}.${number}`',
  '`${string}-${string}`',
  '`${string}-${number}`',
  '`${number}-${string}`',
  '`${number}-${number}`',
  '`${bigint}n`',
  '`${bigint}-${bigint}`',
  '`${string}::${number}`',
  '`${string}${number}`',
  '`${number}${string}`',
  '`${number}${number}`',
  '`${number}e${string}`',
  '`${number}.${string}`',
  '`${number}.${number}`',
  '`${number}-.${number}`',
  '`${number}1${number}`',
  '`${number}+${number}`',
  '`${Uppercase<string>}-${number}`',
  '`${Uppercase<string>}${string}`',
  '`${Capitalize<string>}-${string}`',
  '`#${Lowercase<string>}`',
  '`${boolean}-${"a" | "b"}`',
  '`${string & {}}@${string}`',
  '`${Uppercase<string> & Capitalize<string>}!`',
  '`a${string}` & `${string}b`',
  '`a-${string}` & Lowercase<string>',
  '`${string}-${string}` & Uppercase<string> & `A${string}`',
  'Uppercase<string>',
  'Lowercase<string> & {}',
  'Capitalize<string>',
  'Uncapitalize<string>',
  'Uppercase<`${number}x`>',
  'Uppercase<string> & Lowercase<string>',
  'Capitalize<`a-${string}`>',
  '`${string}]${string}`',
  '`^${string}\\\\${number}`',
];

const PIECES = [
  '', 'a', 'A', 'b', 'x', 'px', '-', '.', ':', '[', ']', '!', '#', '\\', '^', 'v', 'n', 'e',
  '0', '1', '-1', '1.5', '.5', '1e21', '1E-7', '+1', '007', '0x1F', 'true', 'é', 'É', '\n', 'ab',
]; // prettier-ignore

const SOURCE = TYPES.map((type, index) => `export type T${index} = ${type};`).join('\n');

/** The types, and what TypeScript says about a text. */
function read() {
  const file = ts.createSourceFile('types.ts', SOURCE, ts.ScriptTarget.ES2022, true);
  const library = ts.createSourceFile(
    'lib.d.ts',
    'type Uppercase<S extends string> = intrinsic; type Lowercase<S extends string> = intrinsic; type Capitalize<S extends string> = intrinsic; type Uncapitalize<S extends string> = intrinsic; interface Array<T> {} interface String {} interface Number {} interface Boolean {} interface Object {} interface Function {} interface IArguments {} interface RegExp {}',
    ts.ScriptTarget.ES2022,
  );
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => ({ 'types.ts': file, 'lib.d.ts': library })[name],
    getDefaultLibFileName: () => 'lib.d.ts',
    fileExists: (name) => name === 'types.ts',
  };
  const program = ts.createProgram(['types.ts'], { strict: true, types: [] }, host);
  const checker = program.getTypeChecker() as ts.TypeChecker & {
    isTypeAssignableTo(one: ts.Type, other: ts.Type): boolean;
  };
  const types = file.statements.map((each) =>
    checker.getTypeFromTypeNode((each as ts.TypeAliasDeclaration).type),
  );
  const takes = (type: ts.Type, text: string) =>
    checker.isTypeAssignableTo(checker.getStringLiteralType(text), type);
  return { types, takes };
}

function* texts(): Generator<string> {
  for (const one of PIECES)
    for (const two of PIECES) {
      yield `${one}${two}`;
      for (const between of ['-', '.', '::']) yield `${one}${between}${two}`;
      yield `[${one}${two}]`;
    }
}

/** The documented differences: spaces around a number, other bases, and numbers that are too large. */
const isSpecial = (type: string, text: string) => /number|bigint/.test(type) && /\n|0x|e\d{3}/i.test(text);

test('a pattern matches the texts that TypeScript takes for the type, and no others', () => {
  const { types, takes } = read();
  const all = [...new Set(texts())];
  const counts = { taken: 0, refused: 0 };
  const wrong = types.flatMap((type, index) => {
    const pattern = templatePattern(type);
    const regExp = new RegExp(pattern, 'u');
    return all.flatMap((text) => {
      if (isSpecial(TYPES[index]!, text)) return [];
      const isOf = takes(type, text);
      counts[isOf ? 'taken' : 'refused']++;
      return regExp.test(text) === isOf ? [] : [`${TYPES[index]} ${JSON.stringify(text)} ${isOf} ${pattern}`];
    });
  });
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(counts.taken).toBeGreaterThan(10_000);
  expect(counts.refused).toBeGreaterThan(10_000);
});

test('no pattern of a type takes long', () => {
  for (const type of read().types) expect(costOfPattern(templatePattern(type))).toBeInstanceOf(Object);
});
