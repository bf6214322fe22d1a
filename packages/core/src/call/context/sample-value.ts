import type { ClientInput } from '../../base/request-context.js';
import { QuestionError } from '../../base/errors/question-error.js';
import type { SampleRequest, SampleResult } from './tool-context.js';
import type { TypedQuestion } from '../questions/question-table.js';

/** The name of a tool whose arguments are the model's answer. */
const ANSWER = 'answer';

/**
 * Asks a model for a value. If the client supports tools (`sampling.tools`, from 2025-11-25 on), the model
 * must call a tool whose arguments are the answer. Otherwise it is told to write JSON and nothing else.
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

/** An answer without a type. If the code reads `value` all the same, an error says why there is none. */
export function withoutValue(answer: SampleResult, key: string): SampleResult {
  return Object.defineProperty({ ...answer }, 'value', {
    get() {
      throw new QuestionError(key, 'sample');
    },
  });
}

/** Models often put JSON between code fences, and words before it. */
function parseJson(text: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  for (const candidate of [text, fenced, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    if (!candidate) continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next candidate may be JSON.
    }
  }
  return undefined;
}
