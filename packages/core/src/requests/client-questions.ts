import { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { AskMode, ClientInput, ClientMethod } from '@toolwright/ground/base/request-context';
import { InputPending } from '@toolwright/ground/call/context/rounds';
import { readUrl, validatorFor } from '@toolwright/json';
import { type JsonObject, isJsonObject } from '@toolwright/wire/json-rpc';
import type { Features } from '@toolwright/wire/revision-record';

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
  return root['uri'].startsWith('file://') && readUrl(root['uri']) !== undefined;
}

/**
 * Whether a form's answer fits the schema of the question. A keyword that nobody can use asks for nothing: the person
 * who answers cannot repair it.
 */
export function fitsForm(content: unknown, schema: JsonObject): boolean {
  if (!isJsonObject(content)) return false;
  try {
    return validatorFor(schema, 'caller')(content) === undefined;
  } catch {
    return true;
  }
}

interface Question {
  method: ClientMethod;
  params: JsonObject;
}

/** What earlier rounds of a call left behind, and what the client sent with this round. */
export interface RoundInput {
  /** The answers of earlier rounds, from the sealed state. */
  answers: ReadonlyMap<string, JsonObject>;
  /** The values of `remember`, from the sealed state. */
  memories: ReadonlyMap<string, unknown>;
  /** The keys of questions in earlier rounds, from the sealed state. */
  asked: ReadonlySet<string>;
  /** The client's `inputResponses`, not checked yet. */
  responses: JsonObject;
  resumed: boolean;
  /** See `ClientInput`. */
  paid: boolean;
}

/** No questions, answers or memories. */
export const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();
export const FIRST_ROUND: RoundInput = {
  answers: NOTHING,
  memories: NOTHING,
  asked: new Set(),
  responses: {},
  resumed: false,
  paid: false,
};

/** Questions on 2026-07-28: either the answer is already there, or the round ends with the question. */
export class StatelessInput implements ClientInput {
  #pending: Map<string, Question> | undefined;
  #answers: Map<string, JsonObject> | undefined;
  #memories: Map<string, unknown> | undefined;

  constructor(
    private readonly capabilities: Readonly<Record<string, unknown>>,
    private readonly features: Features,
    private readonly round: RoundInput = FIRST_ROUND,
  ) {}

  get pending(): ReadonlyMap<string, Question> {
    return this.#pending ?? NOTHING;
  }
  get answers(): ReadonlyMap<string, JsonObject> {
    return this.#answers ?? this.round.answers;
  }
  get memories(): ReadonlyMap<string, unknown> {
    return this.#memories ?? this.round.memories;
  }
  get resumed(): boolean {
    return this.round.resumed;
  }
  get paid(): boolean {
    return this.round.paid;
  }
  /** True when this round got an answer or did something, so that the next round continues from there. */
  get isFurther(): boolean {
    return this.answers.size > this.round.answers.size || this.remembersMore;
  }
  /** True when this round did something that must not be done again. */
  get remembersMore(): boolean {
    return this.memories.size > this.round.memories.size;
  }

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return declares(this.capabilities, capabilitiesOf(method, mode), this.features);
  }

  ask(key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    if (!declares(this.capabilities, required, this.features))
      return Promise.reject(missingCapability(required));
    const answer = this.answers.get(key) ?? this.#takeResponse(key, { method, params });
    if (answer) return Promise.resolve(answer);
    (this.#pending ??= new Map()).set(key, { method, params });
    return Promise.reject(new InputPending(key));
  }

  recall(key: string): { value: unknown } | undefined {
    return this.memories.has(key) ? { value: this.memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map(this.round.memories)).set(key, value);
  }

  /**
   * Only a question of an earlier round can have an answer. Only own keys count, because a `__proto__` member
   * is data. A question whose answer does not fit is asked again.
   */
  #takeResponse(key: string, { method, params }: Question): JsonObject | undefined {
    const { responses, asked } = this.round;
    if (!asked.has(key) || !Object.hasOwn(responses, key)) return undefined;
    const answer = readAnswer(method, params, responses[key]);
    if (answer) (this.#answers ??= new Map(this.round.answers)).set(key, answer);
    return answer;
  }
}
