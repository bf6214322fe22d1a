import { keepNewest } from '@toolwright/json';
import type { CallRequest, OwnCall } from '../../api/call-api.js';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { PartHost } from '../part.js';
import { RunningCall } from './running-call.js';

/** How many calls of the console are kept. */
const MAX_KEPT = 200;

/** The calls that the console makes: those of a person, and those of a model in a chat. */
export class OwnCalls {
  readonly #calls = new Map<string, RunningCall>();
  #count = 0;

  constructor(private readonly host: PartHost) {}

  /** @param ended hears of the call when it is over */
  start(request: CallRequest, ended?: (call: OwnCall) => void): RunningCall {
    const id = `call-${++this.#count}`;
    const { host } = this;
    const server = host.server(request.server);
    const call = new RunningCall(id, request, server, (state) => {
      host.tell({ type: 'ownCall', call: state });
      if (state.state === 'ended') ended?.(state);
    });
    keepNewest(this.#calls, id, call, MAX_KEPT);
    return call;
  }

  /** @throws {ConsoleRefusal} for a call that is not kept any more */
  find(id: string): RunningCall {
    const call = this.#calls.get(id);
    if (call) return call;
    throw new ConsoleRefusal('The console does not remember this call any more.');
  }

  /** The newest first. */
  get all(): readonly OwnCall[] {
    return [...this.#calls.values()].reverse().map(({ soFar }) => soFar);
  }
}
