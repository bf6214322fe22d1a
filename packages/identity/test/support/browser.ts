/** What a browser shows. */
export interface Shown {
  readonly at: URL;
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** A browser without scripts: it keeps cookies by origin and path, and follows redirects. */
export class Browser {
  readonly cookies = new Map<string, Map<string, Cookie>>();

  async open(
    url: URL | string,
    form?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Shown> {
    let at = new URL(url);
    let body = form && new URLSearchParams(form);
    for (;;) {
      const own = body ? { origin: at.origin, ...headers } : headers;
      const response = await fetch(at, {
        redirect: 'manual',
        headers: { cookie: this.#cookiesFor(at), ...own },
        ...(body && { method: 'POST', body }),
      });
      this.#keep(at, response.headers.getSetCookie());
      const location = response.headers.get('location');
      if (location === null) {
        const html = await response.text();
        // The issuer has a page that sends its form by itself, when another person signs in.
        const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
        if (html.includes('document.forms[0].submit()') && action !== undefined) {
          at = new URL(action, at);
          body = new URLSearchParams(
            [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [
              name!,
              value!,
            ]),
          );
          continue;
        }
        return { at, status: response.status, html, headers: response.headers };
      }
      await response.body?.cancel();
      body = undefined;
      at = new URL(location, at);
    }
  }

  /** Opens a page that needs a sign-in, and signs in as a test user. */
  async openAs(user: string, url: URL | string): Promise<Shown> {
    const shown = await this.open(url);
    return shown.html.includes('name="user"') ? this.open(shown.at, { user }) : shown;
  }

  #cookiesFor({ origin, pathname }: URL): string {
    return [...(this.cookies.get(origin) ?? [])]
      .filter(([, { path }]) => path === '/' || pathname === path || pathname.startsWith(`${path}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  #keep({ origin }: URL, lines: readonly string[]): void {
    const jar = this.cookies.get(origin) ?? new Map<string, Cookie>();
    this.cookies.set(origin, jar);
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
      if (/; *max-age=0/i.test(line) || value === '') jar.delete(name!);
      else jar.set(name!, { value: value!, path });
    }
  }
}

/** The value of a hidden field. */
export function hidden(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
}
