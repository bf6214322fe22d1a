import type { ResourceLink, ResourceResult, TextContent, ToolResult } from '@toolwright/ground/base/content';
import { ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { RequestContext } from '@toolwright/ground/base/request-context';
import type { ActiveCall, AskedPage } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import { callerKey, principalKey, principalDigest } from '@toolwright/ground/call/operation/keys';
import { REST_SCHEME, restUri, sealedIn, exactName, exactKey } from '@toolwright/ground/call/operation/names';
import type { BoundTool, LinkReader, LinkedRest } from '@toolwright/ground/call/operation/operation';
import { sealingSecrets, Seal, digest } from '@toolwright/json';

/** The arguments of a call are in its link. With more of them, a result has no link: hosts send it in a header. */
const LONGEST_LINK = 4_096;
/** The code of an error that a tool answers with a result: a reader of resources gets no result with `isError`. */
const REFUSED = 409;

/** What a link needs of the cursors of its tool. */
interface Cursors {
  readonly until: number;
  argumentsOf(given: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/**
 * The pages of calls that come from a link, by the arguments of the call. The page is not an argument: a tool whose schema
 * belongs to somebody else has none for it, and no client can send one.
 */
const linked = new WeakMap<object, AskedPage>();

/** The page that a call means because it comes from a link. */
export function linkedPage({ given }: Pick<ActiveCall, 'given'>): AskedPage | undefined {
  return linked.get(given);
}

/**
 * Links to the rest of results, for hosts that read resources. A link means a call of its tool that asks for one page: it
 * is sealed and bound as a cursor is, and the call passes all guards of the tool.
 */
export class RestLinks implements LinkReader {
  readonly #seal: Seal;

  constructor(
    private readonly environment: Environment,
    private readonly cursors: Cursors,
  ) {
    this.#seal = new Seal(sealingSecrets(environment), 'link to the rest of a result', {
      maxLength: LONGEST_LINK,
    });
  }

  /** The link to what follows; `undefined` for a call whose arguments are too long for one. */
  to(call: ActiveCall, page: AskedPage): ResourceLink | undefined {
    const { operation } = call;
    const args = this.cursors.argumentsOf(call.given);
    const sealed = this.#seal.seal([this.cursors.until, { ...page, isWhole: true }, args], this.#bind(call));
    if (sealed.length > LONGEST_LINK) return undefined;
    return {
      type: 'resource_link',
      uri: restUri(exactName(operation), sealed),
      name: `rest of ${operation.name}`,
      description: 'All that was left out, in one piece. It can be read for 10 minutes, by the same caller.',
      mimeType: mimeTypeOf(page),
    };
  }

  open(tool: BoundTool, request: RequestContext, uri: string): LinkedRest | undefined {
    const sealed = sealedIn(uri);
    const asking = { operation: tool, request };
    const opened = sealed === undefined ? undefined : this.#seal.open(sealed, this.#bind(asking));
    if (opened === undefined) return undefined;
    const [until, page, given] = opened as [number, AskedPage, Record<string, unknown>];
    if (until <= this.environment.clock.now()) return undefined;
    const args = { ...given };
    linked.set(args, page);
    return {
      args,
      contents: (result, at) => contentsOf(result, page, at),
    };
  }

  /** The arguments are inside: nobody knows them who reads a link. */
  #bind({ operation, request }: Pick<ActiveCall, 'operation' | 'request'>): string {
    return bindingOf({ operation, request, given: {} }, { server: this.environment.server, args: {} });
  }
}

function mimeTypeOf({ part: [kind] }: Pick<AskedPage, 'part'>): string {
  if (kind === 'items') return 'application/json';
  return kind === 'text' ? 'text/plain' : 'application/octet-stream';
}

/** The part of a result that a link means, without the blocks beside it. */
function contentsOf(result: ToolResult, { part }: AskedPage, uri: string): ResourceResult {
  const block = result.content[part[0] === 'items' ? 0 : (part[1] as number)];
  if (result.isError || !block) {
    const text = block?.type === 'text' ? block.text : `${REST_SCHEME} cannot be read.`;
    throw new ProtocolError(REFUSED, text);
  }
  const mimeType = mimeTypeOf({ part });
  if (block.type === 'resource') return { contents: [{ mimeType, ...block.resource, uri }] };
  return { contents: [{ uri, mimeType, text: (block as TextContent).text }] };
}

/** The argument that continues a result. */
export const CURSOR = 'cursor';

/** A call, or the reading of a link that means one. */
export type Asking = Pick<ActiveCall, 'operation' | 'request' | 'given'>;

/** What a cursor is bound to. It is good for every name of its version. */
export function bindingOf(
  { operation, request }: Asking,
  { server, args }: { server: string; args: Readonly<Record<string, unknown>> },
): string {
  const contract = 'contract' in operation ? operation.contract : '';
  const isTask = 'task' in operation && operation.task !== undefined;
  return digest([server, exactKey(operation), contract, callerOf(request, isTask), args]);
}

/** Claims that every new token has anew. A caller may get one between two pages. */
const passing = new Set(['exp', 'iat', 'nbf', 'jti']);

/**
 * Another caller is also one whose scopes or claims have changed: the method may have read them. The result of a task
 * belongs to its owner, and the run that makes it may not know what else the caller was.
 */
function callerOf(request: ActiveCall['request'], isTask: boolean): string {
  const { principal } = request;
  if (isTask)
    return digest([callerKey(request, true), principalKey(principal), [...(principal?.scopes ?? [])].sort()]);
  const claims = Object.entries((principal as { claims?: object } | undefined)?.claims ?? {});
  const lasting = Object.fromEntries(claims.filter(([name]) => !passing.has(name)));
  const who = principal && { ...principal, ...(claims.length > 0 && { claims: lasting }) };
  return digest([callerKey(request, true), principalDigest(who)]);
}
