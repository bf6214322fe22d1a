import { JsonRpcCode, ProtocolError } from '../../base/errors/errors.js';
import type { Features } from '../revisions/features.js';
import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';
import type { AskMode, ClientMethod } from '../../base/request-context.js';

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
