import * as v1 from '@modelcontextprotocol/sdk/shared/auth.js';
import { isSpecType } from '@modelcontextprotocol/client';
import { type AnswerKind, memberThatEnds } from '../src/doctor/answer-shapes.js';

const origin = 'https://login.example.com';
const issuer = {
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const openid = {
  ...issuer,
  jwks_uri: `${origin}/keys`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
};

/** Answers that both official clients take, with the schemas of these clients. */
const kinds: Record<
  AnswerKind,
  {
    good: object;
    v1: { shape: object; safeParse(value: unknown): { success: boolean } };
    v2: (value: unknown) => boolean;
  }
> = {
  resource: {
    good: { resource: 'https://mcp.example.com/mcp', authorization_servers: [origin] },
    v1: v1.OAuthProtectedResourceMetadataSchema,
    v2: isSpecType.OAuthProtectedResourceMetadata,
  },
  oauth: { good: issuer, v1: v1.OAuthMetadataSchema, v2: isSpecType.OAuthMetadata },
  openid: {
    good: openid,
    v1: v1.OpenIdProviderDiscoveryMetadataSchema,
    v2: isSpecType.OpenIdProviderDiscoveryMetadata,
  },
  registration: {
    good: { client_id: 'one', redirect_uris: ['http://127.0.0.1:9/callback'] },
    v1: v1.OAuthClientInformationFullSchema,
    v2: isSpecType.OAuthClientInformationFull,
  },
  tokens: {
    good: { access_token: 'token', token_type: 'Bearer' },
    v1: v1.OAuthTokensSchema,
    v2: isSpecType.OAuthTokens,
  },
};

const odd = [
  null,
  '',
  ' ',
  'text',
  '/relative',
  '//host/path',
  'https://',
  'javascript:alert(1)',
  'data:,x',
  'https://a.example',
  'com.example.app:/callback',
  'urn:a:b',
  5,
  '5',
  -1,
  1.5,
  true,
  false,
  {},
  [],
  ['code'],
  [5],
  [null],
  [''],
  ['https://a.example'],
  ['javascript:x'],
  [[]],
  '1e3',
  '3600 s',
  [3],
  { a: 1 },
];

describe.each(Object.entries(kinds))('an answer of the kind %s', (kind, { good, v1: schema, v2 }) => {
  const ends = (answer: object) => memberThatEnds(kind as AnswerKind, answer as never) !== undefined;
  const names = Object.keys(schema.shape).filter(
    (name) => name !== 'jwks' && !(kind !== 'oauth' && kind !== 'openid' && name === 'issuer'),
  );

  test('is taken as it is', () => expect(ends(good)).toBe(false));

  test('ends the sign-in where both official clients end it, whatever a member is', () => {
    const differences: unknown[] = [];
    for (const name of names)
      for (const value of [undefined, ...odd]) {
        const answer = JSON.parse(JSON.stringify({ ...good, [name]: value })) as object;
        const isRefused = [!schema.safeParse(answer).success, !v2(answer)];
        // Where one of them goes on, the doctor does.
        if (ends(answer) !== isRefused.every(Boolean)) differences.push({ name, value, isRefused });
      }
    expect(differences).toEqual([]);
  });

  test('ends it in the same places, whatever several members are', () => {
    const differences: unknown[] = [];
    const pick = picker(kind.length);
    for (let turn = 0; turn < 2_000; turn++) {
      const changed = Array.from({ length: 1 + pick(5) }, () => [names[pick(names.length)]!, valueOf(pick)]);
      const answer = JSON.parse(JSON.stringify({ ...good, ...Object.fromEntries(changed) })) as object;
      const isRefused = !schema.safeParse(answer).success && !v2(answer);
      if (ends(answer) !== isRefused) differences.push({ answer, isRefused });
    }
    expect(differences).toEqual([]);
  });

  test('what is no object ends it at both', () => {
    for (const answer of [null, [], [good], 'text', '', 5, true])
      expect([schema.safeParse(answer).success, v2(answer)]).toEqual([false, false]);
  });
});

/** Chooses numbers below another one. Each run chooses the same. */
function picker(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One of the odd values, a list of some, or none. */
function valueOf(pick: (below: number) => number): unknown {
  const one = () => odd[pick(odd.length)];
  const kinds = [one, one, () => [one(), one()], () => ({ a: one() }), () => undefined];
  return kinds[pick(kinds.length)]!();
}

test('no secret is shown', () => {
  const answer = { access_token: ['secret'], token_type: 'Bearer' };
  expect(memberThatEnds('tokens', answer)).toBe('access_token: a object');
});
