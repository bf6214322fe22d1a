import {
  DefinitionPool,
  getOrMake,
  type JsonSchema,
  mapConditions,
  mapInputAndOutput,
  mapRevivals,
} from '@toolwright/json';
import {
  MANIFEST_FORMAT,
  type Manifest,
  type ManifestEntry,
  type ManifestQuestion,
  type MethodShape,
  shapeOf,
} from '@toolwright/manifest';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CompiledOperation, CompiledProject } from '../compiled-project.js';
import type { CompiledQuestion } from '../questions/compile-questions.js';

/**
 * Writes what was compiled as a manifest. Equal schemas are stored once, and so are equal definitions of all
 * schemas.
 */
export function writeManifest(
  compiled: CompiledProject,
  header: { compiler: string; package: string; sourceHash: string; sources: string[] },
): Manifest {
  const schemas: Record<string, JsonSchema> = {};
  const pool = new DefinitionPool();
  const keep = (whole: JsonSchema): string => {
    const schema = pool.add(whole);
    const id = schemaId(schema);
    schemas[id] ??= schema;
    return id;
  };
  const shapes = shapeHashes(compiled.operations);
  const made = compiled.operations.map((operation) => makeEntry(operation, keep, shapes));
  // The definitions of schemas come first, so that their names do not depend on revivals.
  const questions = writeQuestions(compiled.questions, keep);
  const condition = (when: JsonSchema) => pool.add(when);
  const entries = made.map((entry) => ({ ...entry, revive: mapInputAndOutput(entry.revive, condition) }));
  const revivals = mapRevivals(compiled.revivals, condition);
  return {
    format: MANIFEST_FORMAT,
    ...header,
    schemas,
    ...(Object.keys(pool.definitions).length > 0 ? { $defs: pool.definitions } : {}),
    ...(Object.keys(revivals).length > 0 ? { revivals } : {}),
    classes: compiled.classes,
    ...(Object.keys(questions).length > 0 && {
      questions: Object.fromEntries(
        Object.entries(questions).map(([key, { revive, ...question }]) => [
          key,
          { ...question, ...(revive && { revive: mapConditions(revive, condition) }) },
        ]),
      ),
    }),
    entries,
  };
}

function writeQuestions(
  compiled: readonly CompiledQuestion[],
  keep: (schema: JsonSchema) => string,
): Record<string, ManifestQuestion> {
  const questions: Record<string, ManifestQuestion> = {};
  for (const { kind, key, schema, wrap, revive, location } of compiled) {
    if (key === undefined || !schema || Object.hasOwn(questions, key)) continue;
    questions[key] = {
      kind,
      schema: keep(schema),
      ...(wrap ? { wrap } : {}),
      ...(revive ? { revive } : {}),
      location,
    };
  }
  return questions;
}

function makeEntry(
  operation: CompiledOperation,
  keep: (schema: JsonSchema) => string,
  shapes: Map<string, string>,
): ManifestEntry {
  const { name, title, description, examples, deprecated } = operation;
  return {
    key: operation.key,
    class: operation.classKey,
    method: operation.method,
    ...(operation.static ? { static: true } : {}),
    kinds: operation.kinds,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(examples ? { examples } : {}),
    ...(deprecated === undefined ? {} : { deprecated }),
    parameters: operation.parameters,
    input: keep(operation.input),
    output: operation.output && keep(operation.output),
    ...(operation.protocolResult && { protocolResult: operation.protocolResult }),
    ...(operation.standard ? { standard: operation.standard } : {}),
    wrap: operation.wrap,
    stream: operation.stream,
    flatten: operation.flatten,
    revive: operation.revive,
    location: operation.location,
    shape: shapes.get(operation.classKey)!,
  };
}

/** One hash per class, over all its decorated methods. */
function shapeHashes(operations: CompiledOperation[]): Map<string, string> {
  const classes = new Map<string, { name: string; methods: MethodShape[] }>();
  for (const { classKey, className, method, static: isStatic, parameters } of operations) {
    const { methods } = getOrMake(classes, classKey, () => ({ name: className, methods: [] }));
    methods.push({ method, ...(isStatic ? { static: true } : {}), arity: parameters.length });
  }
  return new Map([...classes].map(([key, { name, methods }]) => [key, shapeOf(name, methods)]));
}

/** While watching, the manifest is written again for each edit, and nearly all schemas are the same objects. */
const ids = new WeakMap<JsonSchema, string>();

function schemaId(schema: JsonSchema): string {
  return getOrMake(ids, schema, () => digest(schema));
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** The name of the package that a folder belongs to. Without a package.json, the name of the folder. */
export function packageName(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { name } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name?: string };
      if (name) return name;
    } catch {
      // There is no readable package.json here, so the search continues in the folder above.
    }
    if (dirname(at) === at) return basename(folder);
  }
}
