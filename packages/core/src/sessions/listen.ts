import { JsonRpcCode, ProtocolError, isProtocolError } from '@toolwright/ground/base/errors/errors';
import type { ClientDescription, Principal, RequestContext } from '@toolwright/ground/base/request-context';
import type { ServerEvent } from '@toolwright/ground/ports/event-bus';
import type { TaskRecord } from '@toolwright/ground/ports/task-store';
import { MAX_URI, after, isPromise, type MaybePromise } from '@toolwright/json';
import { type JsonObject, MAX_REPEATED, isJsonObject, metaKeys } from '@toolwright/wire/json-rpc';
import { notificationIn } from '@toolwright/wire/methods';
import { invalidParams, noChangesSent } from '@toolwright/wire/protocol-errors';
import { isOffered } from '../requests/capabilities.js';
import type { ActiveRequest, MethodHandler } from '../requests/active-request.js';
import { findReadable, findWatchable, ownUri } from '../requests/lists/find-resource.js';
import { type QuotaOwner, type QuotaPool, admits, quotaOwnerOf } from '../requests/quota-pool.js';
import {
  type ListChange,
  RESOURCE_UPDATED,
  type Subscriptions,
  changeNotifications,
  isListChange,
} from './subscriptions.js';

const TASK_CHANGED = 'notifications/tasks';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
/** How many resources and tasks one stream may watch. */
const MAX_RESOURCES = 1000;

interface ListenParts {
  readonly subscriptions: Subscriptions;
  /** The open streams. */
  readonly listeners: QuotaPool<ListenStream>;
  readonly tasks: {
    /** The task, if it belongs to this caller. */
    find(id: string, principal: Principal | undefined): Promise<TaskRecord | undefined>;
    /** @throws {ProtocolError} -32021 when the client did not declare the extension */
    requireClient(client: ClientDescription): void;
  };
  /** The task as its client gets it. */
  taskToSend(task: TaskRecord, request: ActiveRequest): TaskRecord;
}

/**
 * A stream of changes (2026-07-28 basic/patterns/subscriptions). It starts with an acknowledgement; then only
 * the requested changes follow.
 */
export const subscriptionsListen = (parts: ListenParts): MethodHandler => ({
  handle(request) {
    const { id } = request;
    if (!admits(parts.listeners.limits, quotaOwnerOf(request))) throw noChangesSent(request.method);
    if (typeof id === 'string' && id.length > MAX_REPEATED)
      throw invalidParams(`The id of a subscription has at most ${MAX_REPEATED} characters.`);
    return after(
      () => readFilter(request),
      (filter) => {
        const { params, client, principal } = request;
        const wanted = params['notifications'] as JsonObject;
        const ids = readStrings(wanted, 'taskIds');
        if (wanted['taskIds'] !== undefined) parts.tasks.requireClient(client);
        if (ids.length === 0) return listen(request, filter, parts);
        return Promise.all(ids.map((each) => parts.tasks.find(each, principal))).then((found) =>
          listen(request, { ...filter, tasks: new Set(found.flatMap((task) => task?.id ?? [])) }, parts),
        );
      },
    );
  },
});

function listen(
  request: ActiveRequest,
  filter: ListenFilter,
  { tasks, taskToSend, subscriptions, listeners }: ListenParts,
): Promise<string | undefined> {
  const { engine, codec, channel } = request;
  const _meta = { [metaKeys.subscriptionId]: request.id };
  const send = (method: string, params: JsonObject) =>
    channel.send(notificationIn(codec.names, method, { ...params, _meta }));
  const watch = new TaskWatch(
    (id) => tasks.find(id, request.principal),
    (task) => codec.task(taskToSend(task, request)),
    (task) => send(TASK_CHANGED, task),
  );
  const { principal } = request;
  const mayRead = (uri: string) => findReadable(engine.host.registry, uri, principal) !== undefined;
  return new Promise<string | undefined>((resolve) => {
    const leave = (result: string | undefined) => {
      watch.end();
      leavePlace();
      remove();
      resolve(result);
    };
    const end = () => leave(codec.result({ _meta }));
    const stream: ListenStream = { request, filter, since: engine.host.clock.now(), end };
    const leavePlace = takePlace(listeners, quotaOwnerOf(request), stream);
    send(ACKNOWLEDGED, { notifications: toWire(filter) });
    const watches = (uri: string) => filter.resources.has(uri) && mayRead(uri);
    const remove = subscriptions.add({
      principal,
      watches,
      hear: function hear(event) {
        if (event.type === 'taskChanged') {
          if (filter.tasks.has(event.taskId)) watch.look(event.taskId);
        } else if (event.type === 'eventsMissed') everythingOf(filter).forEach(hear);
        else if (event.type === 'resourceUpdated') {
          if (watches(event.uri)) send(RESOURCE_UPDATED, { uri: event.uri });
        } else if (isListChange(event.type) && filter.changes.has(event.type))
          send(changeNotifications[event.type].method, {});
      },
      end,
    });
    for (const uri of filter.resources) engine.host.additions.watched(uri);
    // Changes between the start of a task and this moment would otherwise never be sent.
    for (const id of filter.tasks) watch.look(id);
    const { signal } = channel.cancellation;
    if (signal.aborted) leave(undefined);
    else signal.addEventListener('abort', () => leave(undefined), { once: true });
  });
}

/**
 * Takes a place. If all are taken, it takes one from another anonymous address that holds more of them.
 *
 * @throws {ProtocolError} when all places are taken, or this caller has reached its limit
 */
function takePlace(listeners: QuotaPool<ListenStream>, holder: QuotaOwner, stream: ListenStream): () => void {
  if (listeners.isExhaustedFor(holder) || listeners.isFullFor(holder)) {
    const rival = listeners.evictionCandidate(holder);
    if (!rival)
      throw new ProtocolError(JsonRpcCode.internalError, 'Too many open subscriptions. Try again later.');
    rival.end();
  }
  return listeners.take(holder, stream);
}

/** The events that may have been lost: a client that fetches again once too often loses nothing. */
function everythingOf({ changes, resources, tasks }: ListenFilter): ServerEvent[] {
  return [
    ...[...changes].map((type) => ({ type })),
    ...[...resources].map((uri) => ({ type: 'resourceUpdated', uri }) as const),
    ...[...tasks].map((taskId) => ({ type: 'taskChanged', taskId }) as const),
  ];
}

/** What the client asked for, without what the server does not offer to this caller. */
function readFilter(request: ActiveRequest): MaybePromise<ListenFilter> {
  const { engine, params } = request;
  const wanted = params['notifications'];
  if (!isJsonObject(wanted)) throw invalidParams('"notifications" is required and must be an object.');
  const { registry } = engine.host;
  const changes = new Set<ListChange>();
  for (const change of Object.keys(changeNotifications) as ListChange[]) {
    const value = wanted[change];
    if (value !== undefined && typeof value !== 'boolean')
      throw invalidParams(`"${change}" must be a boolean.`);
    if (value && isOffered(changeNotifications[change].capability, registry)) changes.add(change);
  }
  const uris = readStrings(wanted, 'resourceSubscriptions');
  return after(
    () => watchable(request, isOffered('resources', registry) ? uris : []),
    (resources) => ({ changes, resources, tasks: new Set() }),
  );
}

/** Like `resources/subscribe`, it takes no URI that is unknown, or that the caller may not watch. */
function watchable(request: ActiveRequest, uris: readonly string[]): MaybePromise<ReadonlySet<string>> {
  const found = uris.map((uri) => watchableOr(request, uri));
  const named = (each: readonly (string | undefined)[]) => new Set(each.filter((uri) => uri !== undefined));
  return found.some(isPromise)
    ? Promise.all(found.map(async (each) => each)).then(named)
    : named(found as readonly (string | undefined)[]);
}

/** The URI, or nothing if it cannot be watched. */
function watchableOr(request: ActiveRequest, uri: string): MaybePromise<string | undefined> {
  return after(
    () => findWatchable(request, uri),
    (found) => found && ownUri(found.operation, uri),
    (error) => {
      // A package has refused it.
      if (isProtocolError(error)) return undefined;
      throw error;
    },
  );
}

function readStrings(wanted: JsonObject, key: string): string[] {
  const value = wanted[key];
  if (value === undefined) return [];
  const fits =
    Array.isArray(value) &&
    value.length <= MAX_RESOURCES &&
    value.every((item) => typeof item === 'string' && item.length <= MAX_URI);
  if (!fits)
    throw invalidParams(
      `"${key}" must be an array of at most ${MAX_RESOURCES} strings of at most ${MAX_URI} characters.`,
    );
  return value;
}

function toWire({ changes, resources, tasks }: ListenFilter): JsonObject {
  const wire: JsonObject = Object.fromEntries([...changes].map((change) => [change, true]));
  if (resources.size > 0) wire['resourceSubscriptions'] = [...resources];
  if (tasks.size > 0) wire['taskIds'] = [...tasks];
  return wire;
}

/**
 * Tells one listener about the state of tasks: in order, and nothing twice, even when several changes happen
 * together.
 */
class TaskWatch {
  readonly #sent = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(
    private readonly find: (id: string) => Promise<TaskRecord | undefined>,
    private readonly describe: (task: TaskRecord) => JsonObject,
    private readonly tell: (task: JsonObject) => void,
  ) {}

  /** Reads the task again, because it may have changed. */
  look(id: string): void {
    // If the store cannot be read now, it is read again with the next change. The client can always poll.
    this.#last = this.#last.then(() => this.#look(id)).catch(() => undefined);
  }

  end(): void {
    this.#ended = true;
  }

  async #look(id: string): Promise<void> {
    const task = this.#ended ? undefined : await this.find(id);
    if (!task || this.#ended) return;
    const description = this.describe(task);
    const text = JSON.stringify(description);
    if (this.#sent.get(id) === text) return;
    this.#sent.set(id, text);
    this.tell(description);
  }
}

/** What one `subscriptions/listen` stream wants to hear of. */
interface ListenFilter {
  readonly changes: ReadonlySet<ListChange>;
  /** The URIs of resources. */
  readonly resources: ReadonlySet<string>;
  /** The ids of tasks. */
  readonly tasks: ReadonlySet<string>;
}

/** One open `subscriptions/listen` stream. */
export interface ListenStream {
  readonly request: Pick<RequestContext, 'client' | 'transport'>;
  readonly filter: ListenFilter;
  /** When it was opened, in milliseconds since the epoch. */
  readonly since: number;
  /** Ends the stream with its final result. */
  end(): void;
}
