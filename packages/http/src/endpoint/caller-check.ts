import { ConfigurationError, type ConfigurationProblem, type Principal } from '@toolwright/core';
import type { Protocol } from '@toolwright/core/transport';
import type { Authentication, Challenge } from './authentication.js';
import type { EndpointSettings } from './options.js';

/**
 * Checks the caller, whoever authenticated it. The server serves no caller that it cannot tell apart from
 * others.
 */
export class CallerCheck {
  readonly #protocol: Protocol;
  /** The fault of anonymous callers. It is the same for every request. */
  readonly #anonymousFault: ConfigurationProblem | undefined;
  #wasTold = false;

  /**
   * @throws {ConfigurationError} when anonymous callers are refused, but nothing could authenticate a caller
   */
  constructor(
    protocol: Protocol,
    private readonly settings: Pick<EndpointSettings<never>, 'authenticate' | 'resourceMetadata'>,
  ) {
    this.#protocol = protocol;
    const fault = (this.#anonymousFault = protocol.findPrincipalFault(undefined));
    if (fault && !settings.authenticate) throw new ConfigurationError([fault]);
  }

  /** The challenge that the caller is answered with; `undefined` when the request may go on. */
  challengeOf(outcome: Authentication): Challenge | undefined {
    return 'challenge' in outcome ? outcome.challenge : this.#challengeFor(outcome.principal);
  }

  #challengeFor(principal: Principal | undefined): Challenge | undefined {
    const fault = principal ? this.#protocol.findPrincipalFault(principal) : this.#anonymousFault;
    if (!fault) return undefined;
    if (principal) this.#tellOperator(fault);
    const { resourceMetadata } = this.settings;
    const asking = resourceMetadata ? `Bearer resource_metadata="${resourceMetadata}"` : 'Bearer';
    return {
      status: 401,
      headers: { 'WWW-Authenticate': asking },
      message: 'Authentication required',
      reason: principal ? 'subject' : 'missing',
    };
  }

  /** Logs only once. Otherwise callers that are not signed in could fill the log. */
  #tellOperator({ code, message, fix }: { code: string; message: string; fix: string }): void {
    if (!this.#wasTold) this.#protocol.logger.error({ code, fix }, message);
    this.#wasTold = true;
  }
}
