import { cutText, readUrl } from '@toolwright/json';

type Answer = Readonly<Record<string, unknown>>;
type IsFit = (value: unknown) => boolean;

const isText: IsFit = (value) => typeof value === 'string';
const isFlag: IsFit = (value) => typeof value === 'boolean';
const isNumber: IsFit = (value) => typeof value === 'number' && Number.isFinite(value);
const isListOf =
  (isFit: IsFit): IsFit =>
  (value) =>
    Array.isArray(value) && value.every(isFit);
const isTexts = isListOf(isText);
const isUrl: IsFit = (value) => isText(value) && readUrl(value as string) !== undefined;
const isSafeUrl: IsFit = (value) =>
  isUrl(value) && !/^(?:javascript|data|vbscript):$/.test(new URL(value as string).protocol);
const isSafeUrlOrEmpty: IsFit = (value) => value === '' || isSafeUrl(value);
/** Official clients make a number of what they find. */
const isLikeNumber: IsFit = (value) => Number.isFinite(Number(value));

interface Shape {
  readonly needed: Readonly<Record<string, IsFit>>;
  /** A member that is `null` is there, and clients do not take it. */
  readonly optional: Readonly<Record<string, IsFit>>;
}

const all = (names: string, isFit: IsFit): Record<string, IsFit> =>
  Object.fromEntries(names.split(' ').map((name) => [name, isFit]));

const ofBoth = {
  ...all('scopes_supported response_modes_supported grant_types_supported', isTexts),
  ...all('token_endpoint_auth_methods_supported token_endpoint_auth_signing_alg_values_supported', isTexts),
  ...all('code_challenge_methods_supported', isTexts),
  ...all('registration_endpoint', isSafeUrl),
  ...all('client_id_metadata_document_supported', isFlag),
};

const ofEveryIssuer = {
  ...all('issuer', isText),
  ...all('authorization_endpoint token_endpoint', isSafeUrl),
  ...all('response_types_supported', isTexts),
};

/** What both official clients demand of an answer. They end a sign-in at a member of another shape. */
const shapes = {
  /** RFC 9728. */
  resource: {
    needed: { resource: isUrl },
    optional: {
      ...all('authorization_servers', isListOf(isSafeUrl)),
      ...all('jwks_uri resource_policy_uri resource_tos_uri', isUrl),
      ...all('scopes_supported bearer_methods_supported resource_signing_alg_values_supported', isTexts),
      ...all('authorization_details_types_supported dpop_signing_alg_values_supported', isTexts),
      ...all('resource_name resource_documentation', isText),
      ...all('tls_client_certificate_bound_access_tokens dpop_bound_access_tokens_required', isFlag),
    },
  },
  /** RFC 8414. */
  oauth: {
    needed: ofEveryIssuer,
    optional: {
      ...ofBoth,
      ...all('service_documentation revocation_endpoint', isSafeUrl),
      ...all('introspection_endpoint', isText),
      ...all('revocation_endpoint_auth_methods_supported', isTexts),
      ...all('revocation_endpoint_auth_signing_alg_values_supported', isTexts),
      ...all('introspection_endpoint_auth_methods_supported', isTexts),
      ...all('introspection_endpoint_auth_signing_alg_values_supported', isTexts),
    },
  },
  /** OpenID Connect Discovery. */
  openid: {
    needed: {
      ...ofEveryIssuer,
      ...all('jwks_uri', isSafeUrl),
      ...all('subject_types_supported id_token_signing_alg_values_supported', isTexts),
    },
    optional: {
      ...ofBoth,
      ...all('userinfo_endpoint op_policy_uri op_tos_uri', isSafeUrl),
      ...all('service_documentation', isText),
      ...all('acr_values_supported display_values_supported claim_types_supported', isTexts),
      ...all('claims_supported claims_locales_supported ui_locales_supported', isTexts),
      ...all('id_token_encryption_alg_values_supported id_token_encryption_enc_values_supported', isTexts),
      ...all('userinfo_signing_alg_values_supported userinfo_encryption_alg_values_supported', isTexts),
      ...all('userinfo_encryption_enc_values_supported', isTexts),
      ...all('request_object_signing_alg_values_supported', isTexts),
      ...all('request_object_encryption_alg_values_supported', isTexts),
      ...all('request_object_encryption_enc_values_supported', isTexts),
      ...all('claims_parameter_supported request_parameter_supported', isFlag),
      ...all('request_uri_parameter_supported require_request_uri_registration', isFlag),
    },
  },
  /** RFC 7591. */
  registration: {
    needed: { client_id: isText, redirect_uris: isListOf(isSafeUrl) },
    optional: {
      ...all('client_secret token_endpoint_auth_method client_name scope policy_uri', isText),
      ...all('software_id software_version software_statement', isText),
      ...all('grant_types response_types contacts', isTexts),
      ...all('client_uri jwks_uri', isSafeUrl),
      ...all('logo_uri tos_uri', isSafeUrlOrEmpty),
      ...all('client_id_issued_at client_secret_expires_at', isNumber),
    },
  },
  /** RFC 6749, section 5.1. */
  tokens: {
    needed: all('access_token token_type', isText),
    optional: { ...all('id_token scope refresh_token', isText), expires_in: isLikeNumber },
  },
} satisfies Record<string, Shape>;

export type AnswerKind = keyof typeof shapes;

/** The first member at which both official clients end the sign-in, with what it is. `undefined`: there is none. */
export function memberThatEnds(kind: AnswerKind, answer: Answer): string | undefined {
  const { needed, optional }: Shape = shapes[kind];
  for (const [name, isFit] of Object.entries(needed))
    if (!isFit(answer[name]))
      return answer[name] === undefined ? `${name}, which is missing` : shown(name, answer);
  const wrong = Object.entries(optional).find(
    ([name, isFit]) => answer[name] !== undefined && !isFit(answer[name]),
  );
  return wrong && shown(wrong[0], answer);
}

/** Values of these members are secrets, so only their kind is said. */
const SECRET = /token$|secret$/;

function shown(name: string, answer: Answer): string {
  const value = answer[name];
  const said = SECRET.test(name) ? `a ${value === null ? 'null' : typeof value}` : JSON.stringify(value);
  return `${name}: ${cutText(said, 80, '…')}`;
}
