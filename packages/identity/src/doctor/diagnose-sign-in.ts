import { type Duration, type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { type Clock, monotonic, systemClock } from '@toolwright/core/ports';
import { Wire } from './ask.js';
import { OFFLINE, type OpenPage, authorize } from './authorize.js';
import { callWithToken } from './call-with-token.js';
import type { Diagnosis, StepReport } from './diagnosis.js';
import { type IssuerMetadata, discoverIssuer } from './discover-issuer.js';
import { fetchToken } from './fetch-token.js';
import { SignInProblem, type SignInStep } from './problems.js';
import { findEndpoint } from './find-endpoint.js';
import { readMetadata } from './read-metadata.js';
import { type KnownClient, registerClient } from './register-client.js';

export interface DiagnoseOptions {
  /**
   * Opens the page of the issuer for a person, and resolves to the address at which the answer came back. Without it, the
   * diagnosis ends before that step.
   */
  openPage?: OpenPage;
  /** Where the answer of the issuer comes back. Default: an address of loopback at which nothing listens. */
  redirectUri?: string;
  /** The client, if it was registered beforehand. */
  clientId?: string;
  clientSecret?: string;
  /** The URL of a client metadata document, for issuers that take one. */
  clientDocument?: string;
  /** The scopes to ask for. Default: the scopes that the server names. */
  scopes?: readonly string[];
  /** A tool to call without arguments, to see whether its scopes are there. Default: the tools are listed. */
  tool?: string;
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** How long one answer may take. Default 10 seconds. More than 0, at most a day. */
  timeout?: Duration;
  clock?: Pick<Clock, 'now' | 'monotonic'>;
}

const { callback, driverTimeout, filledText, listOf, objectWith, secret, text } = optionRules;

const diagnoseOptions = {
  openPage: callback,
  redirectUri: filledText,
  clientId: filledText,
  clientSecret: secret(filledText),
  clientDocument: filledText,
  scopes: listOf('a list of scopes', text),
  tool: filledText,
  fetch: callback,
  timeout: { ...driverTimeout, default: 10_000 },
  clock: objectWith('a clock with now', 'now'),
} satisfies OptionSchema<DiagnoseOptions>;

const NOBODY_LISTENS = 'http://127.0.0.1:9/callback';

/**
 * Signs in at a server step by step, as a client does, and says which step failed, who is responsible and what to do. The
 * result has no token, no code and no secret in it. It never rejects because of what a server answers.
 *
 * @throws {ConfigurationError} when an option is wrong
 */
export async function diagnoseSignIn(url: string, given: DiagnoseOptions = {}): Promise<Diagnosis> {
  return (await trySignIn(url, given, { clientName: 'Toolwright doctor', stays: false })).diagnosis;
}

/** What a client asks for. */
interface ClientPlan {
  /** What a person reads at the issuer. */
  readonly clientName: string;
  /** Whether the client wants to get new tokens without the person. */
  readonly stays: boolean;
}

/** What a client keeps after a sign-in. All of it is secret. */
export interface SignedIn {
  readonly resource: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly client: KnownClient;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** How many seconds the access token is valid; `undefined` if the issuer does not say it. */
  readonly lifetime?: number | undefined;
}

/**
 * Signs in as `diagnoseSignIn` does.
 *
 * @returns also what a client keeps, if somebody signed in and the server took the token
 */
export async function trySignIn(
  url: string,
  given: DiagnoseOptions,
  plan: ClientPlan,
): Promise<{ readonly diagnosis: Diagnosis; readonly signedIn?: SignedIn | undefined }> {
  const options = parseOptions('diagnoseSignIn', diagnoseOptions, given);
  const { fetch = globalThis.fetch, timeout, clock = systemClock } = options;
  const line = new TimeLine(new Wire(fetch, timeout), clock);
  try {
    const { isSignedIn, signedIn } = await signIn(url, line, { ...options, ...plan });
    return { diagnosis: { url, steps: line.steps, isSignedIn }, signedIn };
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error;
    const { code, responsible, message: problem, advice } = error;
    // An endpoint may go away in the middle: then the step that noticed it has failed.
    const { step } = line.steps.at(-1)!;
    const failure = { code, step, responsible, problem, advice };
    return { diagnosis: { url, steps: line.steps, isSignedIn: false, failure } };
  }
}

async function signIn(
  url: string,
  line: TimeLine,
  options: DiagnoseOptions & ClientPlan,
): Promise<{ isSignedIn: boolean; signedIn?: SignedIn }> {
  const { wire, clock } = line;
  const { redirectUri = NOBODY_LISTENS, openPage, clientId, clientSecret, clientDocument, tool } = options;
  const { clientName, stays } = options;
  const challenge = await line.run('endpoint', (notes) => findEndpoint(wire, url, notes));
  const metadata = await line.run('metadata', (notes) => readMetadata(wire, url, challenge, notes));
  if (!metadata) return { isSignedIn: true };
  const { resource } = metadata;
  const issuer = await line.run('discovery', (notes) =>
    discoverIssuer(wire, metadata.issuer, { notes, now: clock.now() }),
  );
  const wanted = options.scopes ?? metadata.scopes;
  const scope = [...wanted, ...(stays ? staying(issuer, wanted) : [])].join(' ');
  const client = await line.run('registration', (notes) =>
    registerClient(
      wire,
      issuer,
      { clientId, clientSecret, clientDocument, redirectUri, scope, clientName, stays },
      notes,
    ),
  );
  if (!openPage) {
    for (const step of ['authorize', 'token', 'call'] as const) line.leaveOut(step);
    return { isSignedIn: false };
  }
  const authorized = await line.run('authorize', () =>
    authorize(wire, issuer, { client, redirectUri, scope, resource, openPage }),
  );
  const { token, granted, refreshToken, lifetime } = await line.run('token', (notes) =>
    fetchToken(wire, issuer, { client, redirectUri, resource, authorized }, notes),
  );
  await line.run('call', (notes) =>
    callWithToken(wire, { url, token, granted, issuer, resource, tool, now: clock.now() }, notes),
  );
  const { tokenEndpoint, revocationEndpoint } = issuer;
  const kept = { resource, issuer: issuer.issuer, tokenEndpoint, revocationEndpoint, client, refreshToken };
  return { isSignedIn: true, signedIn: { ...kept, accessToken: token, lifetime } };
}

/** OpenID Connect gives a refresh token for this scope alone, and other issuers refuse a scope that they do not know. */
const staying = ({ scopes }: IssuerMetadata, wanted: readonly string[]): string[] =>
  scopes.includes(OFFLINE) && !wanted.includes(OFFLINE) ? [OFFLINE] : [];

/** Runs the steps one after the other, and keeps what each one did. */
class TimeLine {
  readonly steps: StepReport[] = [];

  constructor(
    readonly wire: Wire,
    readonly clock: Pick<Clock, 'now' | 'monotonic'>,
  ) {}

  async run<T>(step: SignInStep, work: (notes: string[]) => Promise<T>): Promise<T> {
    const at = this.clock.now();
    const began = monotonic(this.clock);
    const notes: string[] = [];
    this.wire.exchanges = [];
    const report = (outcome: StepReport['outcome']) =>
      this.steps.push({
        step,
        outcome,
        at,
        ms: monotonic(this.clock) - began,
        notes,
        exchanges: this.wire.exchanges,
      });
    try {
      const found = await work(notes);
      report('ok');
      return found;
    } catch (error) {
      report('failed');
      throw error;
    }
  }

  leaveOut(step: SignInStep): void {
    const notes = ['A person has to sign in.'];
    this.steps.push({ step, outcome: 'left out', at: this.clock.now(), ms: 0, notes, exchanges: [] });
  }
}
