import { randomUUID } from 'node:crypto';
import { ToolError } from '../../base/errors/errors.js';
import { readAnswer } from '../rounds/client-answer.js';
import {
  capabilitiesOf,
  declares,
  missingCapability,
  requiredCapabilities,
} from '../rounds/client-capability.js';
import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { urlElicitationRequired } from '../messages/protocol-errors.js';
import type { AskMode, ClientInput, ClientMethod } from '../../base/request-context.js';
import type { AskRoute } from './open-questions.js';
import type { Session } from './session.js';

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Questions of the older era: the server sends a request to the client in the middle of the call, and the
 * call waits for the answer.
 */
export class StatefulInput implements ClientInput {
  readonly pending = NOTHING;
  readonly resumed = false;
  readonly paid = false;
  #memories: Map<string, unknown> | undefined;

  constructor(
    /** `undefined` for requests that are handled on their own: an answer could not be linked to them. */
    private readonly session: Session | undefined,
    private readonly features: Features,
    private readonly route: AskRoute,
  ) {}

  supports(method: ClientMethod, mode: AskMode = 'form'): boolean {
    return this.#canAsk(capabilitiesOf(method, mode));
  }

  async ask(_key: string, method: ClientMethod, params: JsonObject): Promise<JsonObject> {
    const required = requiredCapabilities(method, params);
    const asked = this.#narrow(method, params);
    if (!this.session && asked['elicitationId'] !== undefined) throw urlElicitationRequired(asked);
    if (!this.session || !this.#canAsk(required)) throw missingCapability(required);
    const answer = readAnswer(method, params, await this.session.ask(method, asked, this.route));
    if (!answer) throw new ToolError(`The client's answer to ${method} does not fit what was asked.`);
    return answer;
  }

  recall(key: string): { value: unknown } | undefined {
    return this.#memories?.has(key) ? { value: this.#memories.get(key) } : undefined;
  }

  remember(key: string, value: unknown): void {
    (this.#memories ??= new Map()).set(key, value);
  }

  /**
   * Before `notifications/initialized`, the server may only ping the client (lifecycle of all older
   * revisions).
   */
  #canAsk(required: JsonObject): boolean {
    return (
      this.session?.initialized === true &&
      declares(this.session.client.capabilities, required, this.features)
    );
  }

  #narrow(method: ClientMethod, params: JsonObject): JsonObject {
    if (method !== 'elicitation/create') return params;
    if (this.features.urlElicitation) {
      return params['mode'] === 'url' ? { ...params, elicitationId: randomUUID() } : params;
    }
    const { mode: _mode, ...form } = params;
    return form;
  }
}
