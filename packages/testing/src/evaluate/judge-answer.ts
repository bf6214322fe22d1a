import type { ListedTool } from '@toolwright/client';
import { explainValue } from '@toolwright/core/checks';
import type { AnswerProblem, ModelCall } from '@toolwright/json';
import { inspect } from 'node:util';
import { hasComputed } from './calls-in-program.js';
import type { ModelAnswer } from './model.js';

/** A call that a case expects. */
export interface ExpectedCall {
  /** The name of the tool. Of several names, each is right. */
  readonly tool: string | readonly string[];
  /**
   * The arguments that matter. Others may be there. A value is compared as JSON; a pattern must match a text; a function
   * decides by itself; matchers of Jest and Vitest, such as `expect.stringContaining`, work, too.
   */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Whether the call must have no other arguments. Default: false. */
  readonly exact?: boolean;
}

/** The names of the tools that a call may have. */
export function toolsOf({ tool }: ExpectedCall): readonly string[] {
  return typeof tool === 'string' ? [tool] : tool;
}

/** Compares answers with what cases expect, and with the schemas of the tools. */
export class AnswerJudge {
  readonly #tools: ReadonlyMap<string, ListedTool>;

  constructor(tools: readonly ListedTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The order of calls does not matter: models make them side by side. */
  judge({ calls }: ModelAnswer, expected: readonly ExpectedCall[]): AnswerProblem[] {
    if (!isAssignable(expected, calls)) return this.#differences(calls, expected);
    return calls.flatMap((call) => this.#refusal(call));
  }

  #differences(calls: readonly ModelCall[], expected: readonly ExpectedCall[]): AnswerProblem[] {
    const left = [...calls];
    const problems: AnswerProblem[] = [];
    // Calls that are right explain nothing, so that they are taken away first.
    const wanted = expected.filter((each) => !take(left, (call) => isExpected(call, each)));
    for (const each of wanted) {
      const made = take(left, ({ tool }) => toolsOf(each).includes(tool));
      const names = toolsOf(each).join(' or ');
      if (made) problems.push({ kind: 'arguments', message: describeArguments(made, each) });
      else problems.push({ kind: 'tool', message: `${names} was expected; called: ${namesOf(left)}.` });
    }
    const isExplained = problems.some(({ kind }) => kind === 'tool');
    if (left.length > 0 && !isExplained)
      problems.push({ kind: 'tool', message: `No further call was expected; called: ${namesOf(left)}.` });
    return problems;
  }

  /** An argument that a table does not name may still be wrong. */
  #refusal({ tool, arguments: given }: ModelCall): AnswerProblem[] {
    const schema = this.#tools.get(tool)?.inputSchema;
    const problems = schema && !hasComputed(given) ? explainValue(schema, given) : [];
    if (problems.length === 0) return [];
    const differs = problems.map(({ pointer, message }) => `arguments${pointer}: ${message}`).join(', ');
    return [{ kind: 'schema', message: `The server would refuse ${describeCall(tool, given)}: ${differs}.` }];
  }
}

/** Whether each expected call has a call of its own, and no call is left over. */
function isAssignable([first, ...rest]: readonly ExpectedCall[], calls: readonly ModelCall[]): boolean {
  if (!first) return calls.length === 0;
  return calls.some(
    (call, index) => isExpected(call, first) && isAssignable(rest, calls.toSpliced(index, 1)),
  );
}

function isExpected(call: ModelCall, expected: ExpectedCall): boolean {
  return toolsOf(expected).includes(call.tool) && wrongArguments(call, expected).length === 0;
}

/** The names of the arguments that differ. */
function wrongArguments({ arguments: given }: ModelCall, expected: ExpectedCall): string[] {
  const { arguments: wanted = {}, exact = false } = expected;
  const others = exact ? Object.keys(given).filter((name) => !Object.hasOwn(wanted, name)) : [];
  return [...Object.keys(wanted).filter((name) => !isSame(given[name], wanted[name])), ...others];
}

function isSame(given: unknown, wanted: unknown): boolean {
  if (wanted instanceof RegExp)
    return (
      typeof given === 'string' && new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, '')).test(given)
    );
  if (typeof wanted === 'function') return Boolean((wanted as (value: unknown) => unknown)(given));
  if (typeof wanted !== 'object' || wanted === null) return given === wanted;
  if (isMatcher(wanted)) return wanted.asymmetricMatch(given);
  if (typeof given !== 'object' || given === null) return false;
  if (Array.isArray(wanted) || Array.isArray(given))
    return (
      Array.isArray(wanted) &&
      Array.isArray(given) &&
      wanted.length === given.length &&
      wanted.every((each, index) => isSame(given[index], each))
    );
  const members = Object.entries(wanted);
  return members.every(
    ([name, each]) => Object.hasOwn(given, name) && isSame(Reflect.get(given, name), each),
  );
}

function isMatcher(value: object): value is { asymmetricMatch(given: unknown): boolean } {
  return 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function';
}

function describeArguments(call: ModelCall, expected: ExpectedCall): string {
  const wanted = (expected.arguments ?? {}) as Readonly<Record<string, unknown>>;
  const differences = wrongArguments(call, expected).map((name) => {
    if (!Object.hasOwn(wanted, name)) return `${name} is not expected, and is ${show(call.arguments[name])}`;
    return `${name} is ${show(call.arguments[name])}, expected ${show(wanted[name])}`;
  });
  return `${call.tool}: ${differences.join('; ')}.`;
}

const show = (value: unknown) => inspect(value, { depth: 4, breakLength: Infinity });
const describeCall = (tool: string, given: object) => `${tool}(${JSON.stringify(given)})`;
const namesOf = (calls: readonly ModelCall[]) => calls.map(({ tool }) => tool).join(', ') || 'nothing';

function take<T>(items: T[], isWanted: (item: T) => boolean): T | undefined {
  const index = items.findIndex(isWanted);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}
