import { reasonOf } from '@toolwright/json';
import { logSafeText } from '../../base/log.js';
import type { ClientDescription, Principal } from '../../base/request-context.js';
import type {
  AuditEvent,
  AuditHealth,
  AuditMode,
  AuditPrincipal,
  AuditSink,
} from '../../ports/audit-sink.js';
import { type Clock, type IdSource, monotonic, randomIds } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';

/** How long a sink that failed is left alone before it is asked again, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/**
 * The audit log of a server, and what operators see of it. A log that fails refuses every strict call, so it is logged
 * once and not with every call: when it fails, and when it works again, with what was not recorded in between.
 */
export class WatchedAuditSink implements AuditSink {
  /** How many records could not be stored, by their mode. */
  readonly failures: Record<AuditMode, number> = { strict: 0, buffered: 0 };
  #up = true;
  #since: number;
  /** The failures up to the end of the last outage. */
  #known = 0;
  #askAt = 0;

  constructor(
    private readonly sink: AuditSink,
    private readonly ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#since = ports.clock.now();
  }

  get file(): string | undefined {
    return this.sink.file;
  }

  get claims(): readonly string[] | undefined {
    return this.sink.claims;
  }

  write(event: AuditEvent, mode: AuditMode): void | Promise<void> {
    try {
      const written = this.sink.write(event, mode);
      if (written instanceof Promise)
        return written.then(
          () => this.#works(),
          (error: unknown) => this.#failed(error, { event, mode }),
        );
      if (!this.#up) this.#works();
    } catch (error) {
      this.#failed(error, { event, mode });
    }
  }

  flush(): Promise<void> {
    return this.sink.flush();
  }

  async close(): Promise<void> {
    const unrecorded = this.failures.buffered;
    try {
      await this.sink.close();
    } catch (error) {
      const fields = { reason: reasonOf(error), unrecorded };
      this.ports.logger.error(fields, 'The audit log was closed, and records are lost');
      throw error;
    }
    if (unrecorded > 0)
      this.ports.logger.error({ unrecorded }, 'The audit log was closed; some records could not be stored');
  }

  /** Sinks that do not know it themselves are asked while they fail, because no call may come to try them. */
  health(): AuditHealth {
    if (this.sink.health) return this.sink.health();
    if (!this.#up && monotonic(this.ports.clock) >= this.#askAt) {
      this.#askAt = monotonic(this.ports.clock) + ASK_AGAIN_MS;
      this.sink.flush().then(
        () => this.#works(),
        () => undefined,
      );
    }
    return { up: this.#up, since: this.#since };
  }

  #works(): void {
    const { strict, buffered } = this.failures;
    if (this.#up) return;
    const since = this.#since;
    this.#turn(true);
    const failed = strict + buffered - this.#known;
    this.#known = strict + buffered;
    if (!this.sink.health)
      this.ports.logger.info({ failed, downMs: this.#since - since }, 'The audit log can be written again');
  }

  /** @throws what the sink threw */
  #failed(error: unknown, { event, mode }: { event: AuditEvent; mode: AuditMode }): never {
    this.failures[mode]++;
    const fields = { reason: reasonOf(error), operation: event.name, mode };
    const isFirst = this.#up && !this.sink.health;
    if (this.#up) this.#turn(false);
    if (isFirst) this.ports.logger.error(fields, 'The audit log cannot be written; strict calls are refused');
    else this.ports.logger.debug(fields, 'A call could not be recorded');
    throw error;
  }

  #turn(up: boolean): void {
    this.#up = up;
    this.#since = this.ports.clock.now();
  }
}

/** A record of something else than a call of an operation. What is left out is empty. */
export function eventRecord(
  { ids = randomIds, clock }: { readonly ids?: IdSource | undefined; readonly clock: Clock },
  { event, operation, name, ...given }: RecordedEvent,
): AuditEvent {
  const time = clock.now();
  const id = ids.uuid(time);
  const nothing = {
    contract: '',
    annotations: {},
    principal: null,
    client: null,
    revision: '',
    arguments: {},
  };
  return { id, callId: id, time, event, operation, name, ...nothing, ...given };
}

type RecordedEvent = Pick<AuditEvent, 'event' | 'operation' | 'name'> & Partial<AuditEvent>;

/** Writes a record for which nobody waits. A log that fails is logged by its `WatchedAuditSink`. */
export function writeUnawaited(sink: AuditSink | undefined, event: AuditEvent): void {
  void (async () => sink?.write(event, 'buffered'))().catch(() => undefined);
}

/** Most records are of the client of the one before, and cleaning its texts costs more than comparing them. */
let cleaned = { of: { name: '', version: '' }, name: '', version: '' };

/** What a client says about itself, as a record has it. */
export function auditClient(info: ClientDescription['info']): { name: string; version: string } | null {
  if (!info) return null;
  const { name, version } = info;
  if (cleaned.of.name !== name || cleaned.of.version !== version)
    cleaned = { of: { name, version }, name: logSafeText(name), version: logSafeText(version) };
  // Each record has an object of its own: a sink may change it.
  return { name: cleaned.name, version: cleaned.version };
}

/** What a record says about who called. */
export function auditPrincipal(
  principal: Principal | undefined,
  sink: AuditSink | undefined,
): AuditPrincipal | null {
  if (!principal) return null;
  const { issuer, subject, clientId, tenant, claims } = principal;
  // Without a tenant, a record has the form of before.
  const recorded = {
    issuer,
    subject,
    clientId,
    ...(tenant !== undefined && { tenant }),
  } as AuditPrincipal;
  const names = claims && sink?.claims?.filter((name) => Object.hasOwn(claims, name));
  if (!names || names.length === 0) return recorded;
  return { ...recorded, claims: Object.fromEntries(names.map((name) => [name, claims[name]])) };
}
