import { ConfigurationError, type ConfigurationProblem, type Principal } from '@toolwright/core';
import { requireServer } from '@toolwright/core/options';
import { cutText, isLoopbackAddress, isObject, LOOPBACK_HOSTS, readAddress } from '@toolwright/json';
import { type MaybePromise, type Peer, type Protocol, readTrace } from '@toolwright/core/transport';
import { openLanding } from './landing/landing.js';
import { withinTime } from './authentication-time.js';
import type { Authentication, Challenge } from './authentication.js';
import { allowReading, answerPreflight, isPreflight, refusePreflight, varyByOrigin } from './cors.js';
import type { Exchange } from './exchange.js';
import type { Endpoint } from './http-call.js';
import { HttpFailure, INVALID_REQUEST } from './http-failure.js';
import { OldSse } from './old-sse.js';
import { HOST_PARTS, type EndpointSettings } from './options.js';
import { passError } from './pass-error.js';
import { sendFailure } from './respond.js';
import { routeRequest } from './route-request.js';

/** The part of a server that the HTTP transport needs. */
export interface HttpServed {
  readonly protocol: Protocol;
}

/**
 * Opens an endpoint that serves both eras. It answers every exchange: it checks Host and Origin, then who
 * calls, and passes on what may come in. It never throws.
 *
 * @throws {ConfigurationError} (`openEndpoint` itself) when nothing could authenticate a caller that is needed,
 *   when the options contradict strict security, or when something would live in one of several processes
 */
export function openEndpoint<Req>(
  served: HttpServed,
  settings: EndpointSettings<Req>,
): (exchange: Exchange<Req>) => void {
  requireServer('An endpoint', served);
  const { protocol } = served;
  refuseBoundSse(protocol, settings);
  const guard = new AddressGuard(settings);
  const refused = new RefusedAddresses(protocol);
  const callers = new CallerCheck(protocol, settings);
  const { maxUnreadBytes, keepAliveMs, authenticate } = settings;
  const { clock, logger } = protocol;
  settings.serve?.(protocol);
  protocol.warnAtStart(authenticate ? undefined : 'Set oauth, principal or authenticate.');
  const landing = openLanding(protocol, settings);
  settings
    .attach?.(served)
    .catch((err: unknown) => protocol.logger.error({ err }, 'Tools cannot get tokens for other resources'));
  const endpoint: Endpoint = {
    protocol,
    settings,
    landing,
    sse: { maxUnreadBytes, keepAliveMs, clock, logger },
    oldSse: settings.sse ? new OldSse(protocol.stateful?.maxPerTenant) : undefined,
  };
  const addresses = new CallerAddresses(protocol);
  const ipOf = (exchange: Exchange<Req>) =>
    addresses.read(
      (settings.ip ? settings.ip(exchange.source, exchange.address) : exchange.address) ??
        settings.missingAddress,
    );

  const serve = (exchange: Exchange<Req>, principal: Principal | undefined) => {
    const peer: Peer = { transport: 'http', principal, ip: ipOf(exchange), trace: traceOf(exchange) };
    routeRequest({ endpoint, exchange, peer });
  };
  const letIn = (exchange: Exchange<Req>, outcome: Authentication) => {
    const challenge = callers.challengeOf(outcome);
    if (!challenge)
      return serve(exchange, (outcome as Exclude<Authentication, { challenge: unknown }>).principal);
    const { status, headers, message, reason: detail, issuer, cause } = challenge;
    const ip = ipOf(exchange);
    protocol.noteRefusal({ reason: 'TW_AUTHENTICATION', detail, status, ip, issuer, cause });
    if (landing?.show(exchange, challenge)) return;
    sendFailure(exchange, new HttpFailure(status, INVALID_REQUEST, message, headers));
  };
  const admit = (exchange: Exchange<Req>) => {
    const problem = guard.findProblem(exchange);
    if (problem) {
      protocol.noteRefusal({ reason: 'TW_ADDRESS', detail: problem.detail, status: 403, ip: ipOf(exchange) });
      refused.warn(exchange, problem);
      return sendFailure(exchange, new HttpFailure(403, INVALID_REQUEST, problem.message));
    }
    const origin = settings.cors ? exchange.header('origin') : undefined;
    if (origin !== undefined) {
      varyByOrigin(exchange);
      const isListed = guard.isListed(origin);
      if (isPreflight(exchange))
        return isListed ? answerPreflight(exchange, origin) : refusePreflight(exchange);
      if (isListed) allowReading(exchange, origin);
    }
    // `callers` has made sure at the start that anonymous callers may pass then.
    if (!authenticate) return serve(exchange, undefined);
    const outcome = authenticate(exchange.source);
    if (!isPending(outcome)) return letIn(exchange, outcome);
    withinTime(outcome, clock)
      .then((settled) => letIn(exchange, settled))
      .catch((error: unknown) => passError(protocol, exchange, error));
  };

  return (exchange) => {
    try {
      admit(exchange);
    } catch (error) {
      passError(protocol, exchange, error);
    }
  };
}

/** Most requests have none of these headers, and each look into web-standard headers costs. */
function traceOf(exchange: Exchange) {
  const traceparent = exchange.header('traceparent');
  const tracestate = traceparent === undefined ? undefined : exchange.header('tracestate');
  return readTrace({ traceparent, tracestate, baggage: exchange.header('baggage') });
}

/**
 * True for anything that `await` would wait for. Query builders can be awaited, too, but are not instances of `Promise`.
 */
function isPending(outcome: MaybePromise<Authentication>): outcome is Promise<Authentication> {
  return typeof (outcome as { then?: unknown } | undefined)?.then === 'function';
}

/** A client of the transport of 2024-11-05 has one stream for all its answers, in one process. */
function refuseBoundSse({ anyProcess }: Protocol, { sse }: Pick<EndpointSettings, 'sse'>): void {
  if (!anyProcess || !sse) return;
  throw new ConfigurationError({
    code: 'TW_PROCESS_BOUND',
    message:
      'The option "sse" is set, but a client of that transport must reach the same process each time, and here any process may get its requests.',
    fix: 'Leave out "sse", or run one process.',
  });
}

/** Reads the addresses of callers. Other texts are left out: each would be a caller with limits of its own. */
class CallerAddresses {
  /** The latest one. A connection has many requests, and a proxy has few addresses. */
  #text: string | undefined;
  #address: string | undefined;
  #hasWarned = false;

  constructor(private readonly protocol: Protocol) {}

  read(text: string | undefined): string | undefined {
    if (text !== this.#text) {
      this.#text = text;
      this.#address = text === undefined ? undefined : readAddress(text);
      if (text !== undefined && this.#address === undefined) this.#warn(text);
    }
    return this.#address;
  }

  /** Only once. Otherwise callers could fill the log. */
  #warn(text: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.protocol.logger.warn(
      { address: cutText(text, 60) },
      'The address of a caller cannot be read, so anonymous callers like it share their limits. Look at what your proxy writes, or set "ip".',
    );
  }
}

const NOTHING_SAID: ConfigurationProblem = {
  code: 'TW_PRINCIPAL_UNNAMED',
  message: 'An answer to who calls has neither a principal nor a challenge.',
  fix: "Return { principal: { subject: 'ann', scopes: [] } }, { principal: undefined } for an anonymous caller, or { challenge }.",
};

/**
 * Checks the caller, however it was authenticated. The server serves no caller that it cannot tell apart from others.
 */
class CallerCheck {
  readonly #protocol: Protocol;
  /** The problem of anonymous callers. It is the same for every request. */
  readonly #anonymousProblem: ConfigurationProblem | undefined;
  #hasWarned = false;

  /**
   * @throws {ConfigurationError} when anonymous callers are refused, but nothing could authenticate a caller
   */
  constructor(
    protocol: Protocol,
    private readonly settings: Pick<
      EndpointSettings<never>,
      'authenticate' | 'callersFrom' | 'writeChallenge'
    >,
  ) {
    this.#protocol = protocol;
    const problem = (this.#anonymousProblem = protocol.findPrincipalProblem(undefined));
    if (problem && !settings.authenticate) throw new ConfigurationError(problem);
  }

  /** The challenge that the caller is answered with; `undefined` when the request may go on. */
  challengeOf(outcome: Authentication): Challenge | undefined {
    const { challenge, principal } = Object(outcome) as Partial<Record<'challenge' | 'principal', never>>;
    if (challenge) return challenge;
    // A function that returns the principal itself would let its callers in as anonymous ones.
    const isSaid = isObject(outcome) && 'principal' in outcome;
    const problem = isSaid ? this.#problemOf(principal) : NOTHING_SAID;
    if (!problem) return undefined;
    const isMistake = !isSaid || principal !== undefined;
    if (isMistake) this.#tellOperator(problem);
    return {
      status: 401,
      headers: { 'WWW-Authenticate': this.settings.writeChallenge({}) },
      message: 'Authentication required',
      reason: isMistake ? 'subject' : 'missing',
    };
  }

  #problemOf(principal: Principal | undefined): ConfigurationProblem | undefined {
    return principal ? this.#protocol.findPrincipalProblem(principal) : this.#anonymousProblem;
  }

  /** Logs only once. Otherwise callers that are not signed in could fill the log. */
  #tellOperator({ code, message, fix }: { code: string; message: string; fix: string }): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { callersFrom: option } = this.settings;
    this.#protocol.logger.error(
      { code, option, fix },
      `${message} It came from the option "${option}" of the MCP endpoint.`,
    );
  }
}

/** Tells the operator which name an endpoint does not know. A new app behind a name of its own refuses everybody. */
class RefusedAddresses {
  readonly #warned = new Set<AddressProblem>();

  constructor(private readonly protocol: Protocol) {}

  /** Logs each kind only once. Otherwise callers could fill the log. */
  warn(exchange: Pick<Exchange, 'address' | 'header'>, problem: AddressProblem): void {
    if (this.#warned.has(problem)) return;
    this.#warned.add(problem);
    const shown = (name: 'host' | 'origin') => cutText(exchange.header(name) ?? '', 100);
    const origin = problem === ORIGIN ? { origin: shown('origin') } : {};
    this.protocol.logger.warn({ host: shown('host'), ...origin, address: exchange.address }, problem.message);
  }
}

/** For how many different Host values the verdict is kept. */
const MAX_KEPT = 256;

/** Why a request is refused. */
interface AddressProblem {
  /** The text for the operator's records. */
  detail: 'remote' | 'host' | 'origin';
  /** The text for the caller. It names the option to change. */
  message: string;
}

const REMOTE: AddressProblem = {
  detail: 'remote',
  message:
    'Only this machine may ask. List the names that others reach it by in the option "allowedHosts" of the MCP endpoint.',
};
const HOST: AddressProblem = {
  detail: 'host',
  message: 'This Host is not allowed. List it in the option "allowedHosts" of the MCP endpoint to allow it.',
};
const TWO_HOSTS: AddressProblem = {
  detail: 'host',
  message: 'A request has one Host (RFC 9112, section 3.2).',
};
const ORIGIN: AddressProblem = {
  detail: 'origin',
  message:
    'This Origin is not allowed. List it in the option "allowedOrigins" of the MCP endpoint to allow it.',
};

/**
 * Passes only requests that address this server by one of its own names, and that no foreign page sent. A
 * page can point a name that it owns at 127.0.0.1 (DNS rebinding), but it cannot choose what the browser
 * sends as Host and Origin.
 *
 * Until names are listed, only this machine may send requests: a program that is not a browser can write
 * `localhost` into Host, and an application may listen on every address.
 */
export class AddressGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #verdicts = new Map<string, boolean>();
  readonly #isOpen: boolean;
  /** The latest address of this machine that a request came from. */
  #here: string | undefined;

  constructor({ allowedHosts, allowedOrigins }: Pick<EndpointSettings, 'allowedHosts' | 'allowedOrigins'>) {
    this.#isOpen = allowedHosts !== undefined;
    this.#hosts = allowedHosts ? new Set(allowedHosts.map((host) => host.toLowerCase())) : LOOPBACK_HOSTS;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  }

  /** Why the request is refused; `undefined` when it may pass. */
  findProblem(exchange: Pick<Exchange, 'address' | 'header' | 'repeatsHost'>): AddressProblem | undefined {
    if (!this.#isOpen && !this.#isHere(exchange.address)) return REMOTE;
    const host = exchange.header('host');
    const origin = exchange.header('origin');
    if (host === undefined || !this.#isHost(host)) return HOST;
    if (exchange.repeatsHost) return TWO_HOSTS;
    return origin === undefined || this.#isOwn(origin) || this.isListed(origin) ? undefined : ORIGIN;
  }

  /** A socket without addresses belongs to this machine. Over `mcpFetch`, the address may be unknown. */
  #isHere(address: string | undefined): boolean {
    if (address === undefined || address === this.#here) return true;
    if (!isLoopbackAddress(address)) return false;
    this.#here = address;
    return true;
  }

  /** True for origins that the operator has listed. Only pages of these may read answers. */
  isListed(origin: string): boolean {
    return this.#origins.has(origin.toLowerCase());
  }

  /** True for a page of an allowed host. It sends its Origin even to the server that it came from. */
  #isOwn(origin: string): boolean {
    const authority = /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1];
    return authority !== undefined && this.#isHost(authority);
  }

  #isHost(authority: string): boolean {
    const kept = this.#verdicts.get(authority);
    if (kept !== undefined) return kept;
    const match = HOST_PARTS.exec(authority);
    const allowed =
      match !== null &&
      (this.#hosts.has(match[1]!.toLowerCase()) || this.#hosts.has(authority.toLowerCase()));
    if (this.#verdicts.size >= MAX_KEPT) this.#verdicts.clear();
    this.#verdicts.set(authority, allowed);
    return allowed;
  }
}
