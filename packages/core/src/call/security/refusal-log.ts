import type { AuditEvent, AuditSink } from '../../ports/audit-sink.js';
import type { Clock } from '../../ports/clock.js';
import { randomIds, type IdSource } from '../../ports/id-source.js';
import type { Logger } from '../../ports/logger.js';
import { callerKey } from '../limits/caller-key.js';
import { foreignText } from '../../base/foreign-text.js';
import { isAttack, type Refusal } from './refusal.js';
import type { SecurityEvent, SecurityListener } from './security-event.js';

const SPAN_MS = 60_000;
/** Refusals of one kind and caller in a span that have a record each; of those that follow, each doubling has one. */
const SINGLE = 10;
/** Callers and kinds that are told apart in a span. All others share one count. */
const MOST_KEYS = 1_000;

/** One object for all: what is written of it is kept. */
const NONE = Object.freeze({});

interface Count {
  /** In this span. */
  total: number;
  /** Not recorded yet. */
  open: number;
  last: Refusal;
}

export interface RefusalPorts {
  clock: Clock;
  logger: Logger;
  audit?: AuditSink | undefined;
  ids?: IdSource | undefined;
  onSecurity?: SecurityListener | undefined;
}

/**
 * Records, logs and reports what is refused before it becomes a call. Strangers decide how often that is: a caller has ten
 * records a minute for each reason, then one for each doubling, with the count of those it stands for. What is still open
 * after a minute, or when the server stops, has one as well, so that the counts add up.
 */
export class RefusalLog {
  readonly #counts = new Map<string, Count>();
  #spanEnds = 0;
  #cancel: (() => void) | undefined;

  constructor(private readonly ports: RefusalPorts) {}

  note(refusal: Refusal): void {
    if (this.ports.clock.now() >= this.#spanEnds) this.#begin();
    const count = this.#count(refusal);
    count.total++;
    count.open++;
    count.last = refusal;
    if (count.total <= SINGLE || count.open * 2 >= count.total) this.#tell(count);
    else
      this.#cancel ??= this.ports.clock.after(this.#spanEnds - this.ports.clock.now(), () => this.settle());
  }

  /** Records what is still open. */
  settle(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const count of this.#counts.values()) if (count.open > 0) this.#tell(count);
  }

  #begin(): void {
    this.settle();
    this.#counts.clear();
    this.#spanEnds = this.ports.clock.now() + SPAN_MS;
  }

  #count(refusal: Refusal): Count {
    const { reason, detail = '', principal, ip } = refusal;
    const key = `${reason} ${detail} ${callerKey({ principal, ip }, true)}`;
    const shared = this.#counts.has(key) || this.#counts.size < MOST_KEYS ? key : `${reason} ${detail}`;
    let count = this.#counts.get(shared);
    if (!count) this.#counts.set(shared, (count = { total: 0, open: 0, last: refusal }));
    return count;
  }

  #tell(count: Count): void {
    const { open, total, last } = count;
    count.open = 0;
    const event = this.#describe(last, open);
    this.#record(event);
    const { reason, detail, name, operation, ip, principal } = event;
    const fields = { reason, detail, operation, name, ip, subject: principal?.subject, count: open };
    if (isAttack(last)) this.ports.logger.warn(fields, 'A request was refused: it may be an attack');
    else if (total > SINGLE) this.ports.logger.warn(fields, 'Requests of a caller are refused repeatedly');
    else this.ports.logger.info(fields, 'A request was refused');
    this.#report(last, { event, total });
  }

  #describe({ reason, detail, operation, name, ...from }: Refusal, count: number): AuditEvent {
    const { principal, ip, client, revision = '' } = from;
    const { ids = randomIds, clock } = this.ports;
    const time = clock.now();
    const id = ids.uuid(time);
    return {
      id,
      callId: id,
      time,
      event: 'denied',
      operation,
      name: foreignText(name),
      contract: '',
      annotations: NONE,
      principal: principal
        ? { issuer: principal.issuer, subject: principal.subject, clientId: principal.clientId }
        : null,
      client: client ? { name: foreignText(client.name), version: foreignText(client.version) } : null,
      revision: foreignText(revision),
      arguments: undefined,
      outcome: 'denied',
      reason,
      ...(detail !== undefined && { detail }),
      ...(count > 1 && { count }),
      ip,
    };
  }

  /** The caller has its answer already: a log that fails is logged, and nothing waits for it. */
  #record(event: AuditEvent): void {
    const fail = (err: unknown) =>
      this.ports.logger.error({ err, reason: event.reason }, 'The audit log could not be written');
    try {
      const written = this.ports.audit?.write(event, 'buffered');
      if (written instanceof Promise) written.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #report(refusal: Refusal, { event, total }: { event: AuditEvent; total: number }): void {
    const attack = isAttack(refusal);
    if (!attack && total < SINGLE) return;
    const { principal, ip } = refusal;
    const told: SecurityEvent = {
      type: attack ? (refusal.reason === 'TW_STATE_INVALID' ? 'forgery' : 'authentication') : 'denied',
      caller: callerKey({ principal, ip }, true),
      operation: event.name,
      count: total,
      time: event.time,
      reason: refusal.detail ?? refusal.reason,
    };
    try {
      this.ports.onSecurity?.(told);
    } catch (error) {
      this.ports.logger.error({ err: error }, 'A listener for security events failed');
    }
  }
}
