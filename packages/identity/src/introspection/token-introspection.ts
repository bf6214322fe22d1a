import { isLoopback, isSecureUrl, readUrl } from '@toolwright/json';
import { createPrivateKey } from 'node:crypto';
import type { ConfigurationError } from '@toolwright/core';
import {
  type Duration,
  optionRules,
  type OptionSchema,
  parseOptions,
  wrongOption,
} from '@toolwright/core/options';
import type { JWK } from 'jose';
import type { TokenIntrospection } from '../issuers/issuer-preset.js';
import { introspectAt } from './introspect-at.js';
import { Introspector } from './introspector.js';

export interface TokenIntrospectionOptions {
  /** The client that this server is for the issuer. An issuer answers only clients that it knows. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client shows its secret. Default `post`. */
  readonly clientAuth?: 'basic' | 'post';
  /** The private key of the client in place of a secret (`private_key_jwt`): a JWK with `alg`, and with `kid` if it has several. */
  readonly privateKey?: JWK;
  /** The URL that is asked. Default: `introspection_endpoint` in the metadata of the issuer. */
  readonly endpoint?: string;
  /**
   * True for tokens that may be of this issuer, such as those with its prefix. No other token is sent to it. Needed where
   * several issuers have opaque tokens. Default: all tokens that are not JWTs.
   */
  readonly isOwn?: (token: string) => boolean;
  /**
   * How long a token that is active is not asked about again. A revoked one works for so long at most.
   * Default 30 seconds. 0: not at all.
   */
  readonly remember?: Duration;
  /** The same for a token that is not active. Default 5 seconds. 0: not at all. */
  readonly rememberRefused?: Duration;
  /** How many active tokens are remembered, and how many others. Default 1,000 of each. */
  readonly rememberedTokens?: number;
  /** How many tokens are asked about at the same time. For further ones the answer is 503. Default 32. */
  readonly atOnce?: number;
  /** How long the issuer may take. Default 5 seconds. More than 0, at most a day. */
  readonly timeout?: Duration;
}

const {
  anyObject,
  callback,
  durationFromZero,
  filledText,
  driverTimeout,
  oneOf,
  positiveCount,
  required,
  secret,
} = optionRules;

const introspectionOptions = {
  clientId: required(filledText),
  clientSecret: secret(filledText),
  clientAuth: { ...oneOf('basic', 'post'), default: 'post' },
  privateKey: secret(anyObject),
  endpoint: filledText,
  isOwn: callback,
  remember: { ...durationFromZero, default: '30s' },
  rememberRefused: { ...durationFromZero, default: '5s' },
  rememberedTokens: { ...positiveCount, default: 1_000 },
  atOnce: { ...positiveCount, default: 32 },
  timeout: { ...driverTimeout, default: '5s' },
} satisfies OptionSchema<TokenIntrospectionOptions>;

/**
 * Asks an issuer about tokens that are opaque to others (RFC 7662). What it answers is remembered for a short time, and many requests
 * with one token are one question. A token must then pass the same checks as a JWT: issuer, audience, times, kind, subject.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type, and for a client that cannot prove
 *   who it is
 * @example
 * issuers: [{ issuer: 'https://login.example.com', introspection: tokenIntrospection({ clientId: 'mcp', clientSecret }) }]
 */
export function tokenIntrospection(given: TokenIntrospectionOptions): TokenIntrospection {
  const options = parseOptions('tokenIntrospection', introspectionOptions, given);
  const { clientId, clientSecret, clientAuth, endpoint, isOwn, rememberedTokens, atOnce } = options;
  const privateKey = options.privateKey as JWK | undefined;
  if ((clientSecret === undefined) === (privateKey === undefined))
    throw problem(
      clientSecret === undefined
        ? 'the client has neither a secret nor a private key.'
        : 'the client has a secret and a private key.',
      'Set one of "clientSecret" and "privateKey": an issuer answers only clients that it knows.',
    );
  if (privateKey) requirePrivateKey(privateKey);
  const limits = {
    rememberedTokens,
    atOnce,
    rememberMs: options.remember,
    rememberRefusedMs: options.rememberRefused,
  };
  return {
    ...(isOwn && { isOwn }),
    open({ issuer, fetch, plainHttp = false }, clock) {
      if (endpoint !== undefined && !isSecureUrl(endpoint, plainHttp))
        throw problem(
          `the endpoint ${JSON.stringify(endpoint)} is no https URL.`,
          'Write the URL of the introspection endpoint. Plain http is accepted on this machine, and for an issuer with plainHttp.',
        );
      const connection = {
        issuer,
        fetch,
        timeoutMs: options.timeout,
        client: { clientId, clientSecret, clientAuth: clientAuth as 'basic' | 'post', privateKey },
        plainHttp: plainHttp || isLocal(issuer),
        ...(endpoint !== undefined && { metadata: { introspection_endpoint: endpoint } }),
      };
      const introspector = new Introspector(introspectAt(connection), limits, clock);
      return (token) => introspector.ask(token);
    },
  };
}

function problem(message: string, fix: string): ConfigurationError {
  return wrongOption(`tokenIntrospection: ${message}`, fix);
}

/** @throws {ConfigurationError} which tells nothing of the key */
function requirePrivateKey(key: JWK): void {
  try {
    createPrivateKey({ key: key as never, format: 'jwk' });
    if (typeof key.alg === 'string') return;
  } catch {
    // The error of the library may show parts of the key.
  }
  throw problem(
    '"privateKey" is no private key in the form of a JWK, or has no "alg".',
    'Pass the private JWK of the client, such as { kty: "EC", crv: "P-256", x, y, d, alg: "ES256", kid }.',
  );
}

function isLocal(text: string): boolean {
  const url = readUrl(text);
  return url !== undefined && isLoopback(url);
}
