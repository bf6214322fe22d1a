import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonSchemaGenerator } from 'typescript-json-schema';
import { version } from 'typescript-json-schema/package.json';
import { assertMembers, reliedOn } from './tjs-adapter.js';

/** The source of a member, whatever its spaces; of the constructor, the head of the class until its first member. */
function digestOf(generator: new (...words: never[]) => object, name: string): string {
  const member = (generator.prototype as Record<string, unknown>)[name];
  const text = String(member);
  const constructor = /constructor\([^]*?\n {4}\}/;
  const source = name === 'constructor' ? (constructor.exec(text)?.[0] ?? '') : text;
  return createHash('sha256').update(source.replace(/\s+/g, ' ')).digest('hex').slice(0, 16);
}

/** A sentence for each member that is not what the adapter was written against. */
function changesIn(generator: new (...words: never[]) => object, release: string): string[] {
  return Object.entries(reliedOn)
    .map(([name, { digest }]) => [name, digest, digestOf(generator, name)] as const)
    .filter(([, known, found]) => known !== found)
    .map(
      ([name, , found]) =>
        `typescript-json-schema ${release} changed ${name}: read the change, check the reason in tjs-adapter.ts, and write its digest there: ${found}.`,
    );
}

test('every member that the adapter relies on is as it was when the adapter was written', () => {
  expect(changesIn(JsonSchemaGenerator, version).join('\n')).toBe('');
});

test('a member with another source is named in one sentence', () => {
  class Later extends JsonSchemaGenerator {}
  Object.assign(Later.prototype, {
    getUnionDefinition() {
      return 'another';
    },
  });
  const [sentence, ...others] = changesIn(Later, '0.69.0').filter((each) => !each.includes('constructor'));
  expect(others).toEqual([]);
  expect(sentence).toMatch(
    /^typescript-json-schema 0\.69\.0 changed getUnionDefinition: read the change, .*\.$/,
  );
});

test('a release that lacks a member is refused when the compiler is loaded', () => {
  expect(() => assertMembers(JsonSchemaGenerator.prototype)).not.toThrow();
  const renamed = Object.create(JsonSchemaGenerator.prototype, {
    getUnionDefinition: { value: undefined },
  }) as object;
  expect(() => assertMembers(renamed)).toThrow(/has no getUnionDefinition: install exactly version 0\.68\.0/);
});

test('each member has a reason', () => {
  for (const { why } of Object.values(reliedOn)) expect(why).toMatch(/^[A-Z].*\.$/s);
});

test('no other source imports typescript-json-schema', () => {
  const src = join(__dirname, '..');
  const importers = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && /from 'typescript-json-schema/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(importers.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
    'generator/tjs-adapter.test.ts',
    'generator/tjs-adapter.ts',
  ]);
});
