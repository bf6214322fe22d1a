import type { IncomingMessage, ServerResponse } from 'node:http';
import { readUrl } from '@toolwright/json';
import { type ForwardedHost, originOf, reachedBy } from './forwarded-host.js';
import type { LoopbackServer } from './loopback-server.js';
import { type ConsoleExchange, findRefusal, guard, refusePage } from './respond.js';
import { ConsoleSecrets } from './span-receiver.js';

interface DoorWords {
  /** The command that prints the address, such as `toolwright dev`. */
  readonly command: string;
  /** What a person does who has come to a page of somebody else, a step a line. */
  readonly advice: readonly string[];
}

/** A request that was let in, below the page of the console. */
export interface Passed {
  readonly path: string;
  readonly base: string;
}

/** Lets the person in who has the token of the run. A page of a stranger, or a program without the token, stays outside. */
export class TokenDoor {
  readonly secrets: ConsoleSecrets;

  constructor(
    private readonly server: LoopbackServer,
    private readonly words: DoorWords,
    token?: string,
    private readonly forwarded?: ForwardedHost,
  ) {
    this.secrets = new ConsoleSecrets(token);
  }

  /** The address with the token. */
  get address(): string {
    return this.#addressWith(this.secrets.token);
  }

  /** An address that opens the console once, within a minute. Other users may read it where a browser is started. */
  get addressForOnce(): string {
    return this.#addressWith(this.secrets.codeForOnce());
  }

  #addressWith(token: string): string {
    const { origin, port } = this.server;
    return `${this.forwarded ? originOf(this.forwarded, port) : origin}/?token=${token}`;
  }

  /**
   * Decides about a request. A request that is not let in is answered here.
   *
   * @param taken the path of a request that brings a token of its own
   * @returns `undefined` when it was answered
   */
  pass(req: IncomingMessage, res: ServerResponse, taken?: string): Passed | undefined {
    guard(res);
    const { base } = this.secrets;
    const { origin, port } = this.server;
    const { facts, host } = reachedBy(req, this.server.host, this.forwarded);
    const { url: asked = '/' } = req;
    // `URL` refuses targets that Node.js lets pass, such as `//`. Any web page can send one.
    const { pathname, searchParams } = readUrl(asked, origin) ?? new URL('/', origin);
    const token = searchParams.get('token');
    if (pathname === '/' && token !== null && facts.headers.host === host) {
      this.#exchange(token, { req, res });
      return undefined;
    }
    const { advice, command } = this.words;
    const refusal = findRefusal(facts, host);
    if (refusal) {
      refusePage({ req, res }, { ...refusal, advice });
      return undefined;
    }
    if (pathname === taken) return { path: pathname, base: '' };
    const isBelow = pathname === base || pathname.startsWith(`${base}/`);
    if (isBelow && this.secrets.isKnown(req.headers.cookie, port))
      return { path: pathname.slice(base.length) || '/', base };
    const message = `Open the address that "${command}" printed.`;
    refusePage({ req, res }, { status: 401, message, advice });
    return undefined;
  }

  /** The token leaves the address bar at once. Whoever has it may come from anywhere, such as a link in a terminal. */
  #exchange(token: string, exchange: ConsoleExchange): void {
    const { base } = this.secrets;
    if (this.secrets.opens(token)) {
      const cookie = this.secrets.cookie(this.server.port);
      exchange.res.writeHead(303, { 'set-cookie': cookie, location: `${base}/` }).end();
      return;
    }
    const message = 'This address is of another console, or it was valid only once.';
    refusePage(exchange, { status: 401, message, advice: this.words.advice });
  }
}
