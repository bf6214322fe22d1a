import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFolder, repository } from '../../../cli/test/support/project-folder.js';

const tools = `import { createMcpServer, McpService, McpTool } from '@toolwright/core';

export abstract class Clock {
  abstract now(): number;
}

interface Ignored {
  a: string;
}

@McpService()
export class Tools {
  constructor(readonly clock: Clock) {}
  /** Say hello. Returns it. */
  @McpTool({ annotations: { readOnlyHint: true } })
  hello(text: string): string {
    const given: Ignored = { a: text };
    return given.a;
  }
}

export const create = (more: object) =>
  createMcpServer({ name: 'x', version: '1', services: [Tools], ...more });
`;
const lineOf = (text: string) => tools.slice(0, tools.indexOf(text)).split('\n').length;

const asked = `import { create } from './tools.js';

test('a provider is missing', () => create({}));
test('an option is misspelt', () => create({ timeuot: 5 }));
`;

let project: ProjectFolder;

beforeAll(() => {
  project = new ProjectFolder();
  project.install({
    '@toolwright/core': 'packages/core',
    '@toolwright/testing': 'packages/testing',
    '@swc/jest': 'node_modules/@swc/jest',
    vitest: 'packages/testing/node_modules/vitest',
  });
  project.write('package.json', '{ "name": "places", "type": "module" }');
  project.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: { target: 'ES2022', module: 'nodenext', strict: true, experimentalDecorators: true },
      include: ['src'],
    }),
  );
  project.write('src/tools.ts', tools);
  project.write('src/tools.test.ts', asked);
  const template = 'packages/create-toolwright/templates';
  project.write('jest.config.cjs', readFileSync(join(repository, template, 'jest/jest.config.cjs'), 'utf8'));
  const vitest = readFileSync(join(repository, template, 'vitest/vitest.config.mts'), 'utf8');
  project.write('vitest.config.mts', vitest.replace('test: {', 'test: { globals: true,'));
});

afterAll(() => project.remove());

test.each([
  ['Jest', join(repository, 'node_modules/jest/bin/jest.js'), ['--ci']],
  ['Vitest', join(repository, 'packages/testing/node_modules/vitest/vitest.mjs'), ['run']],
])('problems of the boot are told with their lines of the sources under %s', (_, runner, words) => {
  const { stdout, stderr } = project.node(runner, ...words);
  const said = stdout + stderr;
  expect(said).toMatch(
    new RegExp(`src/tools\\.ts:${lineOf('@McpService')}:\\d+: TW_DEPENDENCY_MISSING: Nothing provides Clock`),
  );
  expect(said).toMatch(
    new RegExp(`src/tools\\.ts:${lineOf('createMcpServer({')}:\\d+: TW_OPTION_INVALID: [^\\n]*"timeuot"`),
  );
});

test('what Vitest compiles names no source map, because maps are not packed', () => {
  const folder = join(__dirname, '../../dist/vitest');
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
  expect(files).toContain('setup.mjs');
  for (const file of files)
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('sourceMappingURL');
});
