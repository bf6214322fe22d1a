import { ToolError } from '../base/errors/errors.js';
import { logSafeText } from '../base/log.js';
import type { AuditEvent, AuditSink } from '../ports/audit-sink.js';
import type { Clock } from '../ports/clock.js';
import { randomIds, type IdSource } from '../ports/id-source.js';
import type { Logger } from '../ports/logger.js';

/** What an operator did, as records name it. */
export type OperatorAction = 'cancel call' | 'end session' | 'cancel task' | 'retry task' | 'reset limits';

export interface TrailPorts {
  readonly audit: AuditSink | undefined;
  readonly clock: Clock;
  readonly ids?: IdSource | undefined;
  readonly logger: Logger;
}

/** Records what one operator does: the intent before it is done, and then whether it was. */
export class OperatorTrail {
  constructor(
    private readonly by: string,
    private readonly ports: TrailPorts,
  ) {}

  /**
   * Does it, and records it.
   *
   * @param given what it is done to
   * @param act says whether there was anything to do
   * @throws {ToolError} `TW_AUDIT_DOWN` when the intent cannot be recorded: nothing is done then
   */
  async record<T>(action: OperatorAction, given: string | undefined, act: () => T | Promise<T>): Promise<T> {
    const target = given === undefined ? undefined : logSafeText(given);
    const { audit, clock, ids = randomIds, logger } = this.ports;
    const callId = ids.uuid(clock.now());
    const describe = (event: AuditEvent['event'], outcome?: string): AuditEvent => ({
      id: event === 'intent' ? callId : ids.uuid(clock.now()),
      callId,
      time: clock.now(),
      event,
      operation: 'operator',
      name: action,
      contract: '',
      annotations: {},
      principal: { subject: this.by },
      client: null,
      revision: '',
      arguments: target === undefined ? {} : { target },
      loggable: target === undefined ? {} : { target },
      ...(outcome !== undefined && { outcome }),
    });
    await this.#intend(audit, describe('intent'));
    let outcome = 'error';
    try {
      const done = await act();
      outcome = done ? 'ok' : 'nothing to do';
      return done;
    } finally {
      logger.info({ by: this.by, action, target, outcome }, 'An operator changed the server');
      await this.#end(audit, describe('outcome', outcome));
    }
  }

  async #intend(audit: AuditSink | undefined, event: AuditEvent): Promise<void> {
    try {
      await audit?.write(event, 'strict');
    } catch (cause) {
      throw new ToolError('This could not be recorded, so it was not done.', {
        code: 'TW_AUDIT_DOWN',
        cause,
      });
    }
  }

  /** It is done, whether its end can be recorded or not. */
  async #end(audit: AuditSink | undefined, event: AuditEvent): Promise<void> {
    try {
      await audit?.write(event, 'strict');
    } catch {
      // `WatchedAuditSink` logs it.
    }
  }
}
