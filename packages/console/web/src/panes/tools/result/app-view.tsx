import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import { useEffect, useRef, useState } from 'react';
import { config } from 'zod';
import type { AppFrame, AppFramePolicy } from '../../../../../src/api/console-api.js';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import { ask } from '../../../data/ask.js';
import { callOnce } from '../../../data/live.js';
import { AppAccess, type AppQuestion, AppQuestionDialog } from './app-access.js';

// It would compile its checks with `eval`, which the page may not use.
config({ jitless: true });

const MAX_HEIGHT = 900;

/**
 * The page of an MCP App with the result of a call. It runs in a sandbox, on an origin of its own. Each call has its own
 * page. What the console learns later of the same call, such as its trace, does not load the page again.
 */
export default function AppView({ uri, call: given }: { uri: string; call: OwnCall }) {
  const [call] = useState(given);
  const frame = useRef<HTMLIFrameElement>(null);
  const [url, setUrl] = useState<string>();
  const [height, setHeight] = useState(320);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<Asked>();

  useEffect(() => {
    let isShown = true;
    open(uri, call).then(
      (opened) => isShown && setUrl(opened),
      (error: Error) => isShown && setProblem(error.message),
    );
    return () => void (isShown = false);
  }, [uri, call]);

  useEffect(() => {
    if (!url || !frame.current) return undefined;
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
    const bridge = bridgeFor(uri, call, { confirm, setHeight });
    const shown = frame.current.contentWindow!;
    void bridge.connect(new PostMessageTransport(shown, shown));
    frame.current.src = url;
    return () => {
      open?.answer(false);
      void bridge.close();
    };
  }, [url, uri, call]);

  if (problem !== undefined)
    return (
      <p role="alert" className="problem">
        {problem}
      </p>
    );
  return (
    <>
      {asked && <AppQuestionDialog {...asked} />}
      <iframe
        ref={frame}
        title={`The app ${uri}`}
        className="app-frame"
        sandbox="allow-scripts"
        height={height}
      />
    </>
  );
}

/** Reads the page and hands it over to the console's server, which shows it under a policy of its own. */
async function open(uri: string, { request }: OwnCall): Promise<string> {
  const { result, error } = await callOnce({ ...request, kind: 'resource', key: uri, arguments: {} });
  const [content] = (result?.['contents'] ?? []) as {
    text?: string;
    _meta?: { ui?: { csp?: AppFramePolicy } };
  }[];
  if (content?.text === undefined) throw new Error(error?.message ?? `${uri} is no page.`);
  const csp = content._meta?.ui?.csp;
  const response = await fetch('frames', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html: content.text, ...(csp && { csp }) }),
  });
  const answer = (await response.json()) as AppFrame & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `The console answered ${response.status}.`);
  return answer.url;
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

function bridgeFor(uri: string, call: OwnCall, { confirm, setHeight }: Host): AppBridge {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = document.documentElement.dataset['theme'] ?? (isDark ? 'dark' : 'light');
  const bridge = new AppBridge(
    null,
    { name: 'toolwright-console', version: '1.0.0' },
    { serverTools: {}, serverResources: {} },
    { hostContext: { theme: theme as 'dark' | 'light' } },
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
    void bridge.sendToolResult(call.result as never);
  });
  return bridge;
}
