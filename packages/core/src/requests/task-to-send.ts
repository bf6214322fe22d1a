import { type JsonSchema, numbersInPlace } from '@toolwright/json';
import type { BoundTool } from '../call/operation/operation.js';
import type { TaskRecord } from '../ports/task-store.js';
import type { ActiveRequest } from './active-request.js';

/**
 * A task as its client gets it. Its result was kept with the digits of long integers as text, because a store may round numbers.
 * A client checks them with the schema that it was sent, so they are numbers again where that takes nothing else.
 */
export function taskToSend(task: TaskRecord, request: ActiveRequest): TaskRecord {
  const { ending } = task;
  if (ending?.status !== 'completed') return task;
  const { structuredContent } = ending.result;
  const sent = numbersInPlace(structuredContent, () => {
    const tool = toolOf(task, request);
    return tool && (request.codec.tool(tool)['outputSchema'] as JsonSchema | undefined);
  });
  if (sent === structuredContent) return task;
  return { ...task, ending: { ...ending, result: { ...ending.result, structuredContent: sent } } };
}

/** The tool whose call has become a task; `undefined` if it is gone, or if the store has not kept its name. */
export function toolOf({ tool }: TaskRecord, { engine, principal }: ActiveRequest): BoundTool | undefined {
  const { registry } = engine.host;
  const candidates = tool === undefined ? [] : registry.tools.candidates(tool);
  return candidates.length > 1
    ? (candidates.find((each) => registry.visible(each, principal)) ?? candidates[0])
    : candidates[0];
}
