import { type Constructor, type JsonSchema, mapSchema, markSensitive, mergeClass } from '@toolwright/json';
import { CLASS_MARK, type Manifest } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';
import { classWithRules } from '../classes/running-class.js';
import { findClass, isBundled } from '../classes/find-class.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';

/**
 * Adds rules to the schemas of a manifest that only class-validator's records contain: composed decorators,
 * computed arguments, mapped types. Each class is merged at the place of its schema. For a definition, that
 * is once.
 *
 * @param emitted classes that are already known, by their keys
 * @returns the same manifest if nothing is added
 */
export async function mergeClassRules(
  loaded: LoadedManifest,
  emitted: ReadonlyMap<string, AnyClass>,
): Promise<Manifest> {
  const { manifest } = loaded;
  const keys = Object.keys(manifest.classes).filter((key) => manifest.classes[key]!.mergeRuntime);
  if (keys.length === 0) return manifest;
  const classes = new Map<string, Constructor>();
  for (const key of keys) {
    const found = emitted.get(key) ?? (await classOf(loaded, key));
    if (found) classes.set(key, found as unknown as Constructor);
  }
  const merger = new Merger(classes, manifest.$defs ?? {});
  const inputs = new Set(manifest.entries.map(({ input }) => input));
  const $defs = merger.mergeAll(manifest.$defs ?? {});
  const schemas = merger.mergeAll(manifest.schemas);
  for (const [id, schema] of Object.entries(schemas))
    schemas[id] = markSensitive(schema, inputs.has(id) ? 'input' : 'output', () => $defs);
  return manifest.$defs ? { ...manifest, schemas, $defs } : { ...manifest, schemas };
}

/** Undefined for a class that cannot be loaded. The first call that needs it says why. */
async function classOf(loaded: LoadedManifest, key: string): Promise<AnyClass | undefined> {
  const here = isBundled(loaded, key) ? classWithRules(loaded.manifest.classes[key]!) : undefined;
  if (here) return here;
  try {
    return await findClass(loaded, key);
  } catch {
    return undefined;
  }
}

class Merger {
  constructor(
    private readonly classes: ReadonlyMap<string, Constructor>,
    private readonly definitions: Readonly<Record<string, JsonSchema>>,
  ) {}

  /** A schema without a mark stays the same object. */
  mergeAll(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
    const isMarked = (schema: JsonSchema) => JSON.stringify(schema).includes(`"${CLASS_MARK}":`);
    return Object.fromEntries(
      Object.entries(schemas).map(([id, schema]) => [id, isMarked(schema) ? this.merge(schema) : schema]),
    );
  }

  private merge(schema: JsonSchema): JsonSchema {
    const { [CLASS_MARK]: key, ...node } = mapSchema(schema, (inner) => this.merge(inner));
    const Dto = this.classes.get(key as string);
    if (Dto) mergeClass(node, Dto, (part) => this.resolve(part));
    return node;
  }

  private resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...siblings } = schema;
    const target = $ref === undefined ? undefined : this.definitions[$ref.slice('#/$defs/'.length)];
    return target ? { ...target, ...siblings } : schema;
  }
}
