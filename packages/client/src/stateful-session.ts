import type { Revision } from '@toolwright/core/transport';
import { RpcExchange, type OpenChannel } from './exchange.js';
import { answerInput, capabilitiesOf } from './input-handlers.js';
import {
  type Change,
  type ListenFilter,
  Notifications,
  type Params,
  type RequestOptions,
  type Result,
  type ServerDescription,
  type ClientSession,
  type ClientSessionOptions,
} from './session.js';

/** Speaks the revisions before 2026-07-28: first a handshake, and then requests in both directions. */
export class StatefulConnection implements ClientSession {
  server!: ServerDescription;
  private readonly notifications: Notifications;
  private exchange!: RpcExchange;

  private constructor(private readonly options: ClientSessionOptions) {
    this.notifications = new Notifications(options.onLog);
  }

  static async open(open: OpenChannel, options: ClientSessionOptions): Promise<StatefulConnection> {
    const session = new StatefulConnection(options);
    session.exchange = await RpcExchange.open(open, {
      revision: options.revision,
      notification: (method, params) => session.notifications.deliver(method, params),
      request: async (method, params) => (method === 'ping' ? {} : answerInput(options, method, params)),
    });
    session.server = await session.initialize();
    if (options.logLevel) await session.request('logging/setLevel', { level: options.logLevel });
    return session;
  }

  request(method: string, params: Params, { signal, onProgress }: RequestOptions = {}): Promise<Result> {
    const token = this.exchange.upcomingId;
    const _meta = { ...(params['_meta'] as Params | undefined), progressToken: token };
    return this.notifications.during(token, onProgress, () =>
      this.exchange.request(method, onProgress ? { ...params, _meta } : params, signal),
    );
  }

  /** On these revisions, changes of lists arrive without a subscription. Only resources need one. */
  async listen(filter: ListenFilter, hear: (change: Change) => void): Promise<() => Promise<void>> {
    const { uris = [] } = filter;
    const stop = this.notifications.listen((change) => {
      if (isWanted(filter, change)) hear(change);
    });
    for (const uri of uris) await this.request('resources/subscribe', { uri });
    return async () => {
      stop();
      for (const uri of uris) await this.request('resources/unsubscribe', { uri });
    };
  }

  close(): Promise<void> {
    return this.exchange.close();
  }

  private async initialize(): Promise<ServerDescription> {
    const { revision, clientInfo, capabilities = capabilitiesOf(this.options) } = this.options;
    const answer = await this.request('initialize', { protocolVersion: revision, clientInfo, capabilities });
    const { protocolVersion, serverInfo: info, capabilities: offered, instructions } = answer;
    this.exchange.negotiated(protocolVersion as Revision);
    await this.exchange.notify('notifications/initialized');
    return { revision: protocolVersion, info, capabilities: offered, instructions } as ServerDescription;
  }
}

function isWanted({ tools, prompts, resources, uris }: ListenFilter, { method, params }: Change): boolean {
  switch (method) {
    case 'notifications/tools/list_changed':
      return tools === true;
    case 'notifications/prompts/list_changed':
      return prompts === true;
    case 'notifications/resources/list_changed':
      return resources === true;
    case 'notifications/resources/updated':
      return uris?.includes(params['uri'] as string) ?? false;
    default:
      return false;
  }
}
