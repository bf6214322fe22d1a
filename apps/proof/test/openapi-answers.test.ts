import { createMcpServer } from '@toolwright/core';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@toolwright/core/ports';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, runs, size } from '../../../.ci/test/support/proof.js';
import { convertVersion2 } from '../../../packages/openapi/src/read/convert-version-2.js';
import type { OpenApiDocument } from '../../../packages/openapi/src/read/openapi-document.js';
import { readSpecification } from '../../../packages/openapi/src/read/read-specification.js';
import { checkAnswers } from '../../../packages/openapi/test/support/check-answers.js';
import { randomNumbers, SchemaGenerator } from '../../../packages/openapi/test/support/generate-answers.js';
import { ImportedApp } from './imported-app.js';
import { oddSpecification } from './odd-specification.js';
import { SAMPLE, specifications } from './specifications.js';

const SCHEMAS = 100;
// PROOF_SEED repeats a run. A failure says its seed.
const given = process.env.PROOF_SEED;
const { seed = Number(given ?? Date.now() % 1_000_000) } = runs(1) as { seed?: number };
const chosen = process.env.PROOF_ONLY?.split(',');
const tried = specifications.filter(({ name }, index) =>
  chosen ? chosen.includes(name) : size > 1 || index < SAMPLE,
);
const installed = whereInstalled(specifications[0]!.file, 'The specification');

installed.describe.each(tried)(`The answers of $name${installed.note}`, ({ file }) => {
  it('arrive as they are sent, whatever their schemas allow', async () => {
    const { document } = await readSpecification(file, { convert: convertVersion2 });
    const { sent, wrong } = await checkAnswers(document, { seed, answers: size > 1 ? 2 : 1 });
    expect({ seed, wrong: wrong.slice(0, 5) }).toEqual({ seed, wrong: [] });
    count('answers', sent);
  });
});

describe('Odd schemas, and circles', () => {
  let app: ImportedApp;
  beforeAll(() => {
    app = ImportedApp.create();
  });
  afterAll(() => app.remove());

  it('are written as code that compiles, and whose answers arrive', async () => {
    const document = oddSpecification(seed, 20 * size) as OpenApiDocument;
    const file = join(app.folder, 'odd.json');
    writeFileSync(file, JSON.stringify(document));
    app.import(file);
    app.build();
    const serve = (baseUrl: string) => {
      process.env.API_BASE_URL = baseUrl;
      return createMcpServer({
        name: 'odd',
        version: '1.0.0',
        ...app.load(),
        manifest: app.manifest,
        logger: silentLogger,
        audit: false,
        rateLimit: false,
      });
    };
    const { sent, wrong } = await checkAnswers(document, { seed, answers: 3, serve });
    expect({ seed, wrong: wrong.slice(0, 5) }).toEqual({ seed, wrong: [] });
    count('answers through written code', sent);
  });
});

describe('Answers of random schemas', () => {
  it('arrive as they are sent', async () => {
    const schemas = new SchemaGenerator(randomNumbers(seed));
    const rounds = size > 1 ? 8 : 1;
    for (let round = 0; round < rounds; round += 1) {
      const content = () => ({ 'application/json': { schema: schemas.schema() } });
      const get = () => ({ get: { responses: { 200: { description: 'ok', content: content() } } } });
      const paths = Object.fromEntries(Array.from({ length: SCHEMAS }, (_, index) => [`/v-${index}`, get()]));
      const document = {
        openapi: '3.1.0',
        info: { title: 'Random', version: '1' },
        paths,
      } as OpenApiDocument;
      const { sent, wrong } = await checkAnswers(document, { seed: seed + round, answers: 3 });
      expect({ seed, wrong: wrong.slice(0, 5) }).toEqual({ seed, wrong: [] });
      count('answers of random schemas', sent);
    }
  });
});
