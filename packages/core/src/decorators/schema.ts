import type { JsonSchema } from '@toolwright/manifest';
import type { OptionSchema } from '../base/options/option-schema.js';
import { anyObject, either, flag, required } from '../base/options/rules.js';
import { notePropertySchema } from '../base/metadata/property-schemas.js';
import { isStandardSchema, standardSchema, type StandardSchema } from '../base/schema/standard-schema.js';
import { recording, type MethodOnlyDecorator, type ParameterOnlyDecorator } from './recording.js';
import type { StandardInputDecorator, StandardParameterDecorator } from './standard-decorator.js';

export interface SchemaOptions {
  /**
   * Publishes and validates exactly this schema. Nothing is merged into it, and no client-safe form is made
   * of it.
   */
  exact?: boolean;
}

/** The content of a `@Schema` record. */
export interface SchemaRecord extends SchemaOptions {
  schema: JsonSchema | StandardSchema;
}

const schemaOptions = {
  exact: flag,
  schema: required(either(anyObject, standardSchema)),
} satisfies OptionSchema<SchemaRecord>;

/** A decorator for a property of a class. */
export interface PropertyOnlyDecorator {
  (target: object, key: string | symbol): void;
  (target: undefined, context: ClassFieldDecoratorContext): void;
}

export type SchemaDecorator = ParameterOnlyDecorator & MethodOnlyDecorator & PropertyOnlyDecorator;

/**
 * Adds what a type cannot say: about a parameter, a property, or all arguments of a method. The compiler
 * reads it. The definition on the method wins over the one on a parameter, which wins over the type.
 *
 * On a property of a DTO, it says what a custom validator asks for. You may also apply it inside a decorator
 * of your own. Beside `@Transform`, it is the form that the value has in JSON, and it replaces the declared
 * type.
 *
 * It also takes a schema of Zod, Valibot, ArkType or another library with Standard Schema, for a parameter or,
 * on a method, for all arguments. The server then publishes the JSON Schema of that schema and runs it for each
 * call, and the method gets its output.
 *
 * @example
 * list(@Schema(z.int().min(1).max(100)) limit: number) { … }
 *
 * @example
 * find(@Schema({ type: 'string', 'x-mcp-header': 'Region' }) region: string) { … }
 *
 * @example
 * @Schema({ type: 'string' }) @Transform(({ value }) => value.split(',')) tags!: string[];
 */
export function Schema<Output>(
  schema: StandardSchema<unknown, Output>,
): StandardParameterDecorator<Output> & StandardInputDecorator<Output>;
export function Schema(schema: JsonSchema, options?: SchemaOptions): SchemaDecorator;
export function Schema(schema: JsonSchema | StandardSchema, options: SchemaOptions = {}): unknown {
  const record = recording(
    { kind: 'schema', options: { ...options, schema } satisfies SchemaRecord, schema: schemaOptions },
    Schema,
  );
  if (isStandardSchema(schema)) return record;
  return (target: unknown, key: unknown, third: unknown) => {
    if (isField(key)) return;
    if (isProperty(target, key, third)) notePropertySchema(target as object, key, schema);
    else record(target, key, third);
  };
}

/**
 * A standard decorator does not know its class at this moment. The compiler reads it from the source instead.
 */
function isField(key: unknown): boolean {
  return typeof key === 'object' && (key as { kind?: unknown } | null)?.kind === 'field';
}

function isProperty(target: unknown, key: unknown, third: unknown): key is string {
  const isMember = typeof target === 'object' && typeof key === 'string' && typeof third !== 'number';
  return isMember && typeof (third as PropertyDescriptor | undefined)?.value !== 'function';
}
