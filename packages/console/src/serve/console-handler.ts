import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf } from '@toolwright/json';
import { ConsoleRefusal, methodAccess, type ConsoleMethod } from '../api/console-api.js';
import type { Hub } from '../hub/hub.js';
import type { AppFrames } from './app-frames.js';
import { EventStreams } from './event-streams.js';
import { Pages } from './pages.js';
import { BodyTooLarge, answerJson, guard, readJson, refuse } from './respond.js';

export interface ConsoleHandlerOptions {
  readonly hub: Hub;
  /** Shows pages of MCP Apps. Without it they are not shown. */
  readonly frames?: AppFrames;
  /** How long a stream of events may last. Default: as long as the page. */
  readonly maxStreamMs?: number;
  /** Where the files of the page are. Tests have their own. */
  readonly pages?: Pages;
}

/** A request that was let in. */
export interface Admitted {
  /** The path below the console, with a slash in front. */
  readonly path: string;
  /** Where the console is, without a slash at its end: `/admin/console`, or nothing. */
  readonly base: string;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Who that is, as the audit log names them. Default: the user of the process. */
  readonly by?: string | undefined;
}

/** Answers the requests of the page: its files, the methods of the console, and the stream of events. */
export class ConsoleHandler {
  readonly #pages: Pages;
  readonly #streams: EventStreams;

  constructor(private readonly options: ConsoleHandlerOptions) {
    const { hub, maxStreamMs, pages = new Pages() } = options;
    this.#pages = pages;
    this.#streams = new EventStreams({ hub, ...(maxStreamMs !== undefined && { maxAgeMs: maxStreamMs }) });
  }

  async handle(admitted: Admitted): Promise<void> {
    const { path, req, res, by } = admitted;
    guard(res);
    const isPost = path === '/frames' || (path.startsWith('/api/') && path !== '/api/events');
    if (isPost && req.method !== 'POST') return refuse(res, 405, 'Use POST.');
    if (!isPost && req.method !== 'GET' && req.method !== 'HEAD') return refuse(res, 405, 'Use GET.');
    if (path === '/api/events') return this.#streams.open(res, by);
    if (isPost) return this.#answer(admitted);
    return this.#page(admitted);
  }

  async #answer({ path, req, res, by }: Admitted): Promise<void> {
    const answer = this.#find(path, by);
    if (!answer) return refuse(res, 404, 'The console has no such method.');
    try {
      answerJson(res, await answer(await readJson(req)));
    } catch (error) {
      const status = error instanceof BodyTooLarge ? 413 : error instanceof ConsoleRefusal ? 400 : 500;
      refuse(res, status, reasonOf(error));
    }
  }

  #find(path: string, by: string | undefined): ((params: Record<string, unknown>) => unknown) | undefined {
    const { hub, frames } = this.options;
    if (path === '/frames') return frames && ((params) => frames.show(params));
    const method = path.slice('/api/'.length);
    if (!Object.hasOwn(methodAccess, method)) return undefined;
    return (params) => hub.ask(method as ConsoleMethod, params as never, by);
  }

  #page({ path, base, res }: Admitted): void {
    const name = path === '/' ? 'index.html' : path.slice(1);
    const page = this.#pages.find(name);
    if (!page) return refuse(res, 404, 'The console has no such file.');
    res.setHeader('content-type', page.type);
    if (page.isLasting) res.setHeader('cache-control', 'private, max-age=31536000, immutable');
    if (name !== 'index.html') return void res.end(page.body);
    const nonce = randomBytes(16).toString('base64');
    res.setHeader('content-security-policy', policy(nonce, this.options.frames?.origin));
    const words: Readonly<Record<string, string>> = { __NONCE__: nonce, __BASE__: escape(base) };
    res.end(page.body.toString().replace(/__NONCE__|__BASE__/g, (word) => words[word]!));
  }
}

/**
 * The editor and the charts write styles at run time, each with the nonce. Nothing is evaluated.
 *
 * @param apps the origin of pages of MCP Apps
 */
function policy(nonce: string, apps: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    `frame-src ${apps ?? "'none'"}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The path comes from the request where an application mounts the console below a parameter. */
function escape(path: string): string {
  return path.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
