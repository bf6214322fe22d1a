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

/** Everything that can go wrong and that the doctor can tell from the rest. The page docs/sign-in-problems.md has a section for each step. */
export const signInProblems = {
  'endpoint-unreachable': {
    step: 'endpoint',
    responsible: 'server',
    advice: 'Start the server, and check the host, the port and the certificate of the address.',
  },
  'endpoint-unknown': {
    step: 'endpoint',
    responsible: 'server',
    advice: 'Correct the path. Servers of Toolwright answer at /mcp unless it was changed.',
  },
  'endpoint-blocked': {
    step: 'endpoint',
    responsible: 'between',
    advice:
      'Let requests of programs through to this path: no challenge page, no filter of bots, no redirect.',
  },
  'host-refused': {
    step: 'endpoint',
    responsible: 'server',
    advice: 'Name the host of this address in allowedHosts of the server.',
  },
  'challenge-missing': {
    step: 'endpoint',
    responsible: 'server',
    advice:
      'Answer 401 with WWW-Authenticate: Bearer resource_metadata="…", and serve the metadata. oauthResourceServer does both.',
  },
  'metadata-relative': {
    step: 'metadata',
    responsible: 'server',
    advice:
      'Give resource_metadata in WWW-Authenticate an absolute URL. Clients do not resolve a relative one.',
  },
  'metadata-unreachable': {
    step: 'metadata',
    responsible: 'server',
    advice:
      'Serve the metadata at the address that the challenge names. In Express: app.use(oauth.metadata).',
  },
  'metadata-blocked': {
    step: 'metadata',
    responsible: 'between',
    advice: 'Let /.well-known/ through to the server, for programs as well as for browsers.',
  },
  'metadata-invalid': {
    step: 'metadata',
    responsible: 'server',
    advice: 'Serve a JSON object with resource and authorization_servers (RFC 9728).',
  },
  'resource-wrong': {
    step: 'metadata',
    responsible: 'server',
    advice:
      'Set resource of oauthResourceServer to the address that clients use. Behind a proxy that is the public one.',
  },
  'issuer-unnamed': {
    step: 'metadata',
    responsible: 'server',
    advice: 'Name the issuer in issuers of oauthResourceServer.',
  },
  'issuer-unreachable': {
    step: 'discovery',
    responsible: 'issuer',
    advice: 'Check the address of the issuer in the metadata of the server, and that the issuer runs.',
  },
  'issuer-blocked': {
    step: 'discovery',
    responsible: 'between',
    advice: 'Let programs read the metadata of the issuer: its CDN or firewall answers in its place.',
  },
  'issuer-without-metadata': {
    step: 'discovery',
    responsible: 'issuer',
    advice:
      'Name the issuer exactly as its own metadata does, or use one that publishes metadata (RFC 8414 or OpenID).',
  },
  'issuer-differs': {
    step: 'discovery',
    responsible: 'server',
    advice:
      'Write the issuer in issuers of oauthResourceServer exactly as its metadata says, a slash at the end included.',
  },
  'issuer-incomplete': {
    step: 'discovery',
    responsible: 'issuer',
    advice: 'Let the metadata of the issuer name its authorization_endpoint and its token_endpoint.',
  },
  'issuer-invalid': {
    step: 'discovery',
    responsible: 'issuer',
    advice:
      'Correct this member in the metadata of the issuer, or leave it out. Clients take neither null nor an empty address.',
  },
  'pkce-unsupported': {
    step: 'discovery',
    responsible: 'issuer',
    advice:
      'Turn PKCE with S256 on, and let the metadata say so in code_challenge_methods_supported. Clients refuse without it.',
  },
  'registration-missing': {
    step: 'registration',
    responsible: 'issuer',
    advice:
      'Use a client metadata document if the issuer takes one, else a client that is registered beforehand (--client-id), else a proxy that registers clients.',
  },
  'registration-closed': {
    step: 'registration',
    responsible: 'issuer',
    advice: 'Allow anonymous registration at the issuer, or register a client beforehand and pass its id.',
  },
  'registration-redirect': {
    step: 'registration',
    responsible: 'issuer',
    advice:
      'Allow redirects to http://127.0.0.1 at the issuer: every client on a computer has one (RFC 8252, section 7.3).',
  },
  'registration-refused': {
    step: 'registration',
    responsible: 'issuer',
    advice: 'Read the policies for registration at the issuer. It says what it does not accept.',
  },
  'registration-invalid': {
    step: 'registration',
    responsible: 'issuer',
    advice:
      'Let the issuer answer as RFC 7591 says, with redirect_uris, and leave out what it does not know. Clients do not take null.',
  },
  'registration-blocked': {
    step: 'registration',
    responsible: 'between',
    advice: 'Let programs reach the registration endpoint of the issuer.',
  },
  'redirect-unregistered': {
    step: 'authorize',
    responsible: 'issuer',
    advice:
      'Add the redirect address to the client at the issuer, letter by letter. The port of a loopback address may differ.',
  },
  'client-unknown': {
    step: 'authorize',
    responsible: 'client',
    advice: 'Use a client id that this issuer knows, and the one of the right tenant or realm.',
  },
  'scope-refused': {
    step: 'authorize',
    responsible: 'server',
    advice: 'Name only scopes in scopesSupported that the issuer knows and that it allows this client.',
  },
  'resource-refused': {
    step: 'authorize',
    responsible: 'issuer',
    advice:
      'Register the resource at the issuer. Entra ID takes none beside its scopes (AADSTS9010010): use a proxy that leaves it out.',
  },
  'person-refused': {
    step: 'authorize',
    responsible: 'person',
    advice: 'Sign in again and consent, or let an administrator consent for all.',
  },
  'authorize-refused': {
    step: 'authorize',
    responsible: 'issuer',
    advice: 'Read the log of the issuer at this time: it refused the request for a code.',
  },
  'answer-foreign': {
    step: 'authorize',
    responsible: 'issuer',
    advice:
      'The answer is not for this request. Check what rewrites redirects, and the iss of the issuer (RFC 9207).',
  },
  'code-refused': {
    step: 'token',
    responsible: 'issuer',
    advice:
      'Codes are used once and live a minute. Check replicas of the issuer that do not share their state, and its clock.',
  },
  'client-refused': {
    step: 'token',
    responsible: 'issuer',
    advice: 'Register the client as a public one (token_endpoint_auth_method none), or pass its secret.',
  },
  'token-resource-refused': {
    step: 'token',
    responsible: 'issuer',
    advice:
      'Register the resource at the issuer. Entra ID takes none beside its scopes (AADSTS9010010): use a proxy that leaves it out.',
  },
  'token-blocked': {
    step: 'token',
    responsible: 'between',
    advice: 'Let programs reach the token endpoint of the issuer.',
  },
  'token-invalid': {
    step: 'token',
    responsible: 'issuer',
    advice:
      'Let the issuer answer as RFC 6749 says, and leave out what it does not know. Clients do not take null.',
  },
  'token-refused': {
    step: 'token',
    responsible: 'issuer',
    advice: 'Read the log of the issuer at this time: it refused the request for a token.',
  },
  'token-not-seen': {
    step: 'call',
    responsible: 'between',
    advice: 'Pass the header Authorization on: a proxy or a gateway between drops it.',
  },
  'token-opaque': {
    step: 'call',
    responsible: 'issuer',
    advice:
      'Let the issuer send JWTs for this resource: some do only if an audience or a resource is asked for. Or set introspection of this issuer in oauthResourceServer.',
  },
  'token-audience': {
    step: 'call',
    responsible: 'server',
    advice:
      'Set audience of oauthResourceServer to the aud that the issuer writes, or let the issuer write the resource.',
  },
  'token-issuer': {
    step: 'call',
    responsible: 'server',
    advice:
      'Name the iss of the token in issuers of oauthResourceServer. Versions of one issuer may have two.',
  },
  'token-clock': {
    step: 'call',
    responsible: 'clock',
    advice: 'Set the clock that is wrong by NTP. clockTolerance bridges a few seconds.',
  },
  'token-inactive': {
    step: 'call',
    responsible: 'issuer',
    advice:
      'Sign in again. If the token ends again at once, look whether replicas of the issuer share what they know of tokens.',
  },
  'token-key': {
    step: 'call',
    responsible: 'issuer',
    advice:
      'Let the issuer publish the key that it signs with before it uses it, and let the server reach the keys.',
  },
  'token-signature': {
    step: 'call',
    responsible: 'issuer',
    advice: 'Check that the keys and the token are of the same issuer, tenant or realm.',
  },
  'token-kind': {
    step: 'call',
    responsible: 'issuer',
    advice: 'Let the issuer send a plain access token: this one is an ID token, or is bound to a key.',
  },
  'token-claim': {
    step: 'call',
    responsible: 'issuer',
    advice: 'Let the issuer write the claim that the server needs, such as sub or the tenant.',
  },
  'scope-missing': {
    step: 'call',
    responsible: 'server',
    advice:
      'Name the scope in scopesSupported, so that clients ask for it, and allow it for this person at the issuer.',
  },
  'keys-unreachable': {
    step: 'call',
    responsible: 'server',
    advice: 'Let the server reach the keys of the issuer (jwks_uri), or name them with jwksUri.',
  },
  'call-refused': {
    step: 'call',
    responsible: 'server',
    advice: 'Read the log of the server at this time: it accepted the token and refused the call.',
  },
  'call-blocked': {
    step: 'call',
    responsible: 'between',
    advice: 'Let requests with a token through to the server.',
  },
} satisfies Record<string, KnownProblem>;

export type SignInProblemCode = keyof typeof signInProblems;

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
