import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { CallRequest, OwnCall } from '../../../src/api/call-api.js';
import type { ConsoleEvent } from '../../../src/api/console-api.js';
import type { RecordedCall, RecordedMessage, Sequenced } from '../../../src/api/record-api.js';
import type { Kind } from '../../../src/api/surface-api.js';
import { ask } from './ask.js';
import { askAgain, replaceAnswer } from './ask-again.js';
import { chatOf } from './current.js';
import { SharedEvents } from './event-source.js';
import { KeyedStore } from './keyed-store.js';
import { RecordList } from './record-list.js';

/** All records, oldest first. */
export function useRecords<T>(list: RecordList<T>): readonly Sequenced<T>[] {
  return useSyncExternalStore(list.subscribe, () => list.all);
}

/** The value under a key. */
export function useKeyed<T>(store: KeyedStore<T>, key: string | undefined): T | undefined {
  return useSyncExternalStore(store.subscribe, () => (key === undefined ? undefined : store.get(key)));
}

/** The first value that fits. */
export function useFound<T>(store: KeyedStore<T>, fits: (value: T) => boolean): T | undefined {
  return useSyncExternalStore(store.subscribe, () => store.find(fits));
}

/** What the person has last filled in, by operation, as long as the page lives. */
const drafts = new Map<string, Record<string, unknown>>();

export function draftOf(kind: Kind, key: string): Record<string, unknown> {
  return drafts.get(`${kind} ${key}`) ?? {};
}

export function setDraft(kind: Kind, key: string, args: Record<string, unknown>): void {
  drafts.set(`${kind} ${key}`, args);
}

const onFrame = (draw: () => void) => void requestAnimationFrame(draw);

/** The calls of all clients, as their last records describe them. A call comes when it begins and when it has ended. */
export const calls = new RecordList<RecordedCall>(5_000, onFrame);
export const messages = new RecordList<RecordedMessage>(10_000, onFrame);
/** The calls that the console itself has made, by id. */
export const ownCalls = new KeyedStore<OwnCall>();

type Listener = (event: ConsoleEvent) => void;
const listeners = new Set<Listener>();

/** Hears every event. Returns a function that ends this. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Follows the events of the console for as long as the page lives. When the connection comes back after a break, all data
 * are fetched again.
 *
 * @param connected hears whether the console can be reached
 */
export function follow(queries: QueryClient, connected: (isConnected: boolean) => void): () => void {
  return new SharedEvents({
    event: (event) => take(event, queries),
    refresh: () => refresh(queries),
    connected,
  }).start();
}

function take(event: ConsoleEvent, queries: QueryClient): void {
  switch (event.type) {
    case 'overview':
      replaceAnswer(queries, ['overview', {}], event.overview);
      break;
    case 'surface':
      for (const method of ['surface', 'whoSees', 'searchTools', 'explain', 'contract', 'origins'])
        askAgain(queries, { queryKey: [method] });
      break;
    case 'call':
      calls.add(event.call);
      break;
    case 'message':
      messages.add(event.message);
      break;
    case 'spans':
      for (const traceId of event.traceIds) askAgain(queries, { queryKey: ['spans', { traceId }] });
      break;
    case 'ownCall':
      ownCalls.set(event.call.id, event.call);
      break;
    case 'chat':
      replaceAnswer(queries, ['chat', chatOf(event)], event.chat);
      break;
    case 'failure':
      replaceAnswer(queries, ['failure', { reference: event.failure.reference }], event.failure);
      break;
    case 'signIn':
      replaceAnswer(queries, ['signIn', {}], event.signIn);
      break;
    case 'lost':
      refresh(queries);
      break;
    case 'build':
      askAgain(queries, { queryKey: ['contract'] });
      break;
  }
  listeners.forEach((listener) => listener(event));
}

/** Asks everything again. */
function refresh(queries: QueryClient): void {
  askAgain(queries);
  const lists = [calls, messages];
  for (const list of lists) list.hold();
  void load()
    .catch(() => undefined)
    .finally(() => lists.forEach((list) => list.release()));
}

let version: string | undefined;

async function load(): Promise<void> {
  const { access, toolwright } = await ask('overview', {});
  // A later run may be another version, whose server this page does not know.
  if (version !== undefined && version !== toolwright) return location.reload();
  version = toolwright;
  const { count } = ownCalls;
  const [older, sent, own] = await Promise.all([
    ask('calls', {}),
    ask('messages', {}),
    // A console that calls nothing would refuse, and the browser writes each refusal into its log.
    access.includes('call') ? ask('ownCalls', {}) : [],
  ]);
  calls.fill(older);
  messages.fill(sent);
  // A call may have gone on since the question was asked.
  for (const call of own) ownCalls.set(call.id, call, count);
}

/** Follows a call. */
export interface CallFollower {
  /** Cancels the call, and the task that it has become. */
  readonly signal?: AbortSignal;
  /** Hears of the call whenever something may have changed. */
  readonly changed?: ((call: OwnCall) => void) | undefined;
}

/** Makes a call and waits until it has ended. Its questions are answered where its operation is shown. */
export async function callOnce(
  request: CallRequest,
  { signal, changed }: CallFollower = {},
): Promise<OwnCall> {
  const { id } = await ask('startCall', request);
  const cancel = () => void ask('cancelCall', { call: id }).catch(() => undefined);
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  return new Promise((resolve) => {
    const look = () => {
      const call = ownCalls.get(id);
      if (!call) return;
      changed?.(call);
      if (call.state !== 'ended') return;
      stop();
      resolve(call);
    };
    const stop = ownCalls.subscribe(look);
    look();
  });
}
