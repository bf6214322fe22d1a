import type { Frame } from './frame.js';
import { type DisplayMode, type ViewHost, unknownHost, wearContext, withContext } from './host.js';
import { type KeptState, keepState } from './kept-state.js';
import { questionIn, textOf, valueOf } from './read-result.js';
import { afterProgress, readProgress } from './progress.js';
import { type MessageParams, ViewError, openRpc } from './rpc.js';
import type { View, ViewContents, ViewSnapshot } from './view.js';

export interface ConnectViewOptions {
  /** How the view names itself to the host. */
  readonly name?: string;
  readonly version?: string;
  /** The modes in which the view looks right. Default: `['inline']`. */
  readonly displayModes?: readonly DisplayMode[];
  /** Tools whose values are sent as the member `result` of an object. `toolwright build` fills it. */
  readonly wrapped?: readonly string[];
  /** The tool whose result is shown, for hosts that do not name it. */
  readonly tool?: string;
  /** The frame in which the view runs. Default: the global object of the page. */
  readonly frame?: Frame;
}

/**
 * The progress of the call whose result is shown. The specification has no message for it. Hosts may send this one while the
 * call runs, with the members of `notifications/progress`; the console does.
 */
const TOOL_PROGRESS = 'toolwright/notifications/tool-progress';

/** The revision of MCP Apps. Hosts answer with one that they know. */
const REVISION = '2026-01-26';

/**
 * Connects the page with the host around it: the page's side of MCP Apps (`io.modelcontextprotocol/ui`, revision
 * 2026-01-26). It returns at once. `snapshot` says what is known, and `onChange` when that changes.
 *
 * @example
 * const view = connectView<{ city: string }>();
 * view.onResult(({ city }) => (document.body.textContent = city));
 */
export function connectView<Result = unknown, Args = Record<string, unknown>, State = unknown>(
  options: ConnectViewOptions = {},
): View<Result, Args, State> {
  const { frame = globalThis as unknown as Frame, displayModes = ['inline'], wrapped = [] } = options;
  const onChange = new Set<() => void>();
  const onResult = new Set<(result: Result) => void>();
  const onClose = new Set<() => unknown>();
  let kept: KeptState | undefined;
  let snapshot: ViewSnapshot<Result, Args, State> = {
    phase: 'loading',
    args: {},
    result: undefined,
    part: undefined,
    progress: undefined,
    text: '',
    host: unknownHost,
    state: undefined,
  };

  const change = (changes: Partial<ViewSnapshot<Result, Args, State>>) => {
    snapshot = { ...snapshot, ...changes };
    for (const listener of onChange) listener();
  };
  const subscribe =
    <L>(listeners: Set<L>) =>
    (listener: L) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };

  const takeContext = (context: MessageParams) => {
    wearContext(frame, context);
    change({ host: withContext(snapshot.host, context) });
  };
  const isWrapped = (tool: string | undefined) => tool !== undefined && wrapped.includes(tool);
  const takeResult = (sent: MessageParams) => {
    const text = textOf(sent);
    if (sent['isError']) return change({ phase: 'failed', text });
    const result = valueOf(sent, isWrapped(snapshot.host.tool ?? options.tool)) as Result;
    change({ phase: 'done', result, text });
    for (const listener of onResult) listener(result);
  };
  const takeProgress = (sent: MessageParams) => {
    // A report that was on its way when the result came says nothing new.
    if (snapshot.phase !== 'loading') return;
    change(afterProgress(readProgress(sent), snapshot.part));
  };
  const takeArgs = ({ arguments: args = {} }: MessageParams) => change({ args: args as Partial<Args> });

  const rpc = openRpc(frame, {
    requests: {
      ping: () => ({}),
      async 'ui/resource-teardown'() {
        await Promise.all([...onClose].map((listener) => listener()));
        return {};
      },
    },
    notifications: {
      'ui/notifications/tool-input': takeArgs,
      'ui/notifications/tool-input-partial': takeArgs,
      'ui/notifications/tool-result': takeResult,
      [TOOL_PROGRESS]: takeProgress,
      'ui/notifications/tool-cancelled': ({ reason = '' }) =>
        change({ phase: 'cancelled', text: reason as string }),
      'ui/notifications/host-context-changed': takeContext,
    },
  });

  const connect = async (): Promise<ViewHost> => {
    const { hostInfo, hostCapabilities, hostContext } = (await rpc.request('ui/initialize', {
      protocolVersion: REVISION,
      appInfo: { name: options.name ?? 'view', version: options.version ?? '1.0.0' },
      appCapabilities: { availableDisplayModes: displayModes },
    })) as { hostInfo?: { name: string }; hostCapabilities?: MessageParams; hostContext?: MessageParams };
    const context = hostContext ?? {};
    const { id } = (context['toolInfo'] ?? {}) as { id?: string | number };
    kept = keepState(frame, String(id ?? ''));
    const { state = kept.load() as State | undefined, host } = snapshot;
    wearContext(frame, context);
    change({
      state,
      host: {
        ...withContext(host, context),
        ...(hostInfo && { name: hostInfo.name }),
        capabilities: hostCapabilities ?? {},
      },
    });
    rpc.notify('ui/notifications/initialized');
    reportSize(frame, (size) => rpc.notify('ui/notifications/size-changed', size));
    return snapshot.host;
  };
  const ready = connect();
  // A host that does not answer leaves the view as it is. Who waits for `ready` hears of it.
  ready.catch(() => undefined);

  /** The specification lets nothing but `ui/initialize` be sent before the host has answered. */
  const ask: typeof rpc.request = async (...request) => {
    await ready;
    return rpc.request(...request);
  };
  const order = async (method: string, params: MessageParams, refused: string) => {
    const { isError } = await ask(method, params);
    if (isError) throw new ViewError(refused);
  };
  const say = (method: string, params: MessageParams) =>
    void ready.then(
      () => rpc.notify(method, params),
      () => {},
    );

  const view: Omit<View<Result, Args, State>, 'snapshot' | keyof ViewSnapshot> = {
    ready,
    onChange: subscribe(onChange),
    onClose: subscribe(onClose),
    onResult(listener) {
      if (snapshot.phase === 'done') listener(snapshot.result as Result);
      return subscribe(onResult)(listener);
    },
    async call(name, args, { confirm, ...callOptions } = {}) {
      const send = (given: MessageParams) => ask('tools/call', { name, arguments: given }, callOptions);
      let result = await send(args);
      const question = confirm && questionIn(result);
      if (question) {
        if (!(await confirm(question)))
          throw new ViewError('Nothing was done, because it was not confirmed.');
        result = await send({ ...(args as MessageParams), confirmed: true });
      }
      if (result['isError']) throw new ViewError(textOf(result));
      return valueOf(result, isWrapped(name)) as never;
    },
    read: async (uri) => ((await ask('resources/read', { uri }))['contents'] ?? []) as ViewContents[],
    message: (text) =>
      order('ui/message', { role: 'user', content: [textBlock(text)] }, 'The host did not send the message.'),
    tellModel: async (text, data) =>
      void (await ask('ui/update-model-context', {
        content: [textBlock(text)],
        ...(data && { structuredContent: data }),
      })),
    openLink: (url) => order('ui/open-link', { url }, 'The host did not open the link.'),
    download: ({ name, ...content }) =>
      order(
        'ui/download-file',
        {
          contents: [
            { type: 'resource', resource: { uri: `file:///${encodeURIComponent(name)}`, ...content } },
          ],
        },
        'The host did not save the file.',
      ),
    async requestDisplayMode(wanted) {
      const { mode = snapshot.host.displayMode } = await ask('ui/request-display-mode', { mode: wanted });
      takeContext({ displayMode: mode });
      return mode as DisplayMode;
    },
    setState(state) {
      kept?.save(state);
      change({ state });
    },
    log: (level, data) => say('notifications/message', { level, data }),
    close: () => say('ui/notifications/request-teardown', {}),
  };
  // Each part of the snapshot is a member of the view, too.
  const members = Object.keys(snapshot) as (keyof ViewSnapshot)[];
  const parts = members.map((name) => [name, { get: () => snapshot[name], enumerable: true }] as const);
  return Object.defineProperties(view, {
    snapshot: { get: () => snapshot, enumerable: true },
    ...Object.fromEntries(parts),
  }) as View<Result, Args, State>;
}

function textBlock(text: string): MessageParams {
  return { type: 'text', text };
}

/** Says how much space the page needs, now and whenever that changes. */
function reportSize(
  { document, ResizeObserver }: Frame,
  say: (size: { width: number; height: number }) => void,
): void {
  const root = document.documentElement;
  let last = '';
  const measure = () => {
    const { height } = root.style;
    // The page may be as high as its frame. Only its content says how high it must be.
    root.style.height = 'max-content';
    const box = root.getBoundingClientRect();
    root.style.height = height;
    const size = { width: Math.ceil(box.width), height: Math.ceil(box.height) };
    const now = `${size.width} ${size.height}`;
    if (now === last) return;
    last = now;
    say(size);
  };
  measure();
  new ResizeObserver(measure).observe(root);
}
