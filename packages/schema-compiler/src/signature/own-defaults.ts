import { canonicalJson, type JsonSchema } from '@toolwright/json';
import type { ManifestParameter } from '@toolwright/manifest';
import { toJsonDefault } from '../defaults/apply-default.js';
import { foldConstant } from '../defaults/fold-constant.js';
import { ts } from '../generator/tjs-adapter.js';
import type { JsonProperties } from '../types/json-properties.js';
import { initialiserOf } from '../types/members.js';
import type { SignatureParameter } from './classify-parameters.js';

type OwnDefaults = Pick<ManifestParameter, 'ownDefault' | 'ownDefaults'>;

/**
 * What the code of a method fills in itself, where the published schema says something else or nothing certain.
 * The server then leaves the value out, so that the default of JavaScript applies.
 *
 * @param schema of all arguments, as it is published
 */
export function ownDefaultsOf(
  { declaration, name }: SignatureParameter,
  { kind }: Pick<ManifestParameter, 'kind'>,
  { schema, checker }: { schema: JsonSchema; checker: ts.TypeChecker },
): OwnDefaults {
  const { initializer, name: written } = declaration;
  const differs = (property: string, value: ts.Expression) => isUnlike(schema, property, value, checker);
  if (kind === 'argument') return initializer && differs(name, initializer) ? { ownDefault: true } : {};
  if (kind !== 'input') return {};
  const elements = ts.isObjectBindingPattern(written) ? written.elements : [];
  const ownDefaults = elements.flatMap((element) => {
    const key = elementKey(element);
    if (!element.initializer) return [];
    // A doc tag of the type may have a default that the schema of the arguments leaves out.
    const isUncertain = publishedDefault(schema, key) === undefined;
    return isUncertain || differs(key, element.initializer) ? [key] : [];
  });
  return {
    ...(initializer && !isEmptyObject(initializer) && { ownDefault: true }),
    ...(ownDefaults.length > 0 && { ownDefaults }),
  };
}

/** The name of the property that an element of a destructuring pattern takes. */
export function elementKey({ propertyName, name }: ts.BindingElement): string {
  const key = propertyName ?? name;
  return ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) ? key.text : key.getText();
}

/**
 * The properties with a default that every new instance of a class has already. Their initialisers count, and what
 * its constructor does afterwards.
 */
export function initialisedProperties(
  type: ts.Type,
  properties: JsonProperties,
  schema: JsonSchema,
): string[] {
  return properties
    .of(type, 'input')
    .filter(({ name, symbol }) => publishedDefault(schema, name) !== undefined && initialiserOf(symbol))
    .map(({ name }) => name);
}

/** Whether a default is published that the code does not apply. */
function isUnlike(
  schema: JsonSchema,
  property: string,
  value: ts.Expression,
  checker: ts.TypeChecker,
): boolean {
  const published = publishedDefault(schema, property);
  if (published === undefined) return false;
  // The code makes a new object for each call.
  if (typeof published === 'object') return true;
  const own = toJsonDefault(foldConstant(value, checker)?.value);
  return own === undefined || canonicalJson(own) !== canonicalJson(published);
}

function publishedDefault({ properties = {} }: JsonSchema, name: string): unknown {
  return Object.hasOwn(properties, name) ? properties[name]!.default : undefined;
}

/** With `= {}`, no arguments are an object without properties, whoever makes it. */
function isEmptyObject(value: ts.Expression): boolean {
  return ts.isObjectLiteralExpression(value) && value.properties.length === 0;
}
