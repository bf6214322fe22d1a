import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { IssuerPreset, TokenClaims } from './issuer-preset.js';
import { caller, membersOf, textIn } from './claims.js';
import { fetchWithCa } from './fetch-with-ca.js';
import { givenParts, issuerOptions, type IssuerOptions, texts } from './issuer-options.js';

export interface KubernetesOptions extends IssuerOptions {
  /** The service accounts that may call, as `namespace:name`; `namespace:*` for all of a namespace. */
  readonly serviceAccounts: readonly string[];
  /** The issuer of the cluster. Default `https://kubernetes.default.svc.cluster.local`, the one of clusters of your own. */
  readonly issuer?: string;
  /**
   * Fetches the keys as a pod of the cluster: with its CA, and with its own token. Default: true without `issuer`. Managed
   * clusters publish their keys to everybody.
   */
  readonly inCluster?: boolean;
}

const { filledText, flag, required } = optionRules;

const kubernetesOptions = {
  ...issuerOptions,
  serviceAccounts: required(texts),
  issuer: filledText,
  inCluster: flag,
} satisfies OptionSchema<KubernetesOptions>;

const IN_CLUSTER = 'https://kubernetes.default.svc.cluster.local';
const OF_POD = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Pods with the token of their service account. A projected volume gives them one with your resource as its audience.
 * Such a token has no scopes: give them with `moreScopes`.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * issuers: [kubernetes({ serviceAccounts: ['jobs:nightly'], moreScopes: () => ['pages:read'] })]
 */
export function kubernetes(given: KubernetesOptions): IssuerPreset {
  const options = parseOptions('kubernetes', kubernetesOptions, given);
  const { issuer = IN_CLUSTER, inCluster = options.issuer === undefined, serviceAccounts } = options;
  return {
    issuer,
    ...(inCluster && {
      jwksUri: `${IN_CLUSTER}/openid/v1/jwks`,
      fetch: fetchWithCa({ caFile: `${OF_POD}/ca.crt`, tokenFile: `${OF_POD}/token` }),
    }),
    ...givenParts(options),
    isAccessToken: (claims) => {
      const account = serviceAccountOf(claims);
      return (
        account !== undefined &&
        [`${account.namespace}:${account.name}`, `${account.namespace}:*`].some((each) =>
          serviceAccounts.includes(each),
        )
      );
    },
    principal: (claims) => caller(claims, { subject: textIn(claims, 'sub'), scopes: [] }, options),
  };
}

/** The account, if the token names it twice, as Kubernetes does. */
function serviceAccountOf(claims: TokenClaims): { namespace: string; name: string } | undefined {
  const bound = membersOf(claims['kubernetes.io']);
  const namespace = textIn(bound, 'namespace');
  const name = textIn(membersOf(bound['serviceaccount']), 'name');
  if (namespace === undefined || name === undefined) return undefined;
  return claims['sub'] === `system:serviceaccount:${namespace}:${name}` ? { namespace, name } : undefined;
}
