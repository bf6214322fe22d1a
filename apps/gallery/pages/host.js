/* global addEventListener, document, parent, ResizeObserver */

/**
 * The page's side of MCP Apps (revision 2026-01-26): JSON-RPC 2.0 with the host, by postMessage. By hand, since the
 * official SDK with what it needs is half a megabyte to inline.
 */
globalThis.host = (() => {
  const waiting = new Map();
  const listeners = new Map();
  let lastId = 0;

  // A sandboxed page cannot know its host's origin, and posts nothing that is secret.
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

  function request(method, params) {
    const id = ++lastId;
    post({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  function settle({ id, result, error }) {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  }

  function answer({ id, method }) {
    if (method === 'ping' || method === 'ui/resource-teardown') post({ id, result: {} });
    else post({ id, error: { code: -32601, message: `This page has no method "${method}".` } });
  }

  addEventListener('message', ({ source, data }) => {
    // Frames of others may post here, too.
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) settle(data);
    else if (data.id === undefined) listeners.get(data.method)?.(data.params ?? {});
    else answer(data);
  });

  function wear({ theme, styles }) {
    const { style } = document.documentElement;
    if (theme) style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {})) style.setProperty(name, value);
  }

  function tellSize() {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const params = { width: Math.ceil(width), height: Math.ceil(height) };
    post({ method: 'ui/notifications/size-changed', params });
  }

  return {
    /** Hears notifications, such as `ui/notifications/tool-result`. Call it before `connect`. */
    on: (method, listener) => void listeners.set(method, listener),

    /** Gives what the host says of itself; only then does it send anything. */
    async connect(appInfo) {
      listeners.set('ui/notifications/host-context-changed', wear);
      const result = await request('ui/initialize', {
        protocolVersion: '2026-01-26',
        appInfo,
        appCapabilities: { availableDisplayModes: ['inline'] },
      });
      wear(result.hostContext ?? {});
      post({ method: 'ui/notifications/initialized' });
      new ResizeObserver(tellSize).observe(document.documentElement);
      return result;
    },

    /** Calls a tool of the server that the page came from. */
    callTool: (name, args) => request('tools/call', { name, arguments: args }),

    /** Says what the model should know of; each time in place of what was said before. */
    tellModel: (text) => request('ui/update-model-context', { content: [{ type: 'text', text }] }),
  };
})();
