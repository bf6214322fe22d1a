import { Person } from './person.js';

/** A person who lets a client in at an authorization proxy, and signs in at the issuer behind it. */
export class ProxyPerson extends Person {
  /** What the pages of consent said. */
  readonly pages: string[] = [];

  constructor(
    user: string,
    private readonly decision: 'allow' | 'deny' = 'allow',
    /** The same person, with the browser that finds the issuer. */
    private readonly upstream = new Person(user),
  ) {
    super(user);
  }

  override async signIn(url: URL | string): Promise<URL> {
    const { at: left, html } = await this.depart(url);
    if (html !== '' || this.decision === 'deny') return left;
    return (await this.open(await this.upstreamSignIn(left))).at;
  }

  /** Signs in at the issuer. @returns the address at which the proxy goes on */
  upstreamSignIn(url: URL): Promise<URL> {
    return this.upstream.signIn(url);
  }

  /** Answers the page of consent, and goes on to the issuer, or back to the client. */
  async depart(url: URL | string): Promise<{ at: URL; html: string; status: number }> {
    const shown = await this.open(url);
    const token = /name="token" value="([^"]+)"/.exec(shown.html)?.[1];
    if (token === undefined) return shown;
    this.pages.push(shown.html);
    return this.open(shown.at, new URLSearchParams({ token, decision: this.decision }));
  }
}
