import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';

export type Page = (res: ServerResponse) => void;

export const json =
  (value: unknown): Page =>
  (res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify(value));
export const html: Page = (res) =>
  res.setHeader('content-type', 'text/html').end('<html><body>Sign in</body></html>');
export const redirect: Page = (res) => res.writeHead(302, { location: '/login' }).end();
export const status =
  (code: number): Page =>
  (res) =>
    res.writeHead(code).end();
/** The connection breaks before there is an answer. */
export const broken: Page = (res) => void res.destroy();

interface SigningKey {
  kid: string | undefined;
  privateKey: jose.CryptoKey;
  jwk: jose.JWK;
}

/** An authorization server on loopback that publishes keys and signs what it is told. */
export class LocalIssuer {
  readonly pages = new Map<string, Page>();
  /** Paths that were asked for, in order. */
  readonly asked: string[] = [];
  /** Answers every request instead of the pages. */
  outage: Page | undefined;
  /** Further members of the keys that are made from now on. */
  keyMembers: Record<string, unknown> = {};
  #keys: SigningKey[] = [];

  private constructor(
    private readonly server: Server,
    readonly origin: string,
    /** As tokens carry it. */
    readonly issuer: string,
  ) {}

  /** @param path of the issuer identifier, such as `/realms/shop` */
  static async start(path = ''): Promise<LocalIssuer> {
    const server = createServer((req, res) => issuer.#answer(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer: LocalIssuer = new LocalIssuer(server, origin, `${origin}${path}`);
    await issuer.rotate('first');
    return issuer;
  }

  /** Replaces all keys by a new one. */
  async rotate(kid: string | undefined): Promise<void> {
    this.#keys = [];
    await this.addKey(kid);
  }

  async addKey(kid: string | undefined): Promise<void> {
    const { privateKey, publicKey } = await jose.generateKeyPair('ES256');
    const jwk = {
      ...(await jose.exportJWK(publicKey)),
      alg: 'ES256',
      ...this.keyMembers,
      ...(kid !== undefined && { kid }),
    };
    this.#keys.push({ kid, privateKey: privateKey as jose.CryptoKey, jwk });
  }

  get metadata() {
    return { issuer: this.issuer, jwks_uri: `${this.origin}/jwks` };
  }

  get fetches(): number {
    return this.asked.filter((path) => path === '/jwks').length;
  }

  /** A token of the newest key; claims and header members that are undefined are left out. */
  async token(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const { kid, privateKey } = this.#keys.at(-1)!;
    const exp = Math.floor(Date.now() / 1000) + 60;
    const payload = JSON.parse(JSON.stringify({ iss: this.issuer, sub: 'ann', exp, ...claims }));
    const members = JSON.parse(JSON.stringify({ alg: 'ES256', typ: 'JWT', kid, ...header }));
    return new jose.SignJWT(payload).setProtectedHeader(members).sign(privateKey);
  }

  /** A token whose payload is this text, for what no JSON writer would write. */
  async sign(payload: string): Promise<string> {
    const { kid, privateKey } = this.#keys.at(-1)!;
    const header = { alg: 'ES256', typ: 'JWT', ...(kid !== undefined && { kid }) };
    return new jose.CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(privateKey);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    const path = req.url!;
    this.asked.push(path);
    const page = this.outage ?? this.pages.get(path) ?? (path === '/jwks' ? this.#jwks() : status(404));
    page(res);
  }

  #jwks(): Page {
    return json({ keys: this.#keys.map(({ jwk }) => jwk) });
  }
}
