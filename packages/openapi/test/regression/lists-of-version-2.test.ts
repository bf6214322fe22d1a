import { planOperations } from '../../src/model/plan-operations';
import { convertVersion2 } from '../../src/read/convert-version-2';
import { readSpecification } from '../../src/read/read-specification';
import { buildRequest } from '../../src/run/build-request';
import { requestOf } from '../../src/run/openapi-tools';
import { writeFiles } from '../../src/write/write-files';

const list = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  type: 'array',
  items: { type: 'string' },
  required: place === 'path',
  ...more,
});

/** The plan of one operation of version 2.0 with these parameters. */
async function planOf(parameters: object[], more: object = {}) {
  const post = { operationId: 'send', parameters, responses: {}, ...more };
  const spec = { swagger: '2.0', info: { title: 'Any', version: '1' }, paths: { '/a': { post } } };
  return planOperations(await readSpecification(spec, { convert: convertVersion2 }), { include: ['send'] });
}

/** The request with the list `['x', 'y']` as each parameter. */
async function sent(parameters: { name: string }[], more: object = {}) {
  const plan = await planOf(parameters, more);
  const args = Object.fromEntries(parameters.map(({ name }) => [name, ['x', 'y']]));
  const request = requestOf(plan.operations[0]!, args, plan.inputs);
  const { url, body } = buildRequest('https://x.example', request);
  return { query: url.search, body: Buffer.from(body ?? '').toString(), code: codeOf(plan) };
}

const codeOf = (plan: Awaited<ReturnType<typeof planOf>>) => [...writeFiles(plan).values()].join('');

test('a list of a form is written as its format says, and without a format with commas', async () => {
  const { body, code } = await sent([
    list('csv', 'formData'),
    list('ssv', 'formData', { collectionFormat: 'ssv' }),
    list('pipes', 'formData', { collectionFormat: 'pipes' }),
    list('multi', 'formData', { collectionFormat: 'multi' }),
  ]);
  expect(body).toBe('csv=x,y&ssv=x%20y&pipes=x%7Cy&multi=x&multi=y');
  expect(code).toMatch(/csv: commaSeparated\(\w+\.csv\)/);
});

test('a list in a form of several parts is one part, unless its format is multi or it has files', async () => {
  const { body, code } = await sent(
    [list('csv', 'formData'), list('multi', 'formData', { collectionFormat: 'multi' })],
    { consumes: ['multipart/form-data'] },
  );
  expect(body.match(/name="\w+"\r\n\r\n\w(?:,\w)?/g)).toEqual([
    'name="csv"\r\n\r\nx,y',
    'name="multi"\r\n\r\nx',
    'name="multi"\r\n\r\ny',
  ]);
  expect(code).toMatch(/multipart: \{ \.\.\.\w+, csv: commaSeparated\(\w+\.csv\) \}/);
  const files = await planOf([list('files', 'formData', { items: { type: 'file' } })], {
    consumes: ['multipart/form-data'],
  });
  expect(files.operations[0]!.body!.styles).toEqual({});
});

test.each([
  ['tsv', list('a', 'query', { collectionFormat: 'tsv' })],
  ['tsv', list('a', 'formData', { collectionFormat: 'tsv' })],
  ['pipes', list('a', 'header', { collectionFormat: 'pipes' })],
  ['nested', list('a', 'query', { items: { type: 'array', items: { type: 'string' } } })],
])('a list as %s, which no request has, makes no tool and is named: %j', async (format, parameter) => {
  const plan = await planOf([parameter]);
  expect(plan.operations).toEqual([]);
  expect(plan.skipped[0]!.reason).toBe(`the list "a" is written as "${format}", which is not supported`);
});

test('the usual formats of queries are as they were', async () => {
  const { query } = await sent(
    ['csv', 'ssv', 'pipes', 'multi'].map((name) => list(name, 'query', { collectionFormat: name })),
  );
  expect(query).toBe('?csv=x,y&ssv=x%20y&pipes=x%7Cy&multi=x&multi=y');
});
