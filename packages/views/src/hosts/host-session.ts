import type { HostProfile } from './host-profile.js';
import type { ShownResult, ViewServer, ViewUnderTest } from './view-under-test.js';

export type HostTheme = 'light' | 'dark';

/** A message of JSON-RPC between the page and its host. */
export interface HostMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Ports {
  readonly say: (message: HostMessage) => void;
  readonly show: () => void;
  readonly setHeight: (height: number) => void;
  readonly server: ViewServer;
}

/** The revision of the extension. */
const REVISION = '2026-01-26';

/** The host's side of the messages, for one page that is shown once. */
export class HostSession {
  /** Everything that the page has sent. */
  readonly heard: HostMessage[] = [];
  /** What the page did that a host does not expect. */
  readonly faults: string[] = [];
  readonly initialized: Promise<void>;
  #initialize!: () => void;
  #hasAsked = false;

  constructor(
    private readonly profile: HostProfile,
    private readonly shown: {
      readonly view: ViewUnderTest;
      readonly theme: HostTheme;
      readonly width: number;
    },
    private readonly ports: Ports,
  ) {
    this.initialized = new Promise((resolve) => (this.#initialize = resolve));
  }

  async hear(message: HostMessage): Promise<void> {
    if (typeof message !== 'object' || message === null || message.jsonrpc !== '2.0') return;
    this.heard.push(message);
    const { id, method, params = {} } = message;
    if (method === undefined) return;
    if (id === undefined) return this.#notified(method, params);
    try {
      const result = await this.#answer(method, params);
      this.ports.say({ jsonrpc: '2.0', id, result });
    } catch (error) {
      this.ports.say({
        jsonrpc: '2.0',
        id,
        error: { code: -32_601, message: error instanceof Error ? error.message : String(error) },
      });
    }
  }

  /** What the page gets of the result in this host. */
  get result(): ShownResult {
    const { result } = this.shown.view;
    return Object.fromEntries(
      Object.entries(result).filter(([key]) => !this.profile.keepsBack.some((kept) => kept === key)),
    );
  }

  tell(method: string, params: Readonly<Record<string, unknown>>): void {
    this.ports.say({ jsonrpc: '2.0', method, params });
  }

  #notified(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'ui/notifications/initialized') {
      if (!this.#hasAsked)
        this.faults.push('The page sent ui/notifications/initialized without ui/initialize.');
      this.ports.show();
      this.tell('ui/notifications/tool-input', { arguments: this.shown.view.input });
      this.tell('ui/notifications/tool-result', { ...this.result });
      this.#initialize();
    }
    if (method === 'ui/notifications/size-changed' && this.profile.height === 'as told') {
      const { height } = params;
      if (typeof height === 'number') this.ports.setHeight(Math.min(height, this.profile.maxHeight));
    }
  }

  async #answer(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    switch (method) {
      case 'ui/initialize':
        this.#hasAsked = true;
        return this.#introduction();
      case 'tools/call':
        return this.ports.server.callTool(String(params['name']), { ...(params['arguments'] as object) });
      case 'resources/read':
        return this.ports.server.readResource(String(params['uri']));
      case 'ui/request-display-mode':
        return { mode: this.profile.displayModes.find((mode) => mode === params['mode']) ?? 'inline' };
      case 'ping':
      case 'ui/message':
      case 'ui/open-link':
      case 'ui/update-model-context':
        return {};
      default:
        throw new Error(`This host has no method "${method}".`);
    }
  }

  #introduction(): object {
    const { id, variables, displayModes, maxHeight } = this.profile;
    const { view, theme, width } = this.shown;
    const colours = variables[theme];
    return {
      protocolVersion: REVISION,
      hostInfo: { name: `toolwright-emulation-of-${id}`, version: '1.0.0' },
      hostCapabilities: {
        serverTools: {},
        serverResources: {},
        openLinks: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
      },
      hostContext: {
        theme,
        locale: 'en-GB',
        timeZone: 'UTC',
        platform: 'web',
        displayMode: 'inline',
        availableDisplayModes: displayModes,
        containerDimensions: { width, maxHeight },
        toolInfo: { tool: view.tool },
        ...(Object.keys(colours).length > 0 && { styles: { variables: colours } }),
      },
    };
  }
}
