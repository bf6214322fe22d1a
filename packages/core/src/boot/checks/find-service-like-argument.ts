import type { JsonSchema, ManifestParameter } from '@toolwright/manifest';
import type { AnyClass } from '../../base/metadata/store.js';
import { classOf } from '../../container/constructor-dependencies.js';

interface Argument {
  readonly parameter: ManifestParameter;
  /** The type that the build emitted. */
  readonly type: unknown;
  readonly input: JsonSchema | undefined;
}

/**
 * Finds an argument whose type is a class with methods and without data. No client could send it. The author
 * means a service, but nothing provides it.
 */
export function findServiceLikeArgument(
  argument: Argument,
): ((method: string, index: number) => { message: string; fix: string }) | undefined {
  const { parameter } = argument;
  const type = classOf(argument.type);
  if (typeof type !== 'function' || !hasMethods(type) || !isEmpty(publishedSchema(argument)))
    return undefined;
  const { name } = type;
  return (method, index) => ({
    message: `Nothing provides ${name}: ${method} needs it as parameter ${index} (${parameter.name}), and no client can send it, because it has methods and no data.`,
    fix: `Add ${name} to the server's providers, put @Injectable() on it, or write @Inject(token) before the parameter.`,
  });
}

function hasMethods(type: AnyClass): boolean {
  // For the compiler, classes of the language and of Node are values.
  const isOwn = /^class\b/.test(Function.prototype.toString.call(type)) && !(type.name in globalThis);
  return isOwn && Object.getOwnPropertyNames(type.prototype).length > 1;
}

function publishedSchema({ parameter, input }: Argument): JsonSchema | undefined {
  const schema = parameter.kind === 'input' ? input : input?.properties?.[parameter.name];
  const reference = schema?.$ref?.startsWith('#/$defs/') ? schema.$ref.slice('#/$defs/'.length) : undefined;
  return reference === undefined ? schema : input?.$defs?.[reference];
}

function isEmpty(schema: JsonSchema | undefined): boolean {
  if (schema?.type !== 'object' || typeof schema.additionalProperties === 'object') return false;
  return Object.keys(schema.properties ?? {}).length === 0 && !schema.patternProperties;
}
