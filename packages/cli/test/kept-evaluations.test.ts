import { createMcpServer } from '@toolwright/core';
import { evaluate, type EvaluationReport } from '@toolwright/testing';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { keptEvaluations } from '../src/dev/console/kept-evaluations.js';

let project: string;
beforeEach(() => {
  project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{}');
});

test('the console finds what a test of the project has written, the newest first', async () => {
  expect(keptEvaluations(project)).toEqual([]);
  const server = await createMcpServer({ name: 'a', version: '1', services: [], audit: false });
  const model = { generate: () => ({ calls: [] }) };
  const reports: EvaluationReport[] = [];
  for (const name of ['first', 'second']) {
    const recordings = join(project, `test/${name}.recordings.json`);
    const cases = [{ request: 'Hello.', expect: [] }];
    reports.unshift(await evaluate(server, { model, recordings, cases, mode: 'auto' }));
  }
  await server.close();
  expect(keptEvaluations(project)).toEqual(JSON.parse(JSON.stringify(reports)));
});

test('what is no report is left out', () => {
  const folder = join(project, '.toolwright/evaluations');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ['broken.json', '{'],
    ['list.json', '[]'],
    ['other.json', '{"at":"2026","cases":1}'],
    ['readme.txt', 'at'],
  ] as const)
    writeFileSync(join(folder, name), text);
  expect(keptEvaluations(project)).toEqual([]);
});
