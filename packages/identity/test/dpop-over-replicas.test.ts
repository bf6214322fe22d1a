import { redisStores } from '@toolwright/redis';
import { LocalIssuer } from '../../http/test/support/local-issuer.js';
import { describeWithRedis } from '../../redis/test/support/redis-server.js';
import { dpopProofs } from '../src/index.js';
import { type BoundServer, startBoundServer } from './support/bound-server.js';
import { ProofKey, RESOURCE } from './support/proof-of-key.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

describeWithRedis('two replicas on one Redis', (redis) => {
  let issuer: LocalIssuer;
  let key: ProofKey;
  let token: string;
  const replicas: BoundServer[] = [];

  beforeAll(async () => {
    [issuer, key] = await Promise.all([LocalIssuer.start(), ProofKey.make()]);
    token = await issuer.token({ aud: RESOURCE, cnf: key.cnf });
    for (const nonce of [false, false, true, true]) {
      const options = { stores: redisStores({ url: redis.url, timeout: '1m' }), secrets };
      replicas.push(await startBoundServer(issuer, { proofs: [dpopProofs({ nonce })] }, options));
    }
  });
  afterAll(async () => {
    await Promise.all(replicas.map((each) => each.close()));
    await issuer.close();
  });

  const ask = (at: number, proof: string) =>
    replicas[at]!.ask({ authorization: `DPoP ${token}`, dpop: proof });

  test('a proof that one has taken is refused by the other', async () => {
    const proof = await key.proof(token);
    expect((await ask(0, proof)).status).toBe(200);
    expect((await ask(1, proof)).status).toBe(401);
    expect(replicas[1]!.reason()).toBe('replay');
  });

  test('a nonce of one is known to the other', async () => {
    const nonce = (await ask(2, await key.proof(token))).headers.get('dpop-nonce')!;
    expect((await ask(3, await key.proof(token, { claims: { nonce } }))).status).toBe(200);
  });
});
