import { namesOf, readNames, writeNames } from '@toolwright/core/transport';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';

/** The parts of a JSON-RPC message that the relay needs. */
interface Message {
  id?: string | number;
  method?: string;
  params?: {
    notifications?: Record<string, unknown>;
    requestId?: string | number;
    _meta?: Record<string, unknown>;
  };
  result?: { protocolVersion?: string; capabilities?: Record<string, { listChanged?: boolean } | undefined> };
}

interface Asked {
  line: string;
  message: Message;
}

const LISTEN = 'subscriptions/listen';
const lists = ['tools', 'prompts', 'resources'] as const;

/**
 * Connects a host and an app on standard input, so that the host does not notice a restart. Messages of the host
 * wait. The new app gets the handshake and the subscriptions of the old one. The host gets the notification that
 * lists may have changed.
 */
export class StdioRelay {
  /** The input of an app that is ready, which gets the messages of the host. */
  private app: Writable | undefined;
  /** The latest that the host has asked for, or the app has agreed to. */
  private revision: string | undefined;
  private hasSpoken = false;
  private hasEnded = false;
  /** `initialize` and its confirmation, on revisions before 2026-07-28. */
  private handshake: Asked[] = [];
  private readonly waiting: string[] = [];
  private readonly unanswered = new Map<string | number, Asked>();
  /** Set while the new app answers the old handshake; called with its answer. */
  private introduced: ((message: Message) => void) | undefined;

  constructor(
    input: Readable,
    private readonly output: Writable,
    ended: () => void,
  ) {
    const lines = createInterface({ input });
    lines.on('line', (line) => this.fromHost(line));
    lines.once('close', () => {
      this.hasEnded = true;
      this.app?.end();
      ended();
    });
  }

  /** Sends nothing more to the app. Resolves when it has answered everything, or when the time is over. */
  async hold(patienceMs: number): Promise<void> {
    this.app = undefined;
    const until = performance.now() + patienceMs;
    const isBusy = () => [...this.unanswered.values()].some(({ message }) => message.method !== LISTEN);
    while (isBusy() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Forwards the output of an app. Call `connect` when the app is ready. */
  listen(input: Writable, output: Readable): void {
    // Until the host has sent its first message, the output is passed on as it comes: it may be other text, without line ends.
    output.on('data', (chunk) => !this.hasSpoken && this.output.write(chunk));
    createInterface({ input: output }).on('line', (line) => this.hasSpoken && this.fromApp(line, input));
  }

  /**
   * Sends an app the handshake, and then the messages that waited. This is for the first app and for every
   * later one.
   */
  connect(input: Writable): void {
    this.app = input;
    const [initialize] = this.handshake;
    const hasInitialized = initialize && !this.waiting.includes(initialize.line);
    if (!hasInitialized) return this.resume();
    this.introduced = ({ result }) => {
      for (const { line } of this.handshake.slice(1)) this.send(line);
      this.resume();
      for (const list of lists) if (result?.capabilities?.[list]?.listChanged) this.tellChanged(list);
    };
    this.send(initialize.line);
  }

  private fromHost(text: string): void {
    // As in `serveStdio`: some hosts begin with a byte order mark.
    const line = this.hasSpoken ? text : text.replace(/^\uFEFF/, '');
    this.hasSpoken = true;
    const message = this.read(line);
    if (message.method === 'initialize') this.handshake = [{ line, message }];
    if (message.method === 'notifications/initialized') this.handshake.push({ line, message });
    if (message.method === 'notifications/cancelled') this.unanswered.delete(message.params?.requestId ?? '');
    if (message.method !== undefined && message.id !== undefined)
      this.unanswered.set(message.id, { line, message });
    if (this.app && !this.introduced) this.send(line);
    else this.waiting.push(line);
  }

  private fromApp(line: string, app: Writable): void {
    const message = this.read(line);
    const asked = message.method === undefined ? this.unanswered.get(message.id ?? '') : undefined;
    const isCurrent = app === this.app;
    if (
      isCurrent &&
      this.introduced &&
      message.method === undefined &&
      message.id === this.handshake[0]?.message.id
    ) {
      const introduced = this.introduced;
      this.introduced = undefined;
      return introduced(message);
    }
    // An app that stops ends its subscriptions. The next app continues them, so the host must not see that.
    if (!isCurrent && (asked?.message.method === LISTEN || message.method === 'notifications/cancelled'))
      return;
    if (asked) this.unanswered.delete(message.id!);
    if (asked?.message.method === 'initialize') this.revision = message.result?.protocolVersion;
    this.output.write(`${line}\n`);
  }

  /**
   * Waiting messages go to the new app. The relay itself answers requests that the old app took and did not
   * answer.
   */
  private resume(): void {
    const waiting = this.waiting.splice(0);
    for (const [id, { line, message }] of [...this.unanswered]) {
      if (waiting.includes(line)) continue;
      if (message.method === LISTEN) {
        this.send(line);
        for (const list of lists)
          if (message.params?.notifications?.[`${list}ListChanged`]) this.tellChanged(list, id);
        continue;
      }
      this.unanswered.delete(id);
      const error = { code: -32603, message: 'The app was restarted. Try again.' };
      this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
    }
    for (const line of waiting) this.send(line);
    if (this.hasEnded) this.app?.end();
  }

  private tellChanged(list: (typeof lists)[number], subscription?: string | number): void {
    const params = subscription !== undefined && {
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } },
    };
    const change = { method: `notifications/${list}/list_changed`, ...params };
    this.output.write(
      `${JSON.stringify({ jsonrpc: '2.0', ...writeNames(namesOf(this.revision), change) })}\n`,
    );
  }

  /** A message in the names of the newest revision. The line itself is passed on as it is. */
  private read(line: string): Message {
    const message = parse(line);
    const { method, params } = message;
    if (typeof method !== 'string') return message;
    const said = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
    if (typeof said === 'string') this.revision = said;
    return readNames(namesOf(this.revision), { ...message, method });
  }

  private send(line: string): void {
    if (this.app?.writable) this.app.write(`${line}\n`);
  }
}

function parse(line: string): Message {
  try {
    const message = JSON.parse(line) as unknown;
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}
