import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { openApiTools } from '../src/index';
import { planOperations } from '../src/model/plan-operations';
import { readSpecification } from '../src/read/read-specification';
import { writeFiles } from '../src/write/write-files';
import { AnsweringApi } from './support/answering-api';
import { circular, circles } from './support/circular-schemas';
import { compileImport } from './support/compile-import';

const api = new AnsweringApi();
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await api.open();
});
afterAll(() => api.close());

/** Adds the tools of a specification, and calls each with an argument and an answer. */
async function throughTools(spec: string | object, value: unknown): Promise<unknown[]> {
  const server = await createMcpServer({ name: 'circles', version: '1.0.0', services: [], audit: false });
  try {
    const names = await openApiTools(server, { spec, baseUrl });
    const client = await connect(server);
    api.answer = JSON.stringify(value);
    const found = [];
    for (const name of names) {
      const { inputSchema } = (await client.tools()).find((tool) => tool.name === name)!;
      const isWhole = Object.hasOwn(inputSchema.properties ?? {}, 'body');
      const result = await client.call(name, isWhole ? { body: value } : (value as Record<string, unknown>));
      found.push(result.isError ? result.content : result.structuredContent);
    }
    return found;
  } finally {
    await server.close();
  }
}

test.each(circles)('$name is read, sent, answered and written', async ({ schemas, value, answer }) => {
  const spec = circular(schemas);
  expect(await throughTools(spec, value)).toEqual([answer ?? value]);
  expect(JSON.parse(api.seen.at(-1)!.body)).toEqual(value);
  const files = writeFiles(planOperations(await readSpecification(spec)));
  expect([...files.keys()]).toContain('index.ts');
});

test('all of them become code that compiles', async () => {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const [index, circle] of circles.entries()) {
    // Each has schemas of its own in the one document.
    const text = JSON.stringify(circular(circle.schemas)).replace(
      /(#\/components\/schemas\/\w+)/g,
      `$1${index}`,
    );
    const document = JSON.parse(text) as { paths: object; components: { schemas: object } };
    paths[`/whole-${index}`] = Object.values(document.paths)[0];
    for (const [name, schema] of Object.entries(document.components.schemas))
      schemas[`${name}${index}`] = schema;
  }
  const info = { title: 'Circles', version: '1' };
  const { files, problems } = await compileImport({ openapi: '3.0.3', info, paths, components: { schemas } });
  expect(problems).toBe('');
  expect([...files.values()].join('').match(/@McpTool\(/g)).toHaveLength(circles.length);
});

test('a part that contains itself by an anchor of YAML is read', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'api.yaml');
  writeFileSync(
    file,
    `openapi: 3.0.3
info: { title: Trees, version: '1' }
paths:
  /whole:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: &node
              type: object
              properties:
                id: { type: integer }
                children: { type: array, items: *node }
      responses:
        '200':
          description: ok
          content: { application/json: { schema: *node } }
`,
  );
  const value = { id: 1, children: [{ id: 2, children: [{ id: 3 }] }] };
  expect(await throughTools(file, value)).toMatchObject([{ id: 1, children: [{ id: 2 }] }]);
  expect(JSON.parse(api.seen.at(-1)!.body)).toEqual(value);
  expect((await compileImport((await readSpecification(file)).document)).problems).toBe('');
});

test('a parsed document whose references were followed already is read', async () => {
  const node: Record<string, unknown> = { type: 'object' };
  node['properties'] = { id: { type: 'integer' }, parent: node };
  const value = { id: 1, parent: { id: 2 } };
  const spec = circular({ Whole: node });
  expect(await throughTools(spec, value)).toEqual([value]);
});
