import {
  INLINE_LIMIT,
  inlineReferences,
  mapInputAndOutput,
  type JsonSchema,
  type Revival,
  present,
} from '@toolwright/json';
import type { CompiledOperation, CompiledProject } from '../compiled-project.js';
import type { SchemaDiagnostic } from '../diagnostics/diagnostic.js';
import type { CompiledQuestion } from '../questions/compile-questions.js';
import type { CompiledSchedule, WrittenTimes } from '../schedules/compile-schedules.js';

/** One decorated method, as `toolwright inspect --json` prints it. */
export interface InspectedEntry {
  key: string;
  name: string;
  title?: string;
  description?: string;
  /** The exact 2020-12 schema of the arguments object. References are written out while it stays small. */
  input: JsonSchema;
  /** The exact 2020-12 schema of the awaited result; null if there is none. */
  output: JsonSchema | null;
  wrap: boolean;
  stream: boolean;
  flatten: boolean;
  /** The parameters that the framework supplies, in order. */
  inject: { name: string; type: string; index: number }[];
  revive: { input?: Record<string, Revival>; output?: Revival };
  /**
   * The arguments that a schema of Zod, Valibot, ArkType or the like decides; `''` for all. The server
   * publishes more about them than `input`, which follows from their types.
   */
  standard?: string[];
  /** When the method runs by itself. What is computed at run time is missing. */
  schedule?: WrittenTimes;
  diagnostics: SchemaDiagnostic[];
}

/**
 * Every decorated method of a project, including methods with errors and duplicates: first the operations, then
 * methods that only run by a schedule.
 */
export function inspectEntries({ operations, questions, schedules }: CompiledProject): InspectedEntry[] {
  const asked = new Map<CompiledOperation, SchemaDiagnostic[]>();
  for (const question of questions) {
    const asker = askerOf(question, operations);
    if (asker) asked.set(asker, [...(asked.get(asker) ?? []), ...question.diagnostics]);
  }
  const byKey = new Map(schedules.map((schedule) => [schedule.key, schedule]));
  const entries = operations.map((operation) => inspect(operation, byKey.get(operation.key), asked));
  const keys = new Set(operations.map(({ key }) => key));
  return [...entries, ...schedules.filter(({ key }) => !keys.has(key)).map(inspectSchedule)];
}

function inspect(
  operation: CompiledOperation,
  schedule: CompiledSchedule | undefined,
  asked: ReadonlyMap<CompiledOperation, SchemaDiagnostic[]>,
): InspectedEntry {
  return {
    key: operation.key,
    name: operation.publishedName,
    ...(operation.title === undefined ? {} : { title: operation.title }),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    input: inlineReferences(operation.input),
    output: operation.output && inlineReferences(operation.output),
    wrap: operation.wrap,
    stream: operation.stream,
    flatten: operation.flatten,
    inject: operation.parameters.flatMap(({ name, inject, type }, index) =>
      inject ? [{ name, type: inject === 'provider' ? (type ?? inject) : inject, index }] : [],
    ),
    revive: mapInputAndOutput(operation.revive, showCondition),
    ...(operation.standard ? { standard: operation.standard } : {}),
    ...(schedule && { schedule: timesOf(schedule) }),
    diagnostics: [
      ...operation.diagnostics,
      ...(asked.get(operation) ?? []),
      ...(schedule ? schedule.diagnostics : []),
    ],
  };
}

/** A large condition stays a reference to a type of `input` or `output`. */
function showCondition(when: JsonSchema): JsonSchema {
  if (!when.$defs) return when;
  const whole = inlineReferences(when);
  const { $defs: _defs, ...reference } = when;
  return JSON.stringify(whole).length <= INLINE_LIMIT ? whole : reference;
}

/** Nobody calls the method, so it has no arguments. */
function inspectSchedule(schedule: CompiledSchedule): InspectedEntry {
  const { key, name = key, description, diagnostics } = schedule;
  return {
    key,
    name,
    ...(description !== undefined && { description }),
    input: { type: 'object', properties: {} },
    output: null,
    wrap: false,
    stream: false,
    flatten: false,
    inject: [],
    revive: {},
    schedule: timesOf(schedule),
    diagnostics,
  };
}

function timesOf({ name, cron, timeZone }: CompiledSchedule): WrittenTimes {
  return present({ name, cron, timeZone });
}

/**
 * The method to which the problem of a question is attached: the one above it in its file. A file that only
 * asks questions for others has no method. Its problems are attached to the first method of all, and name
 * their own place.
 */
function askerOf(
  { location: { file, line } }: CompiledQuestion,
  operations: readonly CompiledOperation[],
): CompiledOperation | undefined {
  const neighbours = operations.filter(({ location }) => location.file === file);
  return neighbours.findLast(({ location }) => location.line <= line) ?? neighbours[0] ?? operations[0];
}
