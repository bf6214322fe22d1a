import type { ContentBlock, ToolResult } from '@toolwright/ground/base/content';
import type { ActiveCall, AskedPage, NextPage } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft, ToolDraft } from '@toolwright/ground/call/operation/draft';
import { callerKey } from '@toolwright/ground/call/operation/keys';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import { refuse } from '@toolwright/ground/call/refuse';
import {
  type JsonSchema,
  getOrMake,
  sealingSecrets,
  type MaybePromise,
  after,
  Seal,
  digest,
} from '@toolwright/json';
import { CONFIRMED, takesConfirmed } from '../confirm/ask-to-confirm.js';
import type { BuiltInGuard, PlanGuard } from '../guard.js';
import { type KeptResults, LIFE_MS, MOST_BYTES, keptResultsOf } from './kept-results.js';
import { MaxOutput, cutResult, noteOf } from './max-output.js';
import { type Asking, CURSOR, bindingOf, RestLinks, linkedPage } from './rest-links.js';

/** A cursor has about 300 characters. */
const LONGEST_CURSOR = 4_096;

const cursorSchema: JsonSchema = {
  type: 'string',
  description: 'Continues a result that was cut: the cursor of its note. All other arguments stay the same.',
};

/**
 * True for a tool whose results go on, so that its schema has the argument `cursor`. A method with such a parameter makes
 * its own pages.
 */
export function takesCursor(draft: AnyDraft, environment: Environment): draft is ToolDraft {
  if (draft.kind !== 'tool' || !goesOn(draft, environment) || draft.task || draft.exactSchema) return false;
  const { type, $ref, anyOf, oneOf, allOf } = draft.inputSchema;
  const isPlain = type === 'object' && !$ref && !anyOf && !oneOf && !allOf;
  return isPlain && !hasOwnPages(draft);
}

/** Whether the server knows how to get the rest of a result. */
function goesOn(draft: ToolDraft, environment: Environment): boolean {
  return MaxOutput.of(draft) !== undefined && (runsAgain(draft) || keptResultsOf(environment) !== undefined);
}

/** Whether the method makes its own pages, as far as its schema shows it. */
function hasOwnPages({ inputSchema }: Pick<ToolDraft, 'inputSchema'>): boolean {
  const own = (inputSchema.properties as Record<string, unknown> | undefined)?.[CURSOR];
  return own !== undefined && own !== cursorSchema;
}

/** Whether the tool runs again for each part. A reader of a link cannot follow a task, so the result of a task is kept. */
function runsAgain({ annotations, task }: ToolDraft): boolean {
  return annotations.readOnlyHint === true && !task;
}

export function withCursor(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), [CURSOR]: cursorSchema } };
}

/** Removes what the framework has added to the arguments of a call. */
export function dropCursor(args: Record<string, unknown>): Record<string, unknown> {
  const { [CURSOR]: _, ...others } = args;
  return others;
}

const continuations = new WeakMap<AnyDraft, Continuation>();

/** What makes and reads the cursors and links of a tool; `undefined` for one whose results do not go on. */
export function continuationOf(draft: AnyDraft, environment: Environment): Continuation | undefined {
  if (draft.kind !== 'tool' || !goesOn(draft, environment)) return undefined;
  if (!takesCursor(draft, environment) && !MaxOutput.of(draft)!.options.link) return undefined;
  return getOrMake(continuations, draft, () => new Continuation(draft, environment));
}

/** What a result that was cut says of its rest. */
interface Onward {
  readonly cursor?: string | undefined;
  readonly link?: ContentBlock | undefined;
}

/** The cursors of one tool. Each is bound to its caller, to the tool and to the arguments, and is sealed. */
export class Continuation {
  /** The links to what its cursors continue, for a tool that gives some. */
  readonly links: RestLinks | undefined;
  /** Whether the tool has the argument `cursor`. Without it, there are only links. */
  readonly takesCursor: boolean;
  readonly #seal: Seal;
  readonly #kept: KeptResults | undefined;
  /** Checks a part by the schema of the output, as its guard does. */
  check: (result: ToolResult, call: ActiveCall) => ToolResult = (result) => result;

  constructor(
    private readonly draft: ToolDraft,
    private readonly environment: Environment,
  ) {
    this.#seal = new Seal(sealingSecrets(environment), 'cursor of a result', { maxLength: LONGEST_CURSOR });
    this.takesCursor = takesCursor(draft, environment);
    this.#kept = runsAgain(draft) ? undefined : keptResultsOf(environment);
    if (MaxOutput.of(draft)?.options.link) this.links = new RestLinks(environment, this);
  }

  /** What a caller sends again with a cursor. Nobody confirms a next part, so a confirmation does not count. */
  argumentsOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { [CONFIRMED]: confirmed, ...args } = dropCursor(given);
    return confirmed !== undefined && !takesConfirmed(this.draft)
      ? { ...args, [CONFIRMED]: confirmed }
      : args;
  }

  /** Whether a page belongs to this result. */
  isOf(result: ToolResult, page: AskedPage): boolean {
    return digestOf(result) === page.digest;
  }

  /** What leads to the next page of a result; `undefined` where the result could not be kept. */
  after(call: ActiveCall, whole: ToolResult, next: NextPage): MaybePromise<Onward | undefined> {
    const of = digestOf(whole);
    if (!this.#kept) return this.#onward(call, { ...next, digest: of });
    return after(
      () => this.#kept!.keep(placesOf(call), whole),
      (kept) => (kept === undefined ? undefined : this.#onward(call, { ...next, digest: of, kept })),
    );
  }

  #onward(call: ActiveCall, page: AskedPage): Onward {
    const { takesCursor: has, links } = this;
    const cursor = has ? this.#seal.seal([this.until, page], this.#bindingOf(call)) : undefined;
    return { cursor, link: links?.to(call, page) };
  }

  /** The page that a call asks for. @returns `undefined` for one that asks for none, `'invalid'` for one that does not count */
  askedBy(call: ActiveCall): AskedPage | 'invalid' | undefined {
    const cursor = this.takesCursor ? call.given[CURSOR] : undefined;
    if (cursor === undefined) return linkedPage(call);
    const page = typeof cursor === 'string' ? this.#read(call, cursor) : undefined;
    return page && (page.kept === undefined) === (this.#kept === undefined) ? page : 'invalid';
  }

  /** The page that a cursor means; `undefined` for one that is not of this caller, tool and arguments, or is too old. */
  #read(call: ActiveCall, cursor: string): AskedPage | undefined {
    const opened = this.#seal.open(cursor, this.#bindingOf(call)) as [number, AskedPage] | undefined;
    return opened && opened[0] > this.environment.clock.now() ? opened[1] : undefined;
  }

  /** How long a cursor, or a link, counts that is made now. */
  get until(): number {
    return this.environment.clock.now() + LIFE_MS;
  }

  #bindingOf(call: Asking): string {
    return bindingOf(call, { server: this.environment.server, args: this.argumentsOf(call.given) });
  }

  /** A page of a result that is kept. The tool does not run again. */
  async page(call: ActiveCall, asked: AskedPage, limit: number): Promise<ToolResult> {
    const whole = await this.#kept?.find(placesOf(call), asked.kept!);
    if (!whole || !this.isOf(whole, asked)) return refuseCursor(call, 'gone');
    const cut = cutResult(whole, asked.isWhole ? MOST_BYTES : limit, asked);
    if (!cut) return refuseCursor(call, 'gone');
    let part: ToolResult;
    try {
      part = this.check(cut.result, call);
    } catch {
      return refuseCursor(call, 'unfit');
    }
    const onward = cut.next && this.#onward(call, { ...asked, ...cut.next });
    return cut.dropped.length > 0 ? withRest(call, part, { dropped: cut.dropped, onward }) : part;
  }
}

/** Adds a note to a part of a result, and what leads to the next part. */
export function withRest(
  { operation }: ActiveCall,
  part: ToolResult,
  { dropped, onward = {} }: { dropped: readonly string[]; onward?: Onward | undefined },
): ToolResult {
  const { link } = onward;
  const note = noteOf(dropped, adviceOf(operation as BoundTool, onward));
  part.content = [...part.content, note, ...(link ? [link] : [])];
  return part;
}

/** How to get the rest. Nothing is offered that this result does not have. */
function adviceOf(tool: BoundTool, { cursor, link }: Onward): string {
  if (cursor !== undefined)
    return `For the next part, call the tool again with the same arguments and "cursor": "${cursor}".`;
  if (link) return 'The link after this note leads to all that was left out.';
  if (hasOwnPages(tool)) return 'Ask for less, or for the next part.';
  return tool.annotations.readOnlyHint === true
    ? 'Ask for less.'
    : 'Ask for less, if the tool may run again.';
}

/** Content and data, as they are after the check of the output. */
function digestOf({ content, structuredContent }: ToolResult): string {
  return digest([content, structuredContent ?? null]);
}

/** What is kept counts for the caller, whatever its claims are. */
const placesOf = ({ request }: ActiveCall) => callerKey(request, true);

const reasons = {
  invalid: 'it is of another caller, of other arguments, or too old',
  gone: 'what it continues is not kept any more',
  unfit: 'the next part alone does not fit the schema of the result',
  stale: 'the data has changed since the first part',
};

/** Ends a call whose cursor does not count. */
export function refuseCursor(call: ActiveCall, why: keyof typeof reasons): ToolResult {
  const { name, annotations } = call.operation;
  const advice =
    annotations.readOnlyHint === true
      ? 'Start again: call the tool without "cursor".'
      : `Do not call ${name} again only for the rest: it would run again.`;
  return refuse(call, {
    outcome: 'invalid',
    reason: why === 'stale' ? 'TW_CURSOR_STALE' : 'TW_CURSOR_INVALID',
    text: `The cursor cannot be used: ${reasons[why]}. ${advice}`,
    rpcCode: 409,
  });
}

const planContinuation: PlanGuard = (draft, environment) => {
  const continuation = continuationOf(draft, environment);
  if (!continuation) return undefined;
  const { options, origin } = MaxOutput.of(draft)!;
  const isRead = runsAgain(draft as ToolDraft);
  return {
    origin,
    detail: isRead ? 'runs again for each part' : 'keeps the rest for 10 minutes',
    step(call, next) {
      const page = continuation.askedBy(call);
      if (page === undefined) return next();
      if (page === 'invalid') return refuseCursor(call, page);
      if (!isRead) return continuation.page(call, page, options.bytes);
      call.page = page;
      return next();
    },
  };
};

/** Gives the further parts of results that were cut. It is outside of the confirmation: a next part changes nothing. */
export const continueGuard: BuiltInGuard = {
  name: 'continue',
  position: 108,
  summary: 'Gives the next part of a result that was cut.',
  plan: planContinuation,
};
