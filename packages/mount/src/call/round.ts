import { BUDGET } from '../budget.js';
import { cutText, readUrl, weightOfPatterns } from '@toolwright/json';
import { type RequestContext, ToolError, type ToolContext } from '@toolwright/core';
import type { MountSettings } from '../options.js';
import type { CallerGroup } from '../session/caller-values.js';

type Params = Record<string, unknown>;

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /** The request of the call, for the package @toolwright/mount. */
    readonly mountedRequest?: RequestContext;
  }
}

/** Whether the client is asked for its folders, or what the author of the mount says about them. */
export type Folders = 'ask' | 'refuse' | readonly { uri: string; name?: string }[];

/** A child runs on this machine. Folders that a client names would be folders of ours. */
export function foldersOf({ url }: Pick<MountSettings, 'url'>, { values: { roots } }: CallerGroup): Folders {
  return roots ?? (url === undefined ? 'refuse' : 'ask');
}

const MOST_QUESTION = BUDGET.questionLength;

/**
 * The key of a question that a server behind has named. A question of our guards has its answer under its key already, and
 * that answer is not for the server behind. Any other key may be long, or hide something.
 */
export function plainKey(key: string, place: string): string {
  const isPlain = /^[\w.:/-]{1,128}$/.test(key) && !/^(?:toolwright|mounted)[.-]/i.test(key);
  return isPlain ? key : `mounted-${place}`;
}

/** Whether a client may open a page. A name before the host looks like another host. */
export function isPage(url: unknown): url is string {
  const page = typeof url === 'string' && /^https?:\/\//i.test(url) ? readUrl(url) : undefined;
  return page?.username === '' && page.password === '';
}

/** One round of a call: what a server behind may ask and tell its client. */
export class Round {
  readonly request: RequestContext;

  constructor(
    readonly context: ToolContext,
    /** Whose processes and sessions the call may use. */
    readonly group: CallerGroup,
    readonly folders: Folders,
  ) {
    this.request = context.mountedRequest!;
  }

  /** On 2026-07-28, a question ends the round, and the next round brings the answer. */
  get endsWithQuestions(): boolean {
    return this.request.era === 'stateless';
  }

  get isPending(): boolean {
    return this.request.input.pending.size > 0;
  }

  recall(key: string): unknown {
    return this.request.input.recall(key)?.value;
  }

  remember(key: string, value: unknown): void {
    this.request.input.remember(key, value);
  }

  /**
   * Asks the client of this call, and nobody else.
   *
   * @throws when the client cannot be asked, and when the round ends here
   */
  async ask(key: string, method: string, params: Params): Promise<Params> {
    if (JSON.stringify(params).length > MOST_QUESTION) throw new ToolError('The question is too long.');
    switch (method) {
      case 'elicitation/create':
        return this.#elicit(key, params);
      case 'sampling/createMessage': {
        const { role, content, model, stopReason } = await this.context.sample(
          key,
          sampling(params) as never,
        );
        return { role, content, model, ...(stopReason !== undefined && { stopReason }) };
      }
      case 'roots/list':
        return { roots: await this.#roots(key) };
      default:
        throw new ToolError(`Nobody can answer ${method}.`);
    }
  }

  log({ level, data, logger }: Params): void {
    const name = typeof logger === 'string' ? cutText(logger, 200) : undefined;
    const { log } = this.context;
    if (typeof level === 'string' && Object.hasOwn(log, level)) log[level as keyof typeof log](data, name);
  }

  /** The author decides about the folders of a child process: those of a client would be folders of our machine. */
  async #roots(key: string): Promise<readonly object[]> {
    if (this.folders === 'refuse') throw new ToolError('This server has no folders.');
    return this.folders === 'ask' ? this.context.roots(key) : this.folders;
  }

  #elicit(key: string, { message, mode, url, requestedSchema }: Params): Promise<Params> {
    if (typeof message !== 'string') throw new ToolError('The question has no text.');
    if (mode === 'url') {
      if (!isPage(url)) throw new ToolError('The page has no address.');
      return this.context.elicit(key, { message, url }) as Promise<unknown> as Promise<Params>;
    }
    if (typeof requestedSchema !== 'object' || requestedSchema === null)
      throw new ToolError('The question has no form.');
    const schema = requestedSchema as Params;
    if (weightOfPatterns(schema) > BUDGET.patternLength) throw new ToolError('The question is too long.');
    return this.context.elicit(key, { message, schema }) as Promise<unknown> as Promise<Params>;
  }
}

function sampling(params: Params): Params {
  const { _meta: _ofUpstream, task: _task, ...request } = params;
  return request;
}
