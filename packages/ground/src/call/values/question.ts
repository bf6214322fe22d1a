import {
  addDefaults,
  compileRevival,
  defaultsIn,
  describeProblems,
  digitsInPlace,
  findInexactProblems,
  hideInAnswer,
  inexactNumbers,
  type JsonSchema,
  lazily,
  PendingChecks,
  type Problem,
  readJson,
  toClientSafe,
  type TypeTable,
  UnrevivableError,
  validateInstances,
  validatorFor,
} from '@toolwright/json';
import type { ManifestQuestion } from '@toolwright/manifest';
import { QuestionError, ToolError, toolErrorOf } from '../../base/errors/errors.js';
import type { ClientInput } from '../../base/request-context.js';
import type { SampleRequest, SampleResult, TypedQuestion } from '../context/tool-context.js';

/** Created from the manifest's description of a question. */
export class Question implements TypedQuestion {
  readonly #revive = lazily(() => {
    const { types, definition } = this.given;
    const wordsOf = (error: unknown) => toolErrorOf(error)?.message;
    return definition.revive && compileRevival(definition.revive, { types, always: false, wordsOf });
  });

  constructor(
    private readonly given: { key: string; definition: ManifestQuestion; types: TypeTable },
    readonly schema: JsonSchema,
  ) {}

  get kind(): ManifestQuestion['kind'] {
    return this.given.definition.kind;
  }

  get published(): JsonSchema {
    return toClientSafe(this.schema, { role: 'input' });
  }

  async read(answer: unknown): Promise<unknown> {
    const given = this.kind === 'elicit' ? this.#declared(answer) : answer;
    const problems = this.#inexact(given) ?? validatorFor(this.schema, 'caller')(given);
    if (problems) throw this.#misfit(problems, given);
    const complete = addDefaults({ ...(given as object) }, defaultsIn(this.schema));
    const { wrap } = this.given.definition;
    const value: unknown = wrap ? (complete as { value: unknown }).value : complete;
    const pending = new PendingChecks();
    const revived = this.#explained(
      given,
      () => this.#revive()?.(value, pending, wrap ? '/value' : '') ?? value,
    );
    const misfits = pending.unchecked.length > 0 ? await validateInstances(pending) : [];
    if (misfits.length > 0) throw this.#misfit(misfits, given);
    this.#explained(given, () => pending.finish());
    return revived;
  }

  unreadable(): ToolError {
    return new ToolError(`The answer to the question "${this.given.key}" is not JSON.`);
  }

  /** Removes properties that the form does not have, because clients may send more. */
  #declared(answer: unknown): unknown {
    const { properties = {} } = this.schema;
    return Object.fromEntries(
      Object.entries(answer as object).filter(([name]) => Object.hasOwn(properties, name)),
    );
  }

  #explained<T>(answer: unknown, revive: () => T): T {
    try {
      return revive();
    } catch (error) {
      if (error instanceof UnrevivableError) throw this.#misfit(error.problems, answer);
      throw error;
    }
  }

  /** A model writes integers that no double holds into the text of its answer. */
  #inexact(answer: unknown): readonly Problem[] | undefined {
    const numbers = inexactNumbers(answer, false);
    if (numbers.length === 0) return undefined;
    digitsInPlace(answer, numbers);
    const problems = findInexactProblems(answer as Record<string, unknown>, numbers, this.schema);
    return problems.length > 0 ? problems : undefined;
  }

  #misfit(problems: readonly Problem[], answer: unknown): ToolError {
    const shown = describeProblems(hideInAnswer(problems, this.schema, answer));
    return new ToolError(`The answer to the question "${this.given.key}" does not fit:\n${shown}`);
  }
}

/** The name of a tool whose arguments are the model's answer. */
const ANSWER = 'answer';

/**
 * Asks a model for a value. If the client supports tools (`sampling.tools`, from 2025-11-25 on), the model must call
 * a tool whose arguments are the answer. Otherwise the prompt asks for JSON and nothing else.
 */
export function structuredRequest(
  request: SampleRequest,
  question: TypedQuestion,
  input: Pick<ClientInput, 'supports'>,
): SampleRequest {
  const schema = question.published;
  if (input.supports('sampling/createMessage', 'tools')) {
    const tool = { name: ANSWER, description: 'Gives the answer.', inputSchema: schema };
    return { ...request, tools: [tool], toolChoice: { mode: 'required' } };
  }
  const words = `Answer with JSON and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
  return { ...request, systemPrompt: request.systemPrompt ? `${request.systemPrompt}\n\n${words}` : words };
}

/** The model's answer with its typed value. */
export async function withValue(answer: SampleResult, question: TypedQuestion): Promise<SampleResult> {
  const blocks = [answer.content].flat() as Record<string, unknown>[];
  const called = blocks.find(({ type, name }) => type === 'tool_use' && name === ANSWER);
  const text = blocks.flatMap((block) => (typeof block['text'] === 'string' ? block['text'] : [])).join('\n');
  const json = called ? called['input'] : parseJson(text);
  if (json === undefined) throw question.unreadable();
  return { ...answer, value: await question.read(json) } as SampleResult;
}

/** An answer without a type has no `value`. If the method reads it, an error says why it is missing. */
export function withoutValue(answer: SampleResult, key: string): SampleResult {
  return Object.defineProperty({ ...answer }, 'value', {
    get() {
      throw new QuestionError(key, 'sample');
    },
  });
}

/** Models often put JSON between code fences, and words before it. */
function parseJson(text: string): unknown {
  const fenced = text
    .split('```')
    .find((piece, at) => at % 2 === 1 && /^(?:json)?\s/.test(piece))
    ?.replace(/^json/, '');
  for (const candidate of [text, fenced, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    if (!candidate) continue;
    try {
      return readJson(candidate);
    } catch {
      // The next candidate may be JSON.
    }
  }
  return undefined;
}
