/** The steps of a sign-in, in their order. */
export const signInSteps = [
  'endpoint',
  'metadata',
  'discovery',
  'registration',
  'authorize',
  'token',
  'call',
] as const;

export type SignInStep = (typeof signInSteps)[number];

/**
 * Who can repair it: who runs the MCP server, who runs the issuer, who runs what is between (a proxy, a CDN, a
 * firewall), who has the clock that is wrong, the person who signs in, or who made the client.
 */
export type ResponsibleParty = 'server' | 'issuer' | 'between' | 'clock' | 'person' | 'client';

interface KnownProblem {
  readonly step: SignInStep;
  readonly responsible: ResponsibleParty;
  /** What to do about it. */
  readonly advice: string;
}

/**
 * Everything that can go wrong and that the doctor can tell from the rest: the step that fails, who can repair it, and what
 * to do about it. The page docs/sign-in-problems.md has a section for each step.
 */
const adviceOf = {
  endpoint: {
    server: {
      'endpoint-unreachable':
        'Start the server, and check the host, the port and the certificate of the address.',
      'endpoint-unknown':
        'Correct the path: servers of Toolwright answer at /mcp unless it was changed. If it is right, look what answers in place of the server, such as a proxy with a page of its own.',
      'endpoint-refused':
        'Read what the server said: it refuses this caller, the address of this machine or this request. Who runs it can let you in.',
      'endpoint-failed':
        'Read the log of the server at this time: it runs, and could not answer the first request of a client.',
      'endpoint-busy':
        'Wait as long as Retry-After says, or a minute, and try again. If it stays so, let the server take more requests.',
      'host-refused': 'Name the host of this address in allowedHosts of the server.',
      'challenge-missing':
        'Answer 401 with WWW-Authenticate: Bearer resource_metadata="…", and serve the metadata. oauthResourceServer does both.',
    },
    client: {
      'challenge-other':
        'A sign-in gives tokens of OAuth only. Pass what the server wants to list, call and read: --header "Authorization: Basic …", with name:password in base64. Clients have a setting for headers.',
    },
    between: {
      'endpoint-blocked':
        'Let requests of programs through to this path: no challenge page, no filter of bots, no redirect, no buffer for streams of events.',
    },
  },
  metadata: {
    server: {
      'metadata-relative':
        'Give resource_metadata in WWW-Authenticate an absolute URL. Clients do not resolve a relative one.',
      'metadata-unreachable':
        'Serve the metadata at the address that the challenge names. In Express: app.use(oauth.metadata).',
      'metadata-invalid': 'Serve a JSON object with resource and authorization_servers (RFC 9728).',
      'resource-wrong':
        'Set resource of oauthResourceServer to the address that clients use. Behind a proxy that is the public one.',
      'issuer-unnamed': 'Name the issuer in issuers of oauthResourceServer.',
    },
    between: {
      'metadata-blocked': 'Let /.well-known/ through to the server, for programs as well as for browsers.',
    },
  },
  discovery: {
    issuer: {
      'issuer-unreachable':
        'Check the address of the issuer in the metadata of the server, and that the issuer runs.',
      'issuer-without-metadata':
        'Name the issuer exactly as its own metadata does, or use one that publishes metadata (RFC 8414 or OpenID).',
      'issuer-incomplete':
        'Let the metadata of the issuer name its authorization_endpoint and its token_endpoint.',
      'issuer-invalid':
        'Correct this member in the metadata of the issuer, or leave it out. Clients take neither null nor an empty address.',
      'pkce-unsupported':
        'Turn PKCE with S256 on, and let the metadata say so in code_challenge_methods_supported. Clients refuse without it.',
    },
    between: {
      'issuer-blocked':
        'Let programs read the metadata of the issuer: its CDN or firewall answers in its place.',
    },
    server: {
      'issuer-differs':
        'Write the issuer in issuers of oauthResourceServer exactly as its metadata says, a slash at the end included.',
    },
  },
  registration: {
    issuer: {
      'registration-missing':
        'Use a client metadata document if the issuer takes one, else a client that is registered beforehand (--client-id), else a proxy that registers clients.',
      'registration-closed':
        'Allow anonymous registration at the issuer, or register a client beforehand and pass its id.',
      'registration-redirect':
        'Allow redirects to http://127.0.0.1 at the issuer: every client on a computer has one (RFC 8252, section 7.3).',
      'registration-refused':
        'Read the policies for registration at the issuer. It says what it does not accept.',
      'registration-invalid':
        'Let the issuer answer as RFC 7591 says, with redirect_uris, and leave out what it does not know. Clients do not take null.',
    },
    between: {
      'registration-blocked': 'Let programs reach the registration endpoint of the issuer.',
    },
  },
  authorize: {
    issuer: {
      'redirect-unregistered':
        'Add the redirect address to the client at the issuer, letter by letter. The port of a loopback address may differ.',
      'resource-refused':
        'Register the resource at the issuer. Entra ID takes none beside its scopes (AADSTS9010010): use a proxy that leaves it out.',
      'authorize-refused': 'Read the log of the issuer at this time: it refused the request for a code.',
      'answer-foreign':
        'The answer is not for this request. Check what rewrites redirects, and the iss of the issuer (RFC 9207).',
    },
    client: {
      'client-unknown': 'Use a client id that this issuer knows, and the one of the right tenant or realm.',
    },
    server: {
      'scope-refused':
        'Name only scopes in scopesSupported that the issuer knows and that it allows this client.',
    },
    person: {
      'person-refused': 'Sign in again and consent, or let an administrator consent for all.',
    },
  },
  token: {
    issuer: {
      'code-refused':
        'Codes are used once and live a minute. Check replicas of the issuer that do not share their state, and its clock.',
      'client-refused':
        'Register the client as a public one (token_endpoint_auth_method none), or pass its secret.',
      'token-resource-refused':
        'Register the resource at the issuer. Entra ID takes none beside its scopes (AADSTS9010010): use a proxy that leaves it out.',
      'token-invalid':
        'Let the issuer answer as RFC 6749 says, and leave out what it does not know. Clients do not take null.',
      'token-refused': 'Read the log of the issuer at this time: it refused the request for a token.',
    },
    between: {
      'token-blocked': 'Let programs reach the token endpoint of the issuer.',
    },
  },
  call: {
    between: {
      'token-not-seen': 'Pass the header Authorization on: a proxy or a gateway between drops it.',
      'call-blocked': 'Let requests with a token through to the server.',
    },
    issuer: {
      'token-opaque':
        'Let the issuer send JWTs for this resource: some do only if an audience or a resource is asked for. Or set introspection of this issuer in oauthResourceServer.',
      'token-inactive':
        'Sign in again. If the token ends again at once, look whether replicas of the issuer share what they know of tokens.',
      'token-key':
        'Let the issuer publish the key that it signs with before it uses it, and let the server reach the keys.',
      'token-signature': 'Check that the keys and the token are of the same issuer, tenant or realm.',
      'token-kind':
        'Let the issuer send a plain access token: this one is an ID token, or is bound to a key.',
      'token-claim': 'Let the issuer write the claim that the server needs, such as sub or the tenant.',
    },
    server: {
      'token-audience':
        'Set audience of oauthResourceServer to the aud that the issuer writes, or let the issuer write the resource.',
      'token-issuer':
        'Name the iss of the token in issuers of oauthResourceServer. Versions of one issuer may have two.',
      'scope-missing':
        'Name the scope in scopesSupported, so that clients ask for it, and allow it for this person at the issuer.',
      'keys-unreachable':
        'Let the server reach the keys of the issuer (jwks_uri), or name them with jwksUri.',
      'call-refused': 'Read the log of the server at this time: it accepted the token and refused the call.',
    },
    clock: {
      'token-clock': 'Set the clock that is wrong by NTP. clockTolerance bridges a few seconds.',
    },
  },
} as const satisfies Record<SignInStep, Partial<Record<ResponsibleParty, Readonly<Record<string, string>>>>>;

type ValueOf<T> = T extends T ? T[keyof T] : never;
type KeyOf<T> = T extends T ? keyof T : never;

export type SignInProblemCode = KeyOf<ValueOf<ValueOf<typeof adviceOf>>>;

export const signInProblems = Object.fromEntries(
  Object.entries(adviceOf).flatMap(([step, parties]) =>
    Object.entries(parties).flatMap(([responsible, codes]) =>
      Object.entries(codes).map(([code, advice]) => [code, { step, responsible, advice }]),
    ),
  ),
) as Readonly<Record<SignInProblemCode, KnownProblem>>;

/** A step failed. The message says what happened. */
export class SignInProblem extends Error {
  constructor(
    readonly code: SignInProblemCode,
    problem: string,
  ) {
    super(problem);
  }

  get step(): SignInStep {
    return signInProblems[this.code].step;
  }

  get responsible(): ResponsibleParty {
    return signInProblems[this.code].responsible;
  }

  get advice(): string {
    return signInProblems[this.code].advice;
  }
}
