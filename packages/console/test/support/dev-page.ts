import { Hub } from '../../src/hub/hub.js';
import { Inside } from '../../src/inside/inside.js';
import { DevConsole, type DevConsoleOptions } from '../../src/serve/dev-console.js';
import { rawRequest, type RawAnswer, type RawRequest } from './raw-request.js';
import { smallPages } from './small-pages.js';
import { smallServer } from './small-server.js';

/** The console of `dev` over a small server in this process, and the page that a person has opened. */
export class DevPage {
  private constructor(
    readonly hub: Hub,
    readonly console: DevConsole,
    readonly address: string,
    /** The URL of the page, with a slash at its end. */
    readonly home: string,
    readonly cookie: string,
    private readonly remove: () => void,
  ) {}

  static async open(options: DevConsoleOptions = {}): Promise<DevPage> {
    const { pages, remove } = smallPages();
    const inside: Inside = new Inside((event) => hub.hear(event));
    inside.add(await smallServer());
    inside.watch();
    const access = ['read', 'call', 'change', 'project'] as const;
    const hub: Hub = new Hub({
      access,
      askInside: (method, params) => inside.ask(method, params),
      overview: () => ({ servers: inside.summaries(), access, app: 'running', toolwright: '0' }),
    });
    const console = new DevConsole(hub, { ...options, pages });
    const address = await console.listen();
    const { headers } = await rawRequest(address);
    const home = new URL(headers.location!, address).href;
    return new DevPage(hub, console, address, home, headers['set-cookie']![0]!, remove);
  }

  get origin(): string {
    return new URL(this.home).origin;
  }

  /** Sends what the page of the console would send, with changes. A header of '' is left out. */
  send(path: string, { headers = {}, ...asked }: RawRequest = {}): Promise<RawAnswer> {
    const usual: Record<string, string> = {
      cookie: this.cookie.split(';')[0]!,
      'sec-fetch-site': 'same-origin',
      ...(asked.method === 'POST' && { origin: this.origin, 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(usual).filter(([, value]) => value !== ''));
    return rawRequest(new URL(path, this.home), { ...asked, headers: sent });
  }

  post(method: string, params: object = {}, asked: RawRequest = {}): Promise<RawAnswer> {
    return this.send(`api/${method}`, { method: 'POST', body: JSON.stringify(params), ...asked });
  }

  async close(): Promise<void> {
    await this.console.close();
    this.remove();
  }
}
