import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import { StepBudget } from '@toolwright/json';
import type { AskMode, ClientMethod } from '../base/request-context.js';
import { type JsonObject, isJsonObject } from '../wire/json-rpc.js';
import type { Features } from '../wire/revision-record.js';

type Capabilities = Readonly<Record<string, unknown>>;

/** The capabilities that the client must have declared for a question. */
export function requiredCapabilities(method: ClientMethod, params: JsonObject): JsonObject {
  if (method === 'roots/list') return { roots: {} };
  if (method === 'elicitation/create')
    return { elicitation: params['mode'] === 'url' ? { url: {} } : { form: {} } };
  const sampling: JsonObject = {};
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined) sampling['tools'] = {};
  if (params['includeContext'] !== undefined && params['includeContext'] !== 'none') sampling['context'] = {};
  return { sampling };
}

/** The capabilities that a question of this mode needs, whatever it asks. */
export function capabilitiesOf(method: ClientMethod, mode: AskMode): JsonObject {
  return requiredCapabilities(method, mode === 'tools' ? { tools: [] } : { mode });
}

/**
 * True when the client declared all of them and the revision has them. An empty elicitation capability means
 * forms.
 */
export function declares(capabilities: Capabilities, required: JsonObject, features: Features): boolean {
  return Object.entries(required).every(([name, needs]) => {
    const declared = Object.hasOwn(capabilities, name) ? capabilities[name] : undefined;
    if (!isJsonObject(declared)) return false;
    const parts = Object.keys(needs as JsonObject);
    if (name === 'elicitation') return parts.every((mode) => canElicit(declared, mode, features));
    if (name === 'sampling' && parts.includes('tools') && !features.samplingTools) return false;
    // Before 2025-11-25 there were no parts to declare. Context belonged to sampling.
    return parts.every(
      (part) => isJsonObject(declared[part]) || (part === 'context' && !features.samplingTools),
    );
  });
}

function canElicit(declared: JsonObject, mode: string, features: Features): boolean {
  if (mode === 'url') return features.urlElicitation && isJsonObject(declared['url']);
  return features.formElicitation && (isJsonObject(declared['form']) || !isJsonObject(declared['url']));
}

export function missingCapability(required: JsonObject): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.missingClientCapability,
    `This request needs a client that declares the capability "${Object.keys(required).join('", "')}".`,
    { requiredCapabilities: required },
  );
}

/**
 * The client's answer if it fits the question, or else `undefined`. Clients are not trusted to check this.
 */
export function readAnswer(method: ClientMethod, asked: JsonObject, answer: unknown): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  switch (method) {
    case 'elicitation/create':
      return readElicitation(asked, answer);
    case 'sampling/createMessage': {
      const { role, content, model } = answer;
      const hasContent = isJsonObject(content) || Array.isArray(content);
      return (role === 'assistant' || role === 'user') && hasContent && typeof model === 'string'
        ? answer
        : undefined;
    }
    case 'roots/list':
      return Array.isArray(answer['roots']) && answer['roots'].every(isRoot) ? answer : undefined;
  }
}

function readElicitation(asked: JsonObject, answer: JsonObject): JsonObject | undefined {
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return undefined;
  if (asked['mode'] === 'url') return { action };
  const schema = asked['requestedSchema'];
  return fitsForm(content, isJsonObject(schema) ? schema : {}) ? { action, content } : undefined;
}

/** Roots are folders. A URI of another kind, or one that leaves its root, is not a root. */
function isRoot(root: unknown): boolean {
  if (!isJsonObject(root) || typeof root['uri'] !== 'string') return false;
  return root['uri'].startsWith('file://') && URL.canParse(root['uri']);
}

const formats: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
};

/**
 * True when a form's answer fits the schema of the question. Forms are flat objects of primitives and choices
 * (2026-07-28 client/elicitation). This function is therefore enough, and Ajv need not be loaded.
 */
export function fitsForm(content: unknown, schema: JsonObject): boolean {
  if (!isJsonObject(content)) return false;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (!required.every((name) => Object.hasOwn(content, name as string))) return false;
  return Object.entries(content).every(([name, value]) => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(field) ? fitsField(value, field) : schema['additionalProperties'] !== false;
  });
}

function fitsField(value: unknown, field: JsonObject): boolean {
  if (Array.isArray(field['enum'])) return field['enum'].includes(value);
  if (Array.isArray(field['oneOf'])) return isOneOf(value, field['oneOf']);
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' && fitsText(value, field);
    case 'integer':
    case 'number':
      return typeof value === 'number' && fitsNumber(value, field);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && fitsChoices(value, field);
    default:
      return true;
  }
}

function fitsText(value: string, { minLength, maxLength, format, pattern }: JsonObject): boolean {
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  if (typeof pattern === 'string' && !new StepBudget().matcher(pattern).test(value)) return false;
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return known === undefined || known.test(value);
}

function fitsNumber(value: number, { type, minimum, maximum }: JsonObject): boolean {
  if (type === 'integer' && !Number.isInteger(value)) return false;
  return (
    !(typeof minimum === 'number' && value < minimum) && !(typeof maximum === 'number' && value > maximum)
  );
}

function fitsChoices(values: unknown[], { items, minItems, maxItems }: JsonObject): boolean {
  if (typeof minItems === 'number' && values.length < minItems) return false;
  if (typeof maxItems === 'number' && values.length > maxItems) return false;
  if (!isJsonObject(items)) return true;
  const { anyOf } = items;
  return values.every((value) => (Array.isArray(anyOf) ? isOneOf(value, anyOf) : fitsField(value, items)));
}

function isOneOf(value: unknown, options: unknown[]): boolean {
  return options.some((option) => isJsonObject(option) && option['const'] === value);
}
