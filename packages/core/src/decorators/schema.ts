import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { anyObject, either, flag, required, text } from '@toolwright/ground/base/options/rules';
import { standardSchema } from '@toolwright/ground/base/options/rules';
import {
  isStandardSchema,
  type JsonSchema,
  notePropertySchema,
  noteSensitive,
  type StandardSchema,
} from '@toolwright/json';
import { type MethodOnlyDecorator, type ParameterOnlyDecorator, recording } from './recording.js';

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
interface PropertyOnlyDecorator {
  (target: object, key: string | symbol): void;
  (target: undefined, context: ClassFieldDecoratorContext): void;
}

type SchemaDecorator = ParameterOnlyDecorator & MethodOnlyDecorator & PropertyOnlyDecorator;

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

/**
 * A decorator for a parameter that takes the output of a schema. TypeScript refuses it before a parameter of
 * another type.
 */
export interface StandardParameterDecorator<Output> {
  <Class extends object, Key extends keyof Class, Index extends number>(
    target: Class,
    key: Key,
    index: Index & Fits<Output, TypeAt<Class[Key], Index>>,
  ): void;
}

/**
 * A decorator for a method whose arguments are the output of a schema: as one parameter, or by their names.
 * TypeScript refuses it if the first parameter can be neither.
 */
export interface StandardInputDecorator<Output> {
  <Method extends AnyMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method> & FitsMethod<Output, Method>,
  ): void;
  <Method extends AnyMethod>(
    value: Method & FitsMethod<Output, Method>,
    context: ClassMethodDecoratorContext,
  ): void;
  <Class extends new (...args: never[]) => { invoke: AnyMethod }>(
    target: Class & FitsMethod<Output, InstanceType<Class>['invoke']>,
    context?: ClassDecoratorContext,
  ): void;
}

type AnyMethod = (...args: never[]) => unknown;

/** Everything fits `unknown`, and nothing fits a property that nobody has. TypeScript shows it in its message. */
type Fits<Output, Type> = [Output] extends [Type]
  ? unknown
  : { 'the schema returns another type than the parameter has': Output };

type FitsMethod<Output, Method extends AnyMethod> =
  Parameters<Method> extends [infer First, ...unknown[]]
    ? [Output] extends [First]
      ? unknown
      : Fits<NamedPart<Output, First>, First>
    : unknown;

/** What one of the properties of the output can be for a parameter; the output itself if it has no properties. */
type NamedPart<Output, First> = {
  [Name in keyof Output]: [Output[Name]] extends [First] ? First : never;
}[keyof Output] extends infer Part
  ? [Part] extends [never]
    ? Output
    : Part
  : never;

/** The type of one parameter. A rest parameter takes a list. */
type TypeAt<Method, Index extends number> = Method extends (...args: infer All) => unknown
  ? number extends All['length']
    ? All[Index] | All[Index][]
    : All[Index]
  : never;

const argOptions = { argument: text };

/**
 * Keeps a single object parameter as one property of the input. Without it, the object's properties become
 * the input. The compiler reads this decorator.
 *
 * @example
 * createPage(@Arg() page: CreatePageDto) { … }   // called with { "page": { … } }
 */
export function Arg(): ParameterOnlyDecorator;
/**
 * The same for standard decorators, which cannot stand before a parameter. It is written on the method.
 *
 * @param argument the name of the parameter
 * @example
 * @McpTool() @Arg('page') createPage(page: CreatePageDto) { … }
 */
export function Arg(argument: string): MethodOnlyDecorator;
export function Arg(argument?: string): ParameterOnlyDecorator & MethodOnlyDecorator {
  return recording({ kind: 'argument', options: { argument }, schema: argOptions }, Arg);
}

/** A decorator for a property or a parameter. */
export interface PropertyOrParameterDecorator {
  (target: object, key: string | symbol | undefined, index?: number): void;
  (target: undefined, context: ClassFieldDecoratorContext): void;
}

/**
 * Marks a property or a parameter whose values are never repeated: not in messages about arguments, and not
 * in logs, the audit log, traces, explanations or generated clients. The doc tag `@sensitive` means the same.
 * Its schema gets `writeOnly`; in a result, the schema gets `x-sensitive`.
 *
 * @example
 * login(user: string, @Sensitive() password: string) { … }
 */
export function Sensitive(): PropertyOrParameterDecorator;
/**
 * The same for standard decorators, which cannot stand before a parameter. It is written on the method.
 *
 * @param argument the name of the parameter
 * @example
 * @McpTool() @Sensitive('password') login(user: string, password: string) { … }
 */
export function Sensitive(argument: string): MethodOnlyDecorator;
export function Sensitive(argument?: string): PropertyOrParameterDecorator & MethodOnlyDecorator {
  if (argument !== undefined)
    return (() => undefined) as unknown as PropertyOrParameterDecorator & MethodOnlyDecorator;
  return ((target: object | undefined, key: unknown, index?: unknown) => {
    const isProperty = target !== undefined && typeof index !== 'number';
    if (isProperty && (typeof key === 'string' || typeof key === 'symbol')) noteSensitive(target, key);
  }) as PropertyOrParameterDecorator & MethodOnlyDecorator;
}

/** A number without a fraction: `{ "type": "integer" }` in the schema. For TypeScript it is a `number`. */
export type integer = number;
