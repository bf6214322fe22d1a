import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { count, size } from '../../../.ci/test/support/proof';
import { contractOf } from '../src/model/tool-contract';
import { planOperations } from '../src/model/plan-operations';
import { convertVersion2 } from '../src/read/convert-version-2';
import { readSpecification } from '../src/read/read-specification';
import { reportLines, reportOf } from '../src/report/import-report';
import { writeFiles } from '../src/write/write-files';

// Nobody reads a specification of strangers before it is imported. Its longest text must not hold a machine.

const [SMALL, TIMES] = [8_000, 16];

/** Texts that are slow to read for a program that looks ahead from each of their places. */
const texts = [
  '<a',
  '</',
  '<!--',
  '((((',
  '****',
  '____',
  '[[[[',
  '[a](',
  '](',
  '`',
  '```',
  '{@link ',
  '&amp;',
  '&',
  '\n',
  '\r\n',
  '\n \n',
  ' ',
  '# ',
  '> ',
  '- ',
  '. ',
  '!',
  '…',
  '..a',
  'a.',
  '*/',
  '@',
  '\\',
  '\\"',
  '"',
  "'",
  '-',
  '_',
  'aA',
  'AA',
  'a1',
  '%',
  '%2',
  '~1',
  '/',
  '{',
  '{a}',
  ';',
  ',',
  '+',
  '=',
  '?',
  '\u200b',
  '𝒜',
  'é',
];

/** What has a meaning in files alone. */
const ofFiles = ['{"', '{"a":', '["', '- - ', '? ', 'a: &a ', '*a ', '<<: ', '!!a ', '| \n', 'a:\n '];

/** In a sample one of four is tried at each place, and another one at the next place. */
const partsFor = (all: readonly string[], offset: number) =>
  all.filter((_part, index) => size > 1 || (index + offset) % 4 === 0);

const text = { type: 'string' };
type Document = Record<string, unknown>;

/** A specification with a text at one of its places. */
const places: Record<string, (long: string) => Document> = {
  'the title': (title) => documentOf({}, { info: { title, version: '1' } }),
  'the words of an operation': (long) => documentOf({ summary: long, description: long }),
  'the words of an argument': (description) =>
    documentOf({ parameters: [{ name: 'a', in: 'query', description, schema: { ...text, description } }] }),
  'the name of an operation': (operationId) => documentOf({ operationId }),
  'the name of a tag': (name) => documentOf({ tags: [name] }, { tags: [{ name, description: name }] }),
  'a path': (long) => documentOf({}, {}, `/${long}`),
  'the name of a parameter': (long) =>
    documentOf({ parameters: [{ name: `a${long}`, in: 'query', schema: text }] }),
  'a pattern': (pattern) =>
    documentOf({ parameters: [{ name: 'a', in: 'query', schema: { ...text, pattern } }] }),
  'a default and a value': (long) =>
    documentOf({
      parameters: [{ name: 'a', in: 'query', schema: { ...text, default: long, enum: [long, 'b'] } }],
    }),
  'a member of a body': (long) => documentOf({ requestBody: bodyOf({ properties: { [long]: text } }) }),
  'the name of a schema': (long) =>
    documentOf(
      { requestBody: bodyOf({ $ref: `#/components/schemas/${encodeURIComponent(long)}` }) },
      { components: { schemas: { [decoded(long)]: { type: 'object', properties: { a: text } } } } },
    ),
  'a member of an answer': (long) =>
    documentOf({ responses: { 200: { description: long, ...bodyOf({ properties: { [long]: text } }) } } }),
  'a media type': (long) => documentOf({ requestBody: { content: { [long]: { schema: text } } } }),
  'an address': (url) => documentOf({ servers: [{ url }] }, { servers: [{ url }] }),
};

const decoded = (long: string) => decodeURIComponent(encodeURIComponent(long)).replaceAll('~1', '/');
const bodyOf = (schema: object) => ({ content: { 'application/json': { schema } } });

function documentOf(operation: object, more: object = {}, path = '/a'): Document {
  const post = { operationId: 'send', responses: { 200: { description: 'ok' } }, ...operation };
  return { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths: { [path]: { post } }, ...more };
}

/** All that an import does but compiling: a mistake is an end as good as any other. */
async function importOf(document: object | string): Promise<void> {
  try {
    const plan = planOperations(await readSpecification(document, { convert: convertVersion2 }), {
      include: ['*'],
    });
    for (const each of plan.operations) contractOf(each, plan);
    reportLines(reportOf(plan));
    writeFiles(plan);
  } catch (error) {
    if (!(error as Error).name.includes('SpecificationError')) throw error;
    expect((error as Error).message).not.toMatch(/\n(?!node_modules)/);
  }
}

/** How much of the processor some work took, in microseconds. */
async function workOf(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** How much more work a text costs than its pieces do together: 1 where it grows evenly, and 16 where it grows by squares. */
async function growthOf(work: (length: number) => Promise<void>): Promise<number> {
  await work(SMALL);
  const growths: number[] = [];
  // A machine that does something else may disturb one measurement, and hardly three.
  for (let round = 0; round < 3; round += 1) {
    const pieces = await workOf(async () => {
      for (let count = 0; count < TIMES; count += 1) await work(SMALL);
    });
    const whole = await workOf(() => work(SMALL * TIMES));
    growths.push(whole / (pieces + 2_000));
    if (growths.at(-1)! < MOST) break;
  }
  return Math.min(...growths);
}

const MOST = 5;
const repeated = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

test.each(Object.keys(places).map((place, offset) => [place, offset] as const))(
  '%s costs as much as it is long',
  async (place, offset) => {
    const slow: string[] = [];
    const tried = partsFor(texts, offset);
    for (const part of tried) {
      const growth = await growthOf((length) => importOf(places[place]!(repeated(part, length))));
      if (growth >= MOST) slow.push(`${JSON.stringify(part)}: ${growth.toFixed(1)}`);
    }
    expect(slow).toEqual([]);
    count('places and texts', tried.length);
  },
  120_000,
);

test.each(['.json', '.yaml'])(
  'a file %s costs as much as it is long',
  async (extension) => {
    const folder = temporaryFolder();
    const path = join(folder, `api${extension}`);
    const slow: string[] = [];
    const tried = partsFor([...texts, ...ofFiles], extension.length);
    for (const part of tried) {
      const growth = await growthOf((length) => {
        writeFileSync(path, `{${extension === '.json' ? '"a":"' : ''}${repeated(part, length)}`);
        return importOf(path);
      });
      if (growth >= MOST) slow.push(`${JSON.stringify(part)}: ${growth.toFixed(1)}`);
    }
    expect(slow).toEqual([]);
    count('places and texts', tried.length);
  },
  120_000,
);
