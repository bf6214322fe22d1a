/** What `window.openai` has when the page begins. */
export interface OpenAiGlobals {
  readonly theme: 'light' | 'dark';
  readonly locale: string;
  readonly displayMode: string;
  readonly maxHeight: number;
  readonly toolInput: unknown;
  readonly toolOutput: unknown;
  readonly toolResponseMetadata: unknown;
  /** What the page has kept so far. */
  readonly widgetState: unknown;
}

/** The page has a new state to keep. This message is ours: the real host has a way of its own. */
export const WIDGET_STATE = 'toolwright/notifications/widget-state';

/** A function of the globals that makes `window.openai`. Its calls are ordinary messages to the host. */
const install = `(given) => {
  const waiting = new Map();
  let last = 0;
  const ask = (method, params) => new Promise((resolve, reject) => {
    const id = 'openai-' + ++last;
    waiting.set(id, { resolve, reject });
    parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  });
  const changed = (globals) => {
    Object.assign(openai, globals);
    dispatchEvent(new CustomEvent('openai:set_globals', { detail: { globals } }));
  };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || !data) return;
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.error) reject?.(new Error(data.error.message));
    else resolve?.(data.result);
    if (data.method === 'ui/notifications/tool-result')
      changed({ toolOutput: data.params.structuredContent ?? null, toolResponseMetadata: data.params._meta ?? null });
  });
  const openai = {
    ...given,
    safeArea: { insets: { top: 0, right: 0, bottom: 0, left: 0 } },
    userAgent: { device: { type: 'desktop' }, capabilities: { hover: true, touch: false } },
    setWidgetState: async (widgetState) => {
      changed({ widgetState });
      parent.postMessage({ jsonrpc: '2.0', method: '${WIDGET_STATE}', params: { widgetState } }, '*');
    },
    callTool: (name, args) => ask('tools/call', { name, arguments: args }),
    sendFollowUpMessage: ({ prompt }) => ask('ui/message', { role: 'user', content: [{ type: 'text', text: prompt }] }),
    openExternal: ({ href }) => ask('ui/open-link', { url: href }),
    requestDisplayMode: ({ mode }) => ask('ui/request-display-mode', { mode }),
    notifyIntrinsicHeight: (height) =>
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } }, '*'),
  };
  window.openai = openai;
}`;

/** How an emulation tells its frame what the globals are, before any script of the page runs. */
const MARK = 'toolwright-openai:';

export const openAiName = (globals: OpenAiGlobals): string => MARK + JSON.stringify(globals);

/**
 * Gives pages in the emulation of ChatGPT the object `window.openai` of the Apps SDK. It runs in each frame before the
 * page does, and does nothing where the name of the frame does not ask for it.
 */
export const openAiScript = `(() => {
  if (!window.name.startsWith(${JSON.stringify(MARK)})) return;
  const given = JSON.parse(window.name.slice(${MARK.length}));
  window.name = '';
  (${install})(given);
})();`;

/** The same for a document that begins with it. */
export function openAiMarkup(globals: OpenAiGlobals): string {
  return `<script>(${install})(${JSON.stringify(globals).replaceAll('<', '\\u003c')})</script>`;
}
