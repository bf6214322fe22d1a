import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { WIDGET_STATE } from '@toolwright/views/open-ai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { config } from 'zod';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { Operation } from '../../../../../src/api/surface-api.js';
import { ask } from '../../../data/ask.js';
import { callOnce } from '../../../data/live.js';
import { AppAccess, type AppQuestion, AppQuestionDialog } from './app-access.js';
import { BridgeMessages } from './bridge-messages.js';
import type { Dialect } from './open-page.js';
import { type BridgeMessage, RecordedTransport } from './recorded-transport.js';
import { usePage } from './use-page.js';

// It would compile its checks with `eval`, which the page may not use.
config({ jitless: true });

const MAX_HEIGHT = 900;
/** The messages that are shown. Older ones are forgotten. */
const MAX_MESSAGES = 200;

/**
 * The page of an MCP App with the result of a call. It runs in a sandbox, on an origin of its own. Each call has its own
 * page. What the console learns later of the same call, such as its trace, does not load the page again. A page that has
 * changed is loaded into the same frame, so that it finds again what it has kept there.
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
  const [tool] = useState(operation.listed);
  const frame = useRef<HTMLIFrameElement>(null);
  const widgetState = useRef<unknown>(null);
  const [dialect, setDialect] = useState<Dialect>('official');
  const [height, setHeight] = useState(320);
  const [asked, setAsked] = useState<Asked>();
  const [messages, setMessages] = useState<readonly BridgeMessage[]>([]);
  const [reloadMs, setReloadMs] = useState<number>();
  const globals = useCallback(() => globalsOf(call, widgetState.current), [call]);
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
    const bridge = bridgeFor({ uri, call, tool }, { confirm, setHeight, shown });
    void bridge.connect(new RecordedTransport(frame.current.contentWindow!, record));
    frame.current.src = page.url;
    return () => {
      open?.answer(false);
      void bridge.close();
    };
  }, [page, uri, call, tool]);

  if (problem !== undefined)
    return (
      <p role="alert" className="problem">
        {problem}
      </p>
    );
  return (
    <>
      {asked && <AppQuestionDialog {...asked} />}
      <div className="row">
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
  /** The page has got its result. */
  readonly shown: () => void;
}

function themeNow(): 'dark' | 'light' {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return (document.documentElement.dataset['theme'] ?? (isDark ? 'dark' : 'light')) as 'dark' | 'light';
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
  readonly call: OwnCall;
  readonly tool: object;
}

function bridgeFor({ uri, call, tool }: ShownCall, { confirm, setHeight, shown }: Host): AppBridge {
  const bridge = new AppBridge(
    null,
    { name: 'toolwright-console', version: '1.0.0' },
    { serverTools: {}, serverResources: {} },
    {
      hostContext: {
        theme: themeNow(),
        locale: navigator.language,
        toolInfo: { id: call.id, tool: tool as never },
      },
    },
  );
  const { server, as } = call.request;
  const access = new AppAccess(uri, call, {
    confirm,
    operations: async () => (await ask('surface', { server, ...(as && { as }) })).operations,
    run: async (kind, key, args) => {
      const { result, error } = await callOnce({ ...call.request, kind, key, arguments: args });
      if (!result) throw new Error(error?.message);
      return result;
    },
  });
  bridge.oncalltool = async ({ name, arguments: args = {} }) => (await access.callTool(name, args)) as never;
  bridge.onreadresource = async ({ uri: wanted }) => (await access.readResource(wanted)) as never;
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) setHeight(Math.min(height, MAX_HEIGHT));
  });
  bridge.addEventListener('initialized', () => {
    void bridge.sendToolInput({ arguments: { ...call.request.arguments } });
    void bridge.sendToolResult(call.result as never).then(shown);
  });
  return bridge;
}
