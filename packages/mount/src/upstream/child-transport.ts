import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { endGroup, isRequestId, writeJson } from '@toolwright/core/transport';
import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { cutText, holdGroup, isObject } from '@toolwright/json';
import { BUDGET } from '../budget.js';
import { MountError } from '../errors.js';
import { isProgram } from './find-program.js';
import { isTooHeavy } from './is-too-heavy.js';
import { readPlainMessage } from './plain-message.js';

/** How a child process is started. */
export interface ChildSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly memoryBytes: number | undefined;
  /** The longest message that is read, in bytes. */
  readonly mostBytes: number;
  /** How many values one message may have. */
  readonly mostValues: number;
  /** Gets what the child writes on its standard error, a line each. */
  readonly said: (line: string) => void;
}

/** Variables without which Windows starts no program. None of them is a secret. */
const NEEDED = process.platform === 'win32' ? ['PATH', 'PATHEXT', 'SystemRoot', 'ComSpec', 'TEMP'] : ['PATH'];

/** How long a child may take to end by itself, and after SIGTERM. */
const PATIENCE_MS = 1_000;

/**
 * A server over stdio. Its process has a group of its own, so that what it starts ends with it. It sees the environment
 * that its mount gives it, and nothing of ours.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  /** Resolves when the child has read what waits for it. */
  #drained: Promise<void> | undefined;
  #rest: Buffer[] = [];
  #size = 0;

  constructor(private readonly settings: ChildSettings) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, env, cwd, memoryBytes } = this.settings;
    const [file, all] = limited(command, args, memoryBytes);
    // On Windows `npx` and its kind are batch files, which `spawn` of Node.js does not start.
    const child = spawn(file, all, {
      env: { ...pick(process.env, NEEDED), ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    let release: (() => void) | undefined;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => {
        // Windows has no group that outlives its first process.
        if (process.platform !== 'win32') endGroup(child.pid, 'SIGKILL');
        release?.();
        resolve();
      });
      child.once('error', () => resolve());
    });
    const { stdout } = child;
    stdout?.on('data', (chunk: Buffer) => {
      // Node.js reads dozens of chunks in one turn. The short lines of a flood would keep timers, and all other callers, for seconds.
      stdout.pause();
      setImmediate(() => stdout.resume());
      this.#read(chunk);
    });
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('error', () => undefined);
    this.#listen(child);
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        release = holdGroup(child.pid!, (pid) => endGroup(pid, 'SIGKILL'));
        resolve();
      });
      child.once('error', reject);
      // 'close' waits for pipes that a grandchild may hold open. The server is gone when its process is.
      child.once('exit', () => setImmediate(() => this.onclose?.()));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The process has ended.'));
    const line = `${writeJson(message)}\n`;
    // One message may be longer. What comes after it would wait for a child that reads nothing.
    if (stdin.writableLength > 0 && stdin.writableLength + line.length > BUDGET.unreadBytes) {
      endGroup(this.#child?.pid, 'SIGKILL');
      const text = 'The server behind this tool does not read what it is sent. Try again later.';
      return Promise.reject(new MountError('TW_MOUNT_DOWN', text, { retryable: true }));
    }
    if (stdin.write(line)) return Promise.resolve();
    this.#drained ??= new Promise<void>((resolve) => {
      const done = () => {
        this.#drained = undefined;
        stdin.off('drain', done).off('close', done);
        resolve();
      };
      stdin.once('drain', done).once('close', done);
    });
    return this.#drained;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    child.stdin?.end();
    if (await this.#endsWithin(PATIENCE_MS)) return;
    endGroup(child.pid, 'SIGTERM');
    if (await this.#endsWithin(PATIENCE_MS)) return;
    endGroup(child.pid, 'SIGKILL');
    await this.#exited;
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
    const ended = await Promise.race([this.#exited.then(() => true as const), late]);
    clearTimeout(timer);
    return ended;
  }

  #listen({ stderr }: ChildProcess): void {
    let line = '';
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (line + text).split('\n');
      line = lines.pop()!.slice(-2_000);
      for (const each of lines) if (each.trim()) this.settings.said(cutText(each, 2_000));
    });
    stderr?.on('error', () => undefined);
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#rest.push(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(this.#rest).toString('utf8');
      this.#rest = [];
      this.#size = 0;
      this.#take(line);
    }
    const left = chunk.subarray(from);
    this.#size += left.length;
    this.#rest.push(left);
    if (this.#size <= this.settings.mostBytes) return;
    this.#rest = [];
    this.#size = 0;
    this.onerror?.(
      new MountError('TW_MOUNT_ANSWER', 'The server behind this tool sent more than its mount allows.'),
    );
    endGroup(this.#child?.pid, 'SIGKILL');
  }

  /** The error in place of an answer that is not read. Our requests have numbers, and servers write them first or last. */
  #refusal(line: string): JSONRPCMessage | undefined {
    const [, first] = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),/.exec(line) ?? [];
    const [, last] = /"id":(\d{1,15})\}$/.exec(line.slice(-30)) ?? [];
    const id = first ?? last;
    if (id === undefined) return void endGroup(this.#child?.pid, 'SIGKILL');
    const text = `The server behind this tool sent more than ${this.settings.mostValues} values. Ask for less.`;
    const failure = new MountError('TW_MOUNT_ANSWER', text);
    return {
      jsonrpc: '2.0',
      id: Number(id),
      error: { code: -32603, message: text, data: { failure } },
    };
  }

  /** Many servers print something else first. Such a line is skipped. */
  #take(line: string): void {
    if (!line.trim()) return;
    // The error of the parser would cost more than all the rest.
    if (!/^\s*[[{]/.test(line)) return this.settings.said(cutText(line, 2_000));
    if (line.length > this.settings.mostBytes) return void endGroup(this.#child?.pid, 'SIGKILL');
    if (isTooHeavy(line, this.settings.mostValues)) {
      const refusal = this.#refusal(line);
      return refusal && this.onmessage?.(refusal);
    }
    let message: unknown;
    try {
      message = readPlainMessage(line);
    } catch {
      return this.settings.said(cutText(line, 2_000));
    }
    if (isMessage(message)) this.onmessage?.(message);
    else this.onerror?.(new Error('A line is no message of JSON-RPC.'));
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params, result } = value;
  if (jsonrpc !== '2.0') return false;
  if (id !== undefined && !isRequestId(id)) return false;
  if (method !== undefined) return typeof method === 'string' && (params === undefined || isObject(params));
  return id !== undefined && (result === undefined || isObject(result));
}

/** Only Linux can bound the memory of another program before it starts. */
function limited(
  command: string,
  args: readonly string[],
  memoryBytes: number | undefined,
): [file: string, args: string[]] {
  if (memoryBytes === undefined || !isProgram('prlimit')) return [command, [...args]];
  // The address space would be the wrong measure: Node.js reserves gigabytes of it and uses little.
  return ['prlimit', [`--data=${memoryBytes}`, '--', command, ...args]];
}

function pick(all: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}
