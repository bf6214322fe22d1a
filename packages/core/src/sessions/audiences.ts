import { randomBytes, randomUUID } from 'node:crypto';
import type { Principal } from '@toolwright/ground/base/request-context';
import { Outage } from '@toolwright/ground/call/limits/timed-store';
import type { ServerEvent } from '@toolwright/ground/ports/event-bus';
import { keepNewest, sealingSecrets, Seal } from '@toolwright/json';
import type { ProtocolHost } from '../requests/engine.js';

/** Says whether a principal may hear of one change. */
export type ListenerAudience = (principal: Principal | undefined) => boolean;

/**
 * How many changes of this process other processes can ask about, and how many questions may wait here. The oldest is
 * dropped.
 */
const MOST_OPEN = 1_000;
/** How many principals are asked about in one message. */
const BATCH = 100;

/** A principal as messages between processes carry it; `null` is an anonymous caller. */
type Asked = Principal | null;

interface Question {
  readonly ask: string;
  readonly by: string;
  readonly principals: readonly Asked[];
}

type Message = Question | { readonly answer: string; readonly allowed: readonly number[] };

/**
 * Tells a change of a resource to only some of the clients that watch it. The function that chooses them cannot leave
 * its process. So other processes send their principals to it, sealed, and tell no client before the answer is there.
 */
export class Audiences {
  /** The changes of this process, by the id of their question. */
  readonly #open = new Map<string, ListenerAudience>();
  /** The notifications that wait for an answer of another process, by the name of the question. */
  readonly #waiting = new Map<string, (allowed: readonly number[]) => void>();
  readonly #self = randomBytes(6).toString('base64url');
  readonly #seal: Seal;
  readonly #outage: Outage;
  #unsubscribe: (() => void) | undefined;
  #hasWarned = false;

  /** @param secrets the same for all processes; `undefined`: processes cannot ask each other */
  constructor(
    private readonly secrets: readonly string[] | undefined,
    private readonly ports: Pick<ProtocolHost, 'bus' | 'isBusShared' | 'logger'>,
  ) {
    this.#seal = new Seal(sealingSecrets({ secrets }), 'audience', { logger: ports.logger });
    this.#outage = new Outage('event bus', ports.logger, 'other processes tell nobody of some updates');
  }

  /** Publishes a change of a resource that only some principals may hear of. */
  publish(uri: string, to: ListenerAudience): void {
    const question = randomUUID();
    if (this.ports.isBusShared) {
      if (!this.secrets) this.#warn();
      this.#hear();
      keepNewest(this.#open, question, to, MOST_OPEN);
    }
    this.#send({ type: 'resourceUpdatedFor', uri, question, to });
  }

  /**
   * Calls `tell` for each client that may hear of the change: at once, or when the process that knows the rule has
   * answered.
   */
  choose<T extends { readonly principal: Principal | undefined }>(
    watching: readonly T[],
    { question, to }: { readonly question: string; readonly to?: ListenerAudience },
    tell: (chosen: T) => void,
  ): void {
    if (to) return watching.filter(({ principal }) => this.#isIn(to, principal)).forEach(tell);
    this.#hear();
    for (let from = 0; from < watching.length; from += BATCH) {
      const asked = watching.slice(from, from + BATCH);
      const by = `${this.#self}-${randomBytes(6).toString('base64url')}`;
      const take = (allowed: readonly number[]) => {
        this.#waiting.delete(by);
        allowed.forEach((index) => asked[index] && tell(asked[index]));
      };
      keepNewest(this.#waiting, by, take, MOST_OPEN);
      this.#post({ ask: question, by, principals: asked.map(({ principal }) => principal ?? null) });
    }
  }

  /** The server stops. */
  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Most servers never need it, so it subscribes to the bus at first need. */
  #hear(): void {
    this.#unsubscribe ??= this.ports.bus.subscribe((event) => {
      if (event.type !== 'audienceMessage') return;
      const message = this.#seal.open(event.sealed) as Message | undefined;
      if (!message) return;
      if ('ask' in message) this.#answer(message);
      else this.#waiting.get(message.answer)?.(message.allowed);
    });
  }

  #answer({ ask, by, principals }: Question): void {
    const to = this.#open.get(ask);
    if (!to) return;
    const allowed = principals.flatMap((principal, index) =>
      this.#isIn(to, principal ?? undefined) ? [index] : [],
    );
    this.#post({ answer: by, allowed });
  }

  /** Only `true` counts. If the function fails, the principal does not hear of the change. */
  #isIn(to: ListenerAudience, principal: Principal | undefined): boolean {
    try {
      return (to(principal) as unknown) === true;
    } catch (err) {
      this.ports.logger.error(
        { err },
        'The function "to" of resourceUpdated has failed, so a client is not told',
      );
      return false;
    }
  }

  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.ports.logger.warn(
      { option: 'secrets' },
      'Updates that only some may hear of do not reach the clients of other processes: without secrets no process can ask another about its principals',
    );
  }

  #post(message: Message): void {
    this.#send({ type: 'audienceMessage', sealed: this.#seal.seal(message) });
  }

  #send(event: ServerEvent): void {
    void this.#outage.ask(() => this.ports.bus.publish(event));
  }
}
