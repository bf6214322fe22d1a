/** A person with a browser that keeps cookies, who signs in as a test user. */
export class Person {
  readonly #cookies = new Map<string, string>();

  /**
   * @param user the subject to sign in as
   * @param fetch sends the requests of the browser
   */
  constructor(
    readonly user: string,
    private readonly fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
  ) {}

  /**
   * Opens the address that a client shows, chooses the user on the page, and follows the way back.
   *
   * @returns the address at which the client goes on
   */
  async signIn(url: URL | string): Promise<URL> {
    const { at, html } = await this.open(url);
    if (!html.includes('name="user"')) return at;
    const { at: done } = await this.open(at, new URLSearchParams({ user: this.user }));
    return done;
  }

  /** The cookies of this browser, as a request has them. */
  get cookies(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  /** Follows redirects until a page comes, or the way leaves the issuer. */
  async open(url: URL | string, form?: URLSearchParams): Promise<{ at: URL; html: string; status: number }> {
    let at = new URL(url);
    const { origin } = at;
    let body = form;
    for (;;) {
      const response = await this.fetch(at, {
        redirect: 'manual',
        headers: { cookie: this.cookies },
        ...(body && { method: 'POST', body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        this.#cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) return { at, html: await response.text(), status: response.status };
      await response.body?.cancel();
      body = undefined;
      at = new URL(location, at);
      if (at.origin !== origin) return { at, html: '', status: response.status };
    }
  }
}
