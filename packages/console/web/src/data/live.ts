import type { QueryClient } from '@tanstack/react-query';
import type { OwnCall } from '../../../src/api/call-api.js';
import type { ConsoleEvent } from '../../../src/api/events.js';
import type { RecordedCall, RecordedMessage } from '../../../src/api/record-api.js';
import { ask } from './ask.js';
import { KeyedStore } from './keyed-store.js';
import { RecordList } from './record-list.js';

/** The calls of all clients, as they were last told. A call comes when it begins and when it has ended. */
export const calls = new RecordList<RecordedCall>(5_000);
export const messages = new RecordList<RecordedMessage>(10_000);
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
 * Follows the events of the console for as long as the page lives. After a break everything is asked again.
 *
 * @param connected hears whether the console can be reached
 */
export function follow(queries: QueryClient, connected: (isConnected: boolean) => void): () => void {
  const source = new EventSource('api/events');
  source.onopen = () => {
    connected(true);
    void queries.invalidateQueries();
    void load();
  };
  source.onerror = () => connected(false);
  source.onmessage = ({ data }: MessageEvent<string>) => take(JSON.parse(data) as ConsoleEvent, queries);
  return () => source.close();
}

function take(event: ConsoleEvent, queries: QueryClient): void {
  switch (event.type) {
    case 'overview':
      queries.setQueryData(['overview', {}], event.overview);
      break;
    case 'surface':
      for (const method of ['surface', 'explain', 'contract', 'origins'])
        void queries.invalidateQueries({ queryKey: [method] });
      break;
    case 'call':
      calls.add(event.call);
      break;
    case 'message':
      messages.add(event.message);
      break;
    case 'spans':
      for (const traceId of event.traceIds)
        void queries.invalidateQueries({ queryKey: ['spans', { traceId }] });
      break;
    case 'ownCall':
      ownCalls.set(event.call.id, event.call);
      break;
    case 'lost':
      void queries.invalidateQueries();
      void load();
      break;
    case 'build':
      void queries.invalidateQueries({ queryKey: ['contract'] });
      break;
  }
  listeners.forEach((listener) => listener(event));
}

async function load(): Promise<void> {
  const { access } = await ask('overview', {});
  const [older, sent, own] = await Promise.all([
    ask('calls', {}),
    ask('messages', {}),
    // A console that calls nothing would refuse, and the browser writes each refusal into its log.
    access.includes('call') ? ask('ownCalls', {}) : [],
  ]);
  calls.fill(older);
  messages.fill(sent);
  for (const call of own) ownCalls.set(call.id, call);
}
