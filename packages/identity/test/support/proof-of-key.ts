import { hash, randomUUID } from 'node:crypto';
import * as jose from 'jose';

/** The endpoint as clients reach it. */
export const RESOURCE = 'https://api.example.com/mcp';

/** What a test changes in a proof. A member that is undefined is left out. */
export interface ProofChanges {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Signs the proof in place of the own key. */
  readonly signer?: jose.CryptoKey | Uint8Array;
}

/** A key of a client, and what the client signs with it. */
export class ProofKey {
  private constructor(
    readonly privateKey: jose.CryptoKey,
    readonly publicJwk: jose.JWK,
    readonly privateJwk: jose.JWK,
    /** `cnf` of tokens that are bound to this key. */
    readonly cnf: { readonly jkt: string },
  ) {}

  static async make(): Promise<ProofKey> {
    const { privateKey, publicKey } = await jose.generateKeyPair('ES256', { extractable: true });
    const publicJwk = await jose.exportJWK(publicKey);
    const jkt = await jose.calculateJwkThumbprint(publicJwk);
    return new ProofKey(privateKey, publicJwk, await jose.exportJWK(privateKey), { jkt });
  }

  /** A proof for a POST to the endpoint with this token. */
  proof(
    token: string,
    { claims = {}, header = {}, signer = this.privateKey }: ProofChanges = {},
  ): Promise<string> {
    const payload = {
      jti: randomUUID(),
      htm: 'POST',
      htu: RESOURCE,
      iat: Math.floor(Date.now() / 1000),
      ath: hash('sha256', token, 'base64url'),
      ...claims,
    };
    const members = { typ: 'dpop+jwt', alg: 'ES256', jwk: this.publicJwk, ...header };
    return new jose.SignJWT(JSON.parse(JSON.stringify(payload)) as jose.JWTPayload)
      .setProtectedHeader(JSON.parse(JSON.stringify(members)) as jose.JWTHeaderParameters)
      .sign(signer);
  }
}
