import type { JsonSchema } from '@toolwright/manifest';
import type { OptionSchema } from '../options/option-schema.js';
import { anyObject, flag, required } from '../options/rules.js';
import { recording, type MethodOnlyDecorator, type ParameterOnlyDecorator } from './recording.js';

export interface SchemaOptions {
  /** Publish and validate exactly this schema; nothing is merged in and no client-safe form is made of it. */
  exact?: boolean;
}

/** What a `@Schema` record holds. */
export interface SchemaRecord extends SchemaOptions {
  schema: JsonSchema;
}

const schemaOptions = {
  exact: flag,
  schema: required(anyObject),
} satisfies OptionSchema<SchemaRecord>;

export type SchemaDecorator = ParameterOnlyDecorator & MethodOnlyDecorator;

/**
 * Says what the type of a parameter, or of all of a method's arguments, cannot say. Read by the compiler: the
 * method's definition goes before the parameter's, and that before the type.
 *
 * @example
 * find(@Schema({ type: 'string', 'x-mcp-header': 'Region' }) region: string) { … }
 */
export function Schema(schema: JsonSchema, options: SchemaOptions = {}): SchemaDecorator {
  return recording(
    { kind: 'schema', options: { ...options, schema } satisfies SchemaRecord, schema: schemaOptions },
    Schema,
  ) as SchemaDecorator;
}
