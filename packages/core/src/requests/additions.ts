import type { Era, RequestContext } from '@toolwright/ground/base/request-context';
import type { BoundOperation, BoundTool } from '@toolwright/ground/call/operation/operation';
import type { AudienceAnswers, Registry } from '@toolwright/ground/call/operation/registry';
import type { MaybePromise } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { Codec } from '@toolwright/wire/revision-record';
import type { ForwardingTool } from './forwarded-call.js';
import type {
  ExtensionMethod,
  ExtensionCapability,
  ExtensionLists,
  ReplaceList,
  BeforeRequest,
  ToolWords,
  DescribeTool,
  OperatorMethod,
  UpstreamServer,
  ProtocolAdditions,
} from './protocol-additions.js';

/** The capabilities that the protocol itself has, in some revision. */
const OWN = new Set(
  'tools prompts resources completions logging tasks extensions experimental'
    .split(' ')
    .concat('io.modelcontextprotocol/ui', 'io.modelcontextprotocol/tasks'),
);

/** What the state of a server has of its own. */
const OWN_STATE = new Set(
  'at calls abandoned limits slots sessions streams subscriptions tasks queue stores counts'.split(' '),
);

/** What packages add to the protocol of one server. It grows when a package is started. */
export class Additions {
  readonly #methods = new Map<string, ExtensionMethod>();
  readonly #capabilities = new Map<string, ExtensionCapability>();
  readonly #lists: ExtensionLists[] = [];
  readonly #before: NonNullable<ProtocolAdditions['beforeLists']>[] = [];
  readonly #uses: NonNullable<ProtocolAdditions['beforeUse']>[] = [];
  readonly #words = new Map<string, DescribeTool>();
  readonly #all: ProtocolAdditions[] = [];
  /** The tool whose calls mean other tools, if a package has one. Every request reads it. */
  forwards: ForwardingTool | undefined = undefined;
  /** Asks packages before an operation is looked up, if any of them wants it. Every request reads it. */
  first: BeforeRequest | undefined = undefined;
  /** The codecs by revision, for a tool as lists show it. The protocol sets them. */
  codecs: ReadonlyMap<string, Pick<Codec, 'tool'>> = new Map();
  /** Whether a client of this process watches a resource. The protocol sets it. */
  isWatched: (uri: string) => boolean = () => false;

  add(parts: ProtocolAdditions): void {
    const { methods = [], capabilities = [], lists = {}, describe = {}, forward } = parts;
    const first = parts.beforeRequest?.bind(parts);
    this.forwards = forward ?? this.forwards;
    if (first) this.first = this.first ? bothOf(this.first, first) : first;
    if (parts.beforeLists) this.#before.push(parts.beforeLists.bind(parts));
    if (parts.beforeUse) this.#uses.push(parts.beforeUse.bind(parts));
    for (const [tool, words] of Object.entries(describe)) this.#words.set(tool, words);
    for (const method of methods) this.#methods.set(method.name, method);
    for (const capability of capabilities) this.#capabilities.set(capability.name, capability);
    if (Object.keys(lists).length > 0) this.#lists.push(lists);
    this.#all.push(parts);
  }

  /** The part of a package whose tasks wait for a process with that part, and not with the tool. */
  partOf(tool: BoundOperation): string | undefined {
    for (const { taskParts } of this.#all) {
      const part = taskParts?.of(tool);
      if (part !== undefined) return part;
    }
    return undefined;
  }

  get presentParts(): readonly string[] {
    return this.#all.flatMap(({ taskParts }) => taskParts?.present() ?? []);
  }

  /** Whether the state that operators see has a list of this name. */
  hasState(name: string): boolean {
    return OWN_STATE.has(name) || this.#all.some(({ state = {} }) => Object.hasOwn(state, name));
  }

  /** The lists that packages add to what operators see. */
  state(): readonly (readonly [name: string, list: readonly object[]])[] {
    return this.#all.flatMap(({ state = {} }) =>
      Object.entries(state).map(([name, list]) => [name, list()] as const),
    );
  }

  /** The servers that packages depend on. */
  upstreams(): readonly UpstreamServer[] {
    return this.#all.flatMap((parts) => parts.upstreams?.() ?? []);
  }

  /** The methods for operators that packages add, by name. */
  operatorMethods(): ReadonlyMap<string, OperatorMethod> {
    return new Map(this.#all.flatMap(({ operator = {} }) => Object.entries(operator)));
  }

  /** Lets packages begin nothing more, and waits for what they run. @returns false when they had to abort some of it */
  async drain(graceMs: number): Promise<boolean> {
    const all = await Promise.all(this.#all.map(async (parts) => !parts.drain || parts.drain(graceMs)));
    return all.every(Boolean);
  }

  /** Tells packages that a client has begun to watch a resource. */
  watched(uri: string): void {
    for (const parts of this.#all) parts.watched?.(uri, () => this.isWatched(uri));
  }

  /** Which of these names are taken already, in words. @param isOwn true for a method of the protocol */
  findTaken(
    { methods = [], capabilities = [] }: ProtocolAdditions,
    isOwn: (method: string) => boolean,
  ): string[] {
    return [
      ...methods.flatMap(({ name }) =>
        isOwn(name) || this.#methods.has(name) ? [`the method "${name}"`] : [],
      ),
      ...capabilities.flatMap(({ name }) =>
        OWN.has(name) || this.#capabilities.has(name) ? [`the capability "${name}"`] : [],
      ),
    ];
  }

  /** The method, if the server offers it in this era. */
  method(name: string, era: Era): ExtensionMethod | undefined {
    const method = this.#methods.get(name);
    if (!method || (method.eras && !method.eras.includes(era))) return undefined;
    return method.capability === undefined || this.#offers(method.capability) ? method : undefined;
  }

  /** What the handshake offers to clients: members of `capabilities`, and extensions of the protocol. */
  offered(): { readonly capabilities: JsonObject; readonly extensions: JsonObject } {
    const all = [...this.#capabilities.values()].filter(({ name }) => this.#offers(name));
    const named = (isExtension: boolean) =>
      Object.fromEntries(
        all
          .filter(({ name }) => name.includes('/') === isExtension)
          .map(({ name, settings = {} }) => [name, settings]),
      );
    return { capabilities: named(false), extensions: named(true) };
  }

  /** Lets packages ask what they must know before a list is made. */
  prepare(operations: readonly BoundOperation[], request: RequestContext): MaybePromise<void> {
    if (this.#before.length === 0) return;
    return Promise.all(this.#before.map(async (before) => before(operations, request))).then(() => undefined);
  }

  /**
   * Lets packages ask what they must know before it is decided whether the caller may see an operation.
   *
   * @param watched the URI that the caller wants to watch
   * @throws {ProtocolError} of a package that refuses
   */
  prepareUse(operation: BoundOperation, request: RequestContext, watched?: string): MaybePromise<void> {
    if (this.#uses.length === 0) return;
    return Promise.all(this.#uses.map(async (use) => use(operation, request, watched))).then(() => undefined);
  }

  /** True when packages decide what a list shows. It may then differ between callers. */
  replaces(collection: string): boolean {
    return this.#lists.some((lists) => Object.hasOwn(lists, collection));
  }

  /** True when packages decide what a list says of some tools. */
  describes(collection: string): boolean {
    return collection === 'tools' && this.#words.size > 0;
  }

  /** Which of these tools packages describe to each caller. */
  described(tools: readonly string[]): string[] {
    return tools.filter((tool) => this.#words.has(tool));
  }

  /** What packages say of a tool to the caller of a request. */
  wordsOf(tool: string, visible: readonly BoundTool[], request: RequestContext): ToolWords | undefined {
    return this.#words.get(tool)?.(visible, request);
  }

  /** The operations that a list shows to the caller. It never shows one that the caller may not see. */
  shown<O extends BoundOperation>(
    collection: string,
    visible: readonly O[],
    {
      registry,
      request,
      answers,
    }: { registry: Pick<Registry, 'listed'>; request: RequestContext; answers?: AudienceAnswers },
  ): readonly O[] {
    const maySee = (operation: O) => registry.listed(operation, request.principal, answers);
    return this.#lists.reduce<readonly O[]>((shown, lists) => {
      const replace = (lists as Record<string, ReplaceList<never> | undefined>)[collection];
      if (!replace) return shown;
      const replaced = replace(shown as never, request) as readonly O[];
      return replaced.filter(maySee);
    }, visible);
  }

  #offers(name: string): boolean {
    const capability = this.#capabilities.get(name);
    return capability !== undefined && (capability.isOffered?.() ?? true);
  }
}

function bothOf(one: BeforeRequest, other: BeforeRequest): BeforeRequest {
  return (request) => {
    const [wait, more] = [one(request), other(request)];
    return wait && more ? Promise.all([wait, more]).then(() => undefined) : (wait ?? more);
  };
}
