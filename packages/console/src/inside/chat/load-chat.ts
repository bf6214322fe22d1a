import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ChatTurnState } from '@toolwright/json';

type Json = Readonly<Record<string, unknown>>;

/** What the console uses of `@toolwright/chat`. It does not depend on the package, and a test compares both. */
export interface ChatPackage {
  /** @throws with what to set in the environment */
  readChatSettings(environment: NodeJS.ProcessEnv): LoadedSettings;
  readonly Chat: new (settings: LoadedSettings, host: LoadedHost) => LoadedChat;
  addCases(path: string, cases: readonly never[]): readonly string[];
}

export interface LoadedSettings {
  readonly url: string;
  readonly model: string;
}

export interface LoadedChat {
  readonly turns: readonly ChatTurnState[];
  send(text: string): void;
  stop(): void;
  allow(call: string, isAllowed: boolean): boolean;
  cases(turn: number): readonly object[];
}

export interface LoadedHost {
  offered(): Promise<{
    readonly tools: readonly { readonly name: string; readonly inputSchema: Json }[];
    readonly system: string | undefined;
    isFree(tool: string): boolean;
  }>;
  call(call: {
    readonly tool: string;
    readonly arguments: Json;
    readonly signal: AbortSignal;
    began(id: string): void;
  }): Promise<{ readonly result: Json } | { readonly error: string }>;
  changed(): void;
  now(): number;
}

let found: { readonly path: string | undefined } | undefined;

/** Whether somebody has installed the package: for the application, or beside the console. Nothing of it is loaded. */
export function hasChat(): boolean {
  return (found ??= { path: findChat() }).path !== undefined;
}

/** @returns `undefined` when it is not installed */
export function loadChat(): ChatPackage | undefined {
  return hasChat() ? (createRequire(__filename)(found!.path!) as ChatPackage) : undefined;
}

function findChat(): string | undefined {
  for (const from of [process.argv[1], join(process.cwd(), 'package.json'), __filename]) {
    try {
      if (from) return createRequire(from).resolve('@toolwright/chat');
    } catch {
      // It is not visible from this folder. It may be from the next one.
    }
  }
  return undefined;
}
