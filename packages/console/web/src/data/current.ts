import { useSyncExternalStore } from 'react';
import type { ChatOf } from '../../../src/api/chat-api.js';
import type { Overview, ServerSummary } from '../../../src/api/overview-api.js';
import type { Identity } from '../../../src/api/surface-api.js';
import { useAsk } from './ask.js';

/** A choice of the person that the browser remembers. */
export class Setting<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly name: string,
    initial: T,
    private readonly storage: Storage = localStorage,
  ) {
    this.#value = this.#read() ?? initial;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    try {
      this.storage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // A full or forbidden storage: the choice lasts as long as the page.
    }
    this.#listeners.forEach((listener) => listener());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  get #key(): string {
    return `toolwright.${this.name}`;
  }

  #read(): T | undefined {
    try {
      const text = this.storage.getItem(this.#key);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }
}

export function useSetting<T>(setting: Setting<T>): [T, (value: T) => void] {
  const value = useSyncExternalStore(setting.subscribe, () => setting.value);
  return [value, (next) => setting.set(next)];
}

const serverSetting = new Setting<string | undefined>('server', undefined);

/** Whom the console plays. `undefined`: an anonymous caller. It is forgotten with the tab. */
const identitySetting = new Setting<Identity | undefined>('identity', undefined, sessionStorage);

export function useOverview(): Overview | undefined {
  return useAsk('overview', {}).data;
}

/** The server that the person looks at, and how to look at another one. */
export function useServer(): [ServerSummary | undefined, (id: string) => void] {
  const overview = useOverview();
  const [chosen, choose] = useSetting(serverSetting);
  const servers = overview?.servers ?? [];
  return [servers.find(({ id }) => id === chosen) ?? servers[0], choose];
}

export function useIdentity(): [Identity | undefined, (identity: Identity | undefined) => void] {
  return useSetting(identitySetting);
}

/** What the server keeps at this moment, and how to ask about it. */
export function useServerState() {
  const [server] = useServer();
  const on = server && { server: server.id };
  const { data: state, error } = useAsk('state', on, { refetchInterval: 2_000 });
  return { on, state, error };
}

/** What the current caller sees of the current server. */
export function useSurface() {
  const [server] = useServer();
  const [as] = useIdentity();
  return useAsk('surface', server && { server: server.id, ...(as && { as }) });
}

/** Which chat is meant: the parameter of its questions. */
export function chatOf({ server, as }: ChatOf): ChatOf {
  return { server, ...(as && { as }) };
}

/** The chat of the current caller with the current server. */
export function useChat() {
  const [server] = useServer();
  const [as] = useIdentity();
  const of = server && chatOf({ server: server.id, ...(as && { as }) });
  return { of, ...useAsk('chat', of, { staleTime: Infinity }) };
}
