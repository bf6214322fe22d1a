import type { BoundTool } from '@toolwright/core';
import { type TaskJob, digest } from '@toolwright/core/extend';
import { isObject, oncePer } from '@toolwright/json';

/**
 * The SHA-256 of what decides whether another release of a tool can do the work of a call: the kind, the behaviour that
 * the annotations state, and the input schema without its words. A better description changes nothing about a task.
 */
export const shapeOf = oncePer(({ kind, annotations, inputSchema }: BoundTool): string => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const behaviour = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  return digest({ kind, behaviour, input: withoutWords(inputSchema) });
});

/** Whether the tool can do the work of a job. Jobs of earlier releases have only the published contract. */
export function fitsJob(tool: BoundTool, { shape, contract }: TaskJob): boolean {
  return shape === undefined ? tool.contract === contract : shapeOf(tool) === shape;
}

/** Servers may share a queue, and each does only its own work. */
interface WorkKind {
  readonly server: string;
  /** `tool`, or the noun of a background method. */
  readonly noun: string;
  /** What the job calls the operation. */
  readonly name: string;
}

/** What a worker must serve to do the work of an operation (`QueuedTask.work`). */
export function workKey(kind: WorkKind, operation: BoundTool): string {
  return `${workOfAnyShape(kind).slice(0, -1)}${shapeOf(operation)}`;
}

/** The same for every shape of the operation. */
export function workOfAnyShape({ server, noun, name }: WorkKind): string {
  return `${workPrefix(server)}${noun} ${name} *`;
}

/** What a worker must have where tools of a package depend on the caller: it knows the tool when it begins the task. */
export function workOfPart(part: string, server: string): string {
  return `${workPrefix(server)}part ${part} ${digest(part)}`;
}

/** What all work of one server begins with. JSON keeps a name with spaces apart from what follows. */
export function workPrefix(server: string): string {
  return `${JSON.stringify(server)} `;
}

const WORDS = new Set(['title', 'description', 'examples', '$comment', 'deprecated']);
/** Their values are schemas by names of the author, and a property may be called `description`. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Their values are data. */
const DATA = new Set(['const', 'enum', 'default']);

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, valueOf(keyword, value)]));
}

function valueOf(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (keyword === 'required' && Array.isArray(value)) return [...(value as string[])].sort();
  if (!NAMED.has(keyword) || !isObject(value)) return withoutWords(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutWords(schema)]));
}
