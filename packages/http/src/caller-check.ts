import { ConfigurationError, type ConfigurationProblem, type Principal } from '@toolwright/core';
import type { Protocol } from '@toolwright/core/transport';
import type { Authentication, Challenge } from './authentication.js';
import type { McpHttpSettings } from './options.js';

/** Looks at who calls, whoever said it: the server serves nobody that it cannot tell from others. */
export class CallerCheck {
  readonly #protocol: Protocol;
  /** The same for every request. */
  readonly #anonymousFault: ConfigurationProblem | undefined;
  #wasTold = false;

  /** @throws {ConfigurationError} when anonymous callers are refused, and nothing could say who calls */
  constructor(
    protocol: Protocol,
    private readonly settings: Pick<McpHttpSettings, 'authenticate' | 'resourceMetadata'>,
  ) {
    this.#protocol = protocol;
    const fault = (this.#anonymousFault = protocol.findPrincipalFault(undefined));
    if (fault && !settings.authenticate) throw new ConfigurationError([fault]);
  }

  /** What the caller is answered in place of what it asks for; undefined when it may go on. */
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

  /** Once: whoever is not signed in could otherwise fill the log. */
  #tellOperator({ code, message, fix }: { code: string; message: string; fix: string }): void {
    if (!this.#wasTold) this.#protocol.logger.error({ code, fix }, message);
    this.#wasTold = true;
  }
}
