import type { FuncKeywordDefinition, SchemaValidateFunction, ValidateFunction } from 'ajv';
import type Ajv from 'ajv';
import { oncePerSchema } from '../once.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { partsOf } from '../schema/keywords.js';
import { sharedDefinitions } from '../schema/references.js';
import { boundFormats, findEqualItems } from './assertion-rules.js';
import { type ValueSource, steps, visits } from './check-budget.js';
import { LazyReferences } from './lazy-references.js';

/** Whose values a validator checks, and whether it reports all problems. Otherwise the first one ends a check. */
export interface Purpose {
  readonly source: ValueSource;
  readonly explain: boolean;
}

const instances = new Map<string, Ajv>();
const references = new WeakMap<Ajv, LazyReferences>();

/** Compiles a schema with Ajv, for keywords that our own rules do not know. */
export function compileWithAjv(schema: JsonSchema, purpose: Purpose): ValidateFunction {
  const key = `${purpose.source} ${purpose.explain}`;
  let ajv = instances.get(key);
  if (!ajv) instances.set(key, (ajv = create(purpose)));
  const definitions = sharedDefinitions(schema);
  if (!definitions || !canBeLazy(schema)) return compileAlone(ajv, schema);
  const [own] = partsOf(schema);
  return references.get(ajv)!.within(definitions, (definition) => compileAlone(ajv, definition), own!);
}

function compileAlone(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // Compiled functions do not need the Ajv instance. The instance would keep every schema that it ever saw,
    // even those of removed tools.
    ajv.removeSchema(schema);
    if (typeof schema.$id === 'string') ajv.removeSchema(schema.$id);
  }
}

/** Ajv only knows what was evaluated, and what an address refers to, if it follows all references itself. */
const canBeLazy = (schema: JsonSchema): boolean => partsOf(schema).every(standsAlone);

const standsAlone = oncePerSchema(
  (part) =>
    !/"unevaluated\w+":|"\$(?:dynamicRef|dynamicAnchor|anchor|id)":"|"\$ref":"(?!#\/\$defs\/[^/"]+")/.test(
      JSON.stringify(part),
    ),
);

/**
 * Ajv is not loaded at boot, and never for a server whose tools are not called, because loading takes about
 * 50 ms.
 */
function create({ source, explain }: Purpose): Ajv {
  /* eslint-disable @typescript-eslint/no-require-imports -- synchronous and at first need: see above */
  const { default: Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  /* eslint-enable @typescript-eslint/no-require-imports */
  const ajv: Ajv = new Ajv2020({
    strict: false,
    logger: false,
    // Schemas come from the compiler, or were checked at boot.
    validateSchema: false,
    meta: false,
    // An empty object must not count as having the required property "constructor".
    ownProperties: true,
    allErrors: explain,
    verbose: explain,
    code: { regExp: boundedRegExp[source] },
  });
  addFormats(ajv as never);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  references.set(ajv, new LazyReferences(ajv));
  if (source === 'caller') visits.limit(ajv);
  for (const [name, check] of boundFormats(source)) ajv.addFormat(name, check);
  return ajv;
}

/**
 * `uniqueItems` in linear time. Ajv compares each object with each other one. For 20,000 objects that takes
 * five seconds, and a body of 1 MiB can contain 350,000.
 */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: hasNoEqualItems,
};

function hasNoEqualItems(isWanted: boolean, items: readonly unknown[]): boolean {
  const equal = isWanted ? findEqualItems(items) : undefined;
  if (!equal) return true;
  const message = `must NOT have duplicate items (items ## ${equal.j} and ${equal.i} are identical)`;
  (hasNoEqualItems as SchemaValidateFunction).errors = [{ keyword: 'uniqueItems', params: equal, message }];
  return false;
}

// Ajv would use this text in standalone code, but that is never generated, so it is empty.
const boundedRegExp = {
  caller: Object.assign((pattern: string) => steps.caller.matcher(pattern), { code: '' }),
  method: Object.assign((pattern: string) => steps.method.matcher(pattern), { code: '' }),
};
