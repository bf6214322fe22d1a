import {
  AppBridge,
  type McpUiHostCapabilities,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type ConnectViewOptions, connectView, type View } from '../../src/index.js';
import type { Frame, FrameMessage, RootElement } from '../../src/bridge/frame.js';

/** A frame as a browser gives it to a page, without drawing anything. */
export class QuietFrame implements Frame {
  readonly #listeners = new Set<(event: FrameMessage) => void>();
  readonly #observers = new Set<() => void>();
  readonly sent: { message: any; targetOrigin: string }[] = [];
  readonly variables: Record<string, string> = {};
  readonly heads: string[] = [];
  readonly storage = new Map<string, string>();
  box = { width: 320.2, height: 99.5 };
  name = '';
  hasOrigin = false;
  toHost: (message: any) => void = () => undefined;

  readonly parent = {
    postMessage: (message: unknown, targetOrigin: string) => {
      // A browser gives the other side a copy.
      const copy = structuredClone(message);
      this.sent.push({ message: copy, targetOrigin });
      queueMicrotask(() => this.toHost(copy));
    },
  };

  readonly document = {
    documentElement: {
      lang: '',
      dataset: {} as Record<string, string | undefined>,
      style: {
        colorScheme: '',
        height: '',
        setProperty: (name: string, value: string) => void (this.variables[name] = value),
      },
      getBoundingClientRect: () => this.box,
    } satisfies RootElement,
    head: {
      append: (child: unknown) => void this.heads.push((child as { textContent: string }).textContent),
    },
    createElement: () => ({ textContent: null }),
  };

  readonly ResizeObserver = ((frame: QuietFrame) =>
    class {
      constructor(private readonly changed: () => void) {}
      observe(): void {
        frame.#observers.add(this.changed);
      }
    })(this);

  get sessionStorage() {
    if (!this.hasOrigin) throw new Error('SecurityError');
    return {
      getItem: (key: string) => this.storage.get(key) ?? null,
      setItem: (key: string, value: string) => void this.storage.set(key, value),
    };
  }

  addEventListener(_type: 'message', listener: (event: FrameMessage) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: (event: FrameMessage) => void): void {
    this.#listeners.delete(listener);
  }

  /** A message arrives in the frame. */
  receive(data: unknown, { source = this.parent as unknown, origin = 'https://host.example' } = {}): void {
    for (const listener of this.#listeners) listener({ source, origin, data: structuredClone(data) });
  }

  resize(box: { width: number; height: number }): void {
    this.box = box;
    for (const changed of this.#observers) changed();
  }
}

export interface OfficialHost<Result = any> {
  readonly bridge: AppBridge;
  readonly frame: QuietFrame;
  readonly view: View<Result, any, any>;
}

interface HostOptions {
  context?: McpUiHostContext;
  capabilities?: McpUiHostCapabilities;
  frame?: QuietFrame;
  view?: ConnectViewOptions;
  /** Sets handlers before the view connects. */
  prepare?: (bridge: AppBridge) => void;
}

/** A view in the host of the official SDK. It is connected. */
export async function openInOfficialHost<Result = any>({
  context = {},
  capabilities = { openLinks: {}, serverTools: {}, logging: {}, message: { text: {} } },
  frame = new QuietFrame(),
  view: options,
  prepare,
}: HostOptions = {}): Promise<OfficialHost<Result>> {
  const bridge = new AppBridge(null, { name: 'Official host', version: '1.0.0' }, capabilities, {
    hostContext: context,
  });
  prepare?.(bridge);
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message: JSONRPCMessage) => frame.receive(message),
  };
  frame.toHost = (message) => transport.onmessage?.(message);
  await bridge.connect(transport);
  const view = connectView<Result, any, any>({ frame, ...options });
  await view.ready;
  return { bridge, frame, view };
}
