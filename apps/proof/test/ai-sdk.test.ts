import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { whereInstalled } from '../../../.ci/test/support/installed.js';

const modules = join(__dirname, '../node_modules');
const newerNode = join(__dirname, '../../conformance-suite/node_modules/.bin/node');
const fixture = join(__dirname, 'fixtures/evaluate-with-ai-sdk.cjs');

const installed = whereInstalled(join(modules, 'ai-7'), 'The AI SDK');

const ways = [
  { version: 6, specification: 'MockLanguageModelV3', node: process.execPath, on: 'this Node' },
  { version: 6, specification: 'MockLanguageModelV3', node: newerNode, on: 'the newer Node' },
  { version: 7, specification: 'MockLanguageModelV3', node: newerNode, on: 'the newer Node' },
  { version: 7, specification: 'MockLanguageModelV4', node: newerNode, on: 'the newer Node' },
];

interface Printed {
  report: {
    failures: string[];
    model: string;
    usage: object;
    cost: number;
    cases: { problems: unknown[] }[];
  };
  count: number;
  /** Of the first request to the model. */
  first: { temperature: number; tools: object[] };
  prompt: { role: string; content: unknown }[];
}

installed.describe.each(ways)(
  `ai $version with a $specification on $on${installed.note}`,
  ({ version, specification, node }) => {
    let folder: string;
    beforeEach(() => {
      folder = temporaryFolder();
      // The package of the user, as the adapter finds it.
      symlinkSync(join(modules, `ai-${version}`), join(folder, 'ai'));
    });

    const run = () => {
      const args = [fixture, specification, join(folder, 'sums.json')];
      const { stdout, stderr } = spawnSync(node, args, {
        env: {
          ...process.env,
          NODE_PATH: folder,
          TOOLWRIGHT_EVALUATE: 'record',
          AI_SDK_LOG_WARNINGS: 'false',
        },
        encoding: 'utf8',
      });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Printed;
    };

    test('is asked as the table says, and its calls, tokens and cost are reported', () => {
      const { report, count, first, prompt } = run();
      expect(report.model).toBe('scripted-1');
      expect(report.failures).toEqual([
        'Take 1 from 2.: add was expected; called: subtract.',
        expect.stringMatching(
          /^Break\.: The server would refuse add\(.*\): arguments: expected an object, received .*\.$/,
        ),
      ]);
      expect(report.usage).toEqual({ inputTokens: 400, outputTokens: 28, cachedInputTokens: 240 });
      expect(report.cost).toBeCloseTo(0.000428, 10);
      expect(count).toBe(4);
      expect(first).toEqual({
        temperature: 0.5,
        tools: [
          {
            type: 'function',
            name: 'add',
            description: 'Adds.',
            inputSchema: expect.objectContaining({ type: 'object', required: ['a'] }) as object,
          },
        ],
      });
      expect(prompt).toMatchObject([
        { role: 'system', content: 'Use tools.' },
        { role: 'user', content: [{ type: 'text', text: 'Add 1 and 2.' }] },
        { role: 'assistant', content: [{ text: 'I add.' }, { toolName: 'add', input: { a: 1, b: 2 } }] },
        { role: 'tool', content: [{ toolCallId: 'x', output: { type: 'text', value: '3' } }] },
        { role: 'user', content: [{ type: 'text', text: 'And 3?' }] },
      ]);
    });

    test('is not asked again', () => {
      run();
      const recorded = readFileSync(join(folder, 'sums.json'), 'utf8');
      expect(run()).toMatchObject({ count: 0, report: { model: 'scripted-1' } });
      expect(readFileSync(join(folder, 'sums.json'), 'utf8')).toBe(recorded);
    });
  },
);

test('without the package the adapter says what to install', () => {
  const script = 'require(process.argv[1]).aiSdkModel("openai/gpt-5.5")';
  const adapter = join(__dirname, '../../../packages/testing/dist/ai-sdk.js');
  const { stderr } = spawnSync(process.execPath, ['-e', script, adapter], { encoding: 'utf8' });
  expect(stderr).toContain('The package "ai" is not installed. Run: npm install --save-dev ai');
});
