import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { WIDGET_STATE } from '@toolwright/views/open-ai';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { config } from 'zod';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { ask } from '../../../data/ask.js';
import { callOnce } from '../../../data/live.js';
import { AppAccess, type AppQuestion, AppQuestionDialog } from './app-access.js';
import { BridgeMessages } from './bridge-messages.js';
import type { Dialect } from './open-page.js';
import { type BridgeMessage, RecordedTransport } from './recorded-transport.js';
import { progressTeller } from './tell-progress.js';
import { usePage } from './use-page.js';

// It would compile its checks with `eval`, which the page may not use.
config({ jitless: true });

/** The specification has no message for the progress of the call that a page shows. Views take this one. */
const TOOL_PROGRESS = 'toolwright/notifications/tool-progress';

const MAX_HEIGHT = 900;
/** The messages that are shown. Older ones are forgotten. */
const MAX_MESSAGES = 200;

/**
 * The page of an MCP App with the result of a call. It runs in a sandbox, on an origin of its own. Each call has its own
 * page. What the console learns later of the same call, such as its progress, does not load the page again: the page hears of
 * it. A page that has changed is loaded into the same frame, so that it finds again what it has kept there.
 */
export default function AppView({
  uri,
  call: given,
  operation,
}: {
  uri: string;
  call: OwnCall;
  operation: Operation;
}) {
  const [call] = useState(given);
  const latest = useRef(given);
  /** Tells the page how its call goes on. */
  const goesOn = useRef<(call: OwnCall) => void>(undefined);
  const [tool] = useState(operation.listed);
  const frame = useRef<HTMLIFrameElement>(null);
  const widgetState = useRef<unknown>(null);
  const [dialect, setDialect] = useState<Dialect>('official');
  const [height, setHeight] = useState(320);
  const [asked, setAsked] = useState<Asked>();
  const [messages, setMessages] = useState<readonly BridgeMessage[]>([]);
  const [reloadMs, setReloadMs] = useState<number>();
  const globals = useCallback(() => globalsOf(latest.current, widgetState.current), []);
  const { page, problem } = usePage(uri, call, { dialect, globals });

  useEffect(() => {
    if (!page || !frame.current) return undefined;
    let open: Asked | undefined;
    // A page that asks again while a question is open is refused.
    const confirm = (question: AppQuestion) =>
      new Promise<boolean>((resolve) => {
        if (open) return resolve(false);
        const answer = (isAllowed: boolean) => {
          setAsked((open = undefined));
          resolve(isAllowed);
        };
        setAsked((open = { question, answer }));
      });
    const record = (message: BridgeMessage) => {
      setMessages((earlier) => [...earlier.slice(1 - MAX_MESSAGES), message]);
      const { method, params } = message.message;
      if (method === WIDGET_STATE) widgetState.current = (params as { widgetState: unknown }).widgetState;
    };
    const shown = () => setReloadMs(performance.now() - page.since);
    setMessages([]);
    const transport = new RecordedTransport(frame.current.contentWindow!, record);
    const bridge = bridgeFor({ uri, call: latest, tool }, { confirm, setHeight });
    let stopTheme = () => {};
    bridge.addEventListener('initialized', () => {
      stopTheme = onTheme((theme) => void bridge.setHostContext({ theme }));
      void bridge.sendToolInput({ arguments: { ...call.request.arguments } });
      goesOn.current = follow(bridge, transport, shown);
      goesOn.current(latest.current);
    });
    void bridge.connect(transport);
    frame.current.src = page.url;
    return () => {
      goesOn.current = undefined;
      stopTheme();
      open?.answer(false);
      void bridge.close();
    };
  }, [page, uri, call, tool]);

  useEffect(() => {
    latest.current = given;
    goesOn.current?.(given);
  }, [given]);

  if (problem !== undefined)
    return (
      <p role="alert" className="problem">
        {problem}
      </p>
    );
  return (
    <>
      {asked && <AppQuestionDialog {...asked} />}
      <div className="row app-bar">
        <label className="row">
          The host speaks
          <select value={dialect} onChange={({ target }) => setDialect(target.value as Dialect)}>
            <option value="official">the dialect of MCP Apps</option>
            <option value="openai">the dialect of OpenAI</option>
          </select>
        </label>
        {reloadMs !== undefined && <span className="faint">shown in {Math.round(reloadMs)} ms</span>}
      </div>
      <iframe
        ref={frame}
        title={`The app ${uri}`}
        className="app-frame"
        sandbox="allow-scripts"
        height={height}
      />
      <BridgeMessages messages={messages} />
    </>
  );
}

/** A question of the page, and what takes its answer. */
interface Asked {
  readonly question: AppQuestion;
  readonly answer: (isAllowed: boolean) => void;
}

interface Host {
  readonly confirm: (question: AppQuestion) => Promise<boolean>;
  readonly setHeight: (height: number) => void;
}

function themeNow(): 'dark' | 'light' {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return (document.documentElement.dataset['theme'] ?? (isDark ? 'dark' : 'light')) as 'dark' | 'light';
}

/** Hears when the page gets other colours. @returns what ends that */
function onTheme(hear: (theme: 'dark' | 'light') => void): () => void {
  const tell = () => hear(themeNow());
  const media = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(tell);
  media.addEventListener('change', tell);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    media.removeEventListener('change', tell);
    chosen.disconnect();
  };
}

function globalsOf({ request, result }: OwnCall, widgetState: unknown) {
  return {
    theme: themeNow(),
    locale: navigator.language,
    displayMode: 'inline',
    maxHeight: MAX_HEIGHT,
    toolInput: { ...request.arguments },
    toolOutput: result?.['structuredContent'] ?? null,
    toolResponseMetadata: result?.['_meta'] ?? null,
    widgetState,
  };
}

/** What is shown: a page, with the result of a call of this tool. */
interface ShownCall {
  readonly uri: string;
  readonly call: RefObject<OwnCall>;
  readonly tool: object;
}

function bridgeFor({ uri, call: latest, tool }: ShownCall, { confirm, setHeight }: Host): AppBridge {
  const { id, request } = latest.current;
  const bridge = new AppBridge(
    null,
    { name: 'toolwright-console', version: '1.0.0' },
    { serverTools: {}, serverResources: {} },
    {
      hostContext: {
        theme: themeNow(),
        locale: navigator.language,
        toolInfo: { id, tool: tool as never },
      },
    },
  );
  const { server, as } = request;
  const access = new AppAccess(uri, () => latest.current, {
    confirm,
    operations: async () => (await ask('surface', { server, ...(as && { as }) })).operations,
    run: async (wanted, follower) => {
      const { result, error } = await callOnce({ ...request, ...wanted }, follower);
      if (!result) throw new Error(error?.message);
      return result;
    },
  });
  bridge.oncalltool = async ({ name, arguments: args = {}, _meta }, { mcpReq: { signal, notify } }) => {
    const token = (_meta as { progressToken?: string | number } | undefined)?.progressToken;
    const changed =
      token === undefined
        ? undefined
        : progressTeller(
            (params) =>
              void notify({ method: 'notifications/progress', params: { progressToken: token, ...params } }),
          );
    return (await access.callTool(name, args, { signal, changed })) as never;
  };
  bridge.onreadresource = async ({ uri: wanted }) => (await access.readResource(wanted)) as never;
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) setHeight(Math.min(height, MAX_HEIGHT));
  });
  return bridge;
}

/** Tells a page how its call goes on, and how it ends. @param shown called when the page has got its result */
function follow(bridge: AppBridge, transport: RecordedTransport, shown: () => void): (call: OwnCall) => void {
  let hasEnded = false;
  const tell = progressTeller(
    (params) => void transport.send({ jsonrpc: '2.0', method: TOOL_PROGRESS, params }),
  );
  return (call) => {
    if (hasEnded) return;
    const { state, result, error } = call;
    tell(call);
    if (state !== 'ended') return;
    hasEnded = true;
    if (result) void bridge.sendToolResult(result as never).then(shown);
    else void bridge.sendToolCancelled({ reason: error?.message ?? '' });
  };
}
