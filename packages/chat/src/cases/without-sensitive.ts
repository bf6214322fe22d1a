import {
  hideUndeclared,
  isObject,
  leavesOf,
  scrub,
  scrubbable,
  sensitiveParts,
  undeclaredSecretsOf,
} from '@toolwright/json';
import type { ChatMessage, ChatTool } from '../model/chat-messages.js';
import type { TurnStep } from '../turns/turn-step.js';

type Json = Readonly<Record<string, unknown>>;

interface Called {
  readonly tool: string;
  readonly arguments: Json;
}

/**
 * Answers as a file of cases may have them. As in the records of the console, values that are marked sensitive are hidden, and as soon as one tool
 * has such a mark, all that no tool declares. A text that repeats such a value loses it.
 *
 * @param tools the tools of the turn
 * @param met the sensitive values in results
 */
export function withoutSensitive(
  steps: readonly TurnStep[],
  { tools, met }: { tools: readonly ChatTool[]; met: readonly string[] },
): readonly TurnStep[] {
  if (!tools.some(isMarked)) return steps;
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  const secretsIn = ({ tool, arguments: args }: Called) => {
    const schema = schemas.get(tool);
    return schema ? undeclaredSecretsOf(schema, args) : leavesOf(args);
  };
  const all = steps.flatMap(({ request, calls }) => [...request.flatMap(callsIn), ...calls]);
  const secrets = scrubbable([...met, ...all.flatMap(secretsIn)]);
  const hide = <C extends Called>(call: C): C => ({
    ...call,
    arguments: hideUndeclared(schemas.get(call.tool) ?? { type: 'object' }, call.arguments) as Json,
  });
  const words = (text: string) => scrub(text, secrets);
  const hideIn = (message: ChatMessage): ChatMessage => {
    const text = message.text === undefined ? {} : { text: words(message.text) };
    if (message.role !== 'assistant') return { ...message, ...text };
    return { ...message, ...text, ...(message.calls && { calls: message.calls.map(hide) }) };
  };
  return steps.map(({ request, calls }) => ({ request: request.map(hideIn), calls: calls.map(hide) }));
}

/** The sensitive values of a result. */
export function sensitiveIn(tool: ChatTool | undefined, { structuredContent }: Json): readonly string[] {
  const outputSchema = tool?.['outputSchema'];
  return (isObject(outputSchema) && sensitiveParts(outputSchema)?.secretsOf(structuredContent)) || [];
}

const isMarked = ({ inputSchema, outputSchema }: ChatTool) =>
  [inputSchema, outputSchema].some((schema) => isObject(schema) && sensitiveParts(schema) !== undefined);

const callsIn = (message: ChatMessage): readonly Called[] =>
  message.role === 'assistant' ? (message.calls ?? []) : [];
