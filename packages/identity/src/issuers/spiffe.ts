import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset } from './issuer-preset.js';
import { caller, textIn } from './claims.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface SpiffeOptions extends IssuerOptions {
  /** The issuer that the tokens name: `jwt_issuer` of a SPIRE server, whose keys its OIDC discovery provider publishes. */
  readonly issuer: string;
  /** The trust domain, such as `example.org`. */
  readonly trustDomain: string;
  /** The paths that may call, such as `/ns/jobs/sa/nightly`; `/ns/jobs/*` for everything below. */
  readonly workloads: readonly string[];
  /** Lets the issuer be reached over plain http, inside of a cluster. Default false. */
  readonly plainHttp?: boolean;
}

const { filledText, flag, required } = optionRules;

const spiffeOptions = {
  ...issuerOptions,
  issuer: required(filledText),
  trustDomain: required(filledText),
  workloads: required(texts),
  plainHttp: { ...flag, default: false },
} satisfies OptionSchema<SpiffeOptions>;

/** Paths of the SPIFFE standard: no empty segments, and none that leads elsewhere. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)+$/;

/**
 * Workloads with a JWT-SVID for your resource. The caller is known by its SPIFFE ID. Such a token has no scopes: give them
 * with `moreScopes`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [spiffe({ issuer: 'https://spire.example.org', trustDomain: 'example.org', workloads: ['/ns/jobs/*'] })]
 */
export function spiffe(given: SpiffeOptions): IssuerPreset {
  const options = parseOptions('spiffe', spiffeOptions, given);
  const { issuer, trustDomain, workloads, plainHttp } = options;
  const mayCall = (path: string) =>
    workloads.some((each) => (each.endsWith('/*') ? path.startsWith(each.slice(0, -1)) : path === each));
  return {
    issuer,
    plainHttp,
    ...givenParts(options),
    isAccessToken: ({ sub }) => {
      const start = `spiffe://${trustDomain}/`;
      if (typeof sub !== 'string' || !sub.startsWith(start)) return false;
      const path = sub.slice(start.length - 1);
      return PATH.test(path) && mayCall(path);
    },
    principal: (claims) => caller(claims, { subject: textIn(claims, 'sub'), scopes: [] }, options),
  };
}
