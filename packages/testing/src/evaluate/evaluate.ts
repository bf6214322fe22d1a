import { connect, type ListedTool, type McpClient } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import type { EvaluationReport } from '@toolwright/json';
import { resolve } from 'node:path';
import { evaluationMode, recordCommand, type EvaluationMode } from './evaluation-mode.js';
import { type ExpectedCall, toolsOf } from './judge-answer.js';
import type { EvaluatedModel, ModelMessage } from './model.js';
import type { TokenPrices } from './report.js';
import { runEvaluation, type PlannedCase } from './run-evaluation.js';
import { toolsBehind } from './tools-behind.js';

/** One line of a table: a request, and the calls that are the right answer to it. */
export interface EvaluationCase {
  /** What a person writes, or a conversation that ends with it. */
  readonly request: string | readonly ModelMessage[];
  /** One call, several calls in one answer, or `[]` for an answer without calls. A text is the name of a tool. */
  readonly expect: string | ExpectedCall | readonly (string | ExpectedCall)[];
  /** Unique in the table. Default: the request, if that is a text. */
  readonly name?: string;
  /** Further tools that the case is about, such as one that must not be called. A change of their text counts. */
  readonly tools?: readonly string[];
}

export interface EvaluateOptions {
  readonly cases: readonly EvaluationCase[];
  /** The file of recorded answers, which is committed. Each table has its own. */
  readonly recordings: string;
  /** Without one, recordings are replayed, and cases without any fail. */
  readonly model?: EvaluatedModel;
  /** The text before the conversation. Default: the instructions of the server. */
  readonly system?: string;
  /** Default: `replay` where the environment variable `CI` is set, else `auto`. `TOOLWRIGHT_EVALUATE` wins. */
  readonly mode?: EvaluationMode;
  /** How many answers are asked for each case. All of them must be right. Default: 1. */
  readonly answers?: number;
  /** How many answers are waited for at a time. Default: 4. */
  readonly atOnce?: number;
  readonly prices?: TokenPrices;
  /** The command that records, as a failing case names it. Default: that of the test runner. */
  readonly command?: string;
}

const {
  anyObject,
  either,
  filledText,
  flag,
  group,
  listOf,
  objectWith,
  oneOf,
  positiveCount,
  required,
  text,
} = optionRules;
const { amount } = optionRules;

const names = listOf('a list of names', filledText);
const expectedCall = either(
  filledText,
  group(
    { tool: required(either(filledText, names)), arguments: anyObject, exact: flag },
    'the name of a tool, or { tool, arguments }',
  ),
);
const expected = either(expectedCall, listOf('a list of expected calls', expectedCall));
const evaluationCase = group(
  {
    request: required(either(filledText, listOf('a list of messages', anyObject))),
    expect: required(expected),
    name: filledText,
    tools: names,
  },
  'a case with { request, expect }',
);

const evaluateOptions = {
  cases: required(listOf('a list of cases', evaluationCase)),
  recordings: required(filledText),
  model: objectWith('a model with a method "generate"', 'generate'),
  system: text,
  mode: oneOf('auto', 'replay', 'all'),
  answers: { ...positiveCount, default: 1 },
  atOnce: { ...positiveCount, default: 4 },
  prices: group({ input: required(amount), output: required(amount), cachedInput: amount }),
  command: filledText,
} satisfies OptionSchema<EvaluateOptions>;

/**
 * Runs a table of requests against a model, and compares its calls with the expected ones. Answers are
 * recorded. A case is asked again when its request, or the published text of one of its tools, has changed. No tool is
 * run.
 *
 * @param server the server, or a connected client of it, where the list of one caller counts
 * @throws {ConfigurationError} for options that are wrong
 * @throws {Error} for a table with two cases of one name, and for a file that holds something else
 *
 * @example
 * const report = await evaluate(server, {
 *   model: aiSdkModel(openai('gpt-5.5')),
 *   recordings: 'test/dice.recordings.json',
 *   cases: [{ request: 'What do 3 and 5 make?', expect: { tool: 'add_dice', arguments: { dice: [3, 5] } } }],
 * });
 * expect(report.failures).toEqual([]);
 */
export async function evaluate(
  server: Pick<McpServer, 'protocol'> | EvaluatedClient,
  given: EvaluateOptions,
): Promise<EvaluationReport> {
  const { cases, mode, recordings, command, ...settings } = parseOptions('evaluate', evaluateOptions, given);
  const named = cases.flatMap(namesIn);
  const { tools, behind, instructions } = await describe(server, named);
  const system = settings.system ?? instructions;
  return runEvaluation({
    ...settings,
    mode: evaluationMode(mode),
    command: command ?? recordCommand(),
    path: resolve(recordings),
    cases: planCases(cases, system),
    tools,
    behind,
  });
}

interface Described {
  readonly tools: readonly ListedTool[];
  /** Tools that models call by `call_tool`. */
  readonly behind: readonly ListedTool[];
  readonly instructions: string | undefined;
}

/** What `evaluate` asks of a client. A stand-in may have no calls: it then has no tools behind its list. */
type EvaluatedClient = Pick<McpClient, 'tools' | 'server'> & Partial<Pick<McpClient, 'call'>>;

async function describe(
  server: Pick<McpServer, 'protocol'> | EvaluatedClient,
  named: readonly string[],
): Promise<Described> {
  if (!('protocol' in server)) return describeTo(server, named);
  const client = await connect(server);
  try {
    return await describeTo(client, named);
  } finally {
    await client.close();
  }
}

async function describeTo(client: EvaluatedClient, named: readonly string[]): Promise<Described> {
  const tools = await client.tools();
  const behind = await toolsBehind(client, tools, named);
  return { tools, behind, instructions: client.server.instructions };
}

function expectedIn({ expect }: EvaluationCase): readonly ExpectedCall[] {
  const calls = (Array.isArray(expect) ? expect : [expect]) as readonly (string | ExpectedCall)[];
  return calls.map((call) => (typeof call === 'string' ? { tool: call } : call));
}

const namesIn = (each: EvaluationCase) => [...(each.tools ?? []), ...expectedIn(each).flatMap(toolsOf)];

function planCases(cases: readonly EvaluationCase[], system: string | undefined): PlannedCase[] {
  const planned = cases.map((each): PlannedCase => {
    const { request, name, tools = [] } = each;
    const messages = typeof request === 'string' ? [{ role: 'user', text: request } as const] : request;
    return {
      name: name ?? lastText(messages),
      request: { system, messages },
      expected: expectedIn(each),
      tools,
    };
  });
  const seen = new Set<string>();
  for (const { name } of planned) {
    if (seen.has(name))
      throw new Error(`Two cases have the name "${name}". Give one of them another "name".`);
    seen.add(name);
  }
  return planned;
}

function lastText(messages: readonly ModelMessage[]): string {
  return messages.at(-1)?.text ?? '';
}
