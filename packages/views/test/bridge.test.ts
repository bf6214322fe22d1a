import { connectView } from '../src/index.js';
import { QuietFrame, openInOfficialHost } from './support/official-host.js';

test('messages of frames other than the host are ignored', async () => {
  const { view, frame } = await openInOfficialHost();
  const forged = {
    jsonrpc: '2.0',
    method: 'ui/notifications/tool-result',
    params: { content: [], structuredContent: { amount: 0 } },
  };
  frame.receive(forged, { source: {} });
  expect(view.phase).toBe('loading');
  frame.receive(forged);
  expect(view.result).toEqual({ amount: 0 });
});

test.each([
  ['https://host.example', 'https://host.example'],
  ['null', '*'],
])('after the answer of a host at %s, messages go to %s only', async (origin, target) => {
  const frame = new QuietFrame();
  const receive = frame.receive.bind(frame);
  frame.receive = (data) => receive(data, { origin });
  await openInOfficialHost({ frame });
  expect(frame.sent.map(({ targetOrigin }) => targetOrigin)).toEqual(['*', target, target]);
});

test('what a view asks before the host has answered waits for the answer', async () => {
  const frame = new QuietFrame();
  const view = connectView({ frame });
  const call = view.call('add', { a: 1 });
  view.log('info', 'early');
  await new Promise(setImmediate);
  expect(frame.sent).toHaveLength(1);
  frame.toHost = ({ id, method }) => {
    if (method === 'tools/call')
      frame.receive({ jsonrpc: '2.0', id, result: { structuredContent: { sum: 1 } } });
  };
  frame.receive({
    jsonrpc: '2.0',
    id: 1,
    result: { hostInfo: { name: 'h' }, hostCapabilities: {}, hostContext: {} },
  });
  expect(await call).toEqual({ sum: 1 });
});

test('a host that refuses the handshake refuses all calls', async () => {
  const frame = new QuietFrame();
  const view = connectView({ frame });
  frame.receive({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'No such revision.' } });
  await expect(view.call('add', {})).rejects.toMatchObject({ message: 'No such revision.', code: -32602 });
});

describe('a call that the server wants to have confirmed', () => {
  const question = 'Cancel the order A-1?\nIt cannot be undone.';
  const asking = {
    content: [
      {
        type: 'text' as const,
        text: `Nothing was done yet (confirmation_required). Ask the user: ${question}\nOnly if they agree, call again with the same arguments and "confirmed": true.`,
      },
    ],
    isError: true,
  };
  const open = async () => {
    const given: unknown[] = [];
    const host = await openInOfficialHost({
      prepare: (bridge) => {
        bridge.oncalltool = async ({ arguments: args }) => {
          given.push(args);
          return args?.['confirmed'] === true ? { content: [], structuredContent: { id: 'A-1' } } : asking;
        };
      },
    });
    return { given, view: host.view };
  };

  test('is made again when the person agrees, and asks them the question of the server', async () => {
    const { given, view } = await open();
    const confirm = jest.fn(() => Promise.resolve(true));
    expect(await view.call('cancel', { id: 'A-1' }, { confirm })).toEqual({ id: 'A-1' });
    expect(confirm.mock.calls).toEqual([[question]]);
    expect(given).toEqual([{ id: 'A-1' }, { id: 'A-1', confirmed: true }]);
  });

  test('is not made again when they do not, or when nobody asks them', async () => {
    const { given, view } = await open();
    const confirm = () => Promise.resolve(false);
    await expect(view.call('cancel', { id: 'A-1' }, { confirm })).rejects.toThrow('it was not confirmed');
    await expect(view.call('cancel', { id: 'A-1' })).rejects.toThrow('confirmation_required');
    expect(given).toEqual([{ id: 'A-1' }, { id: 'A-1' }]);
  });
});

describe('the state', () => {
  const toolInfo = (id: number) => ({
    toolInfo: { id, tool: { name: 'a', inputSchema: { type: 'object' as const } } },
  });

  test.each([
    ['without an origin', false],
    ['with an origin', true],
  ])('survives that a frame %s loads its page again', async (_what, hasOrigin) => {
    const first = new QuietFrame();
    first.hasOrigin = hasOrigin;
    const { view } = await openInOfficialHost({ frame: first, context: toolInfo(1) });
    view.setState({ page: 3 });
    expect(view.state).toEqual({ page: 3 });

    const again = new QuietFrame();
    again.hasOrigin = hasOrigin;
    if (hasOrigin) for (const [key, value] of first.storage) again.storage.set(key, value);
    else again.name = first.name;
    const { view: reloaded } = await openInOfficialHost({ frame: again, context: toolInfo(1) });
    expect(reloaded.state).toEqual({ page: 3 });
  });

  test('is not given to the view of another call', async () => {
    const { view, frame } = await openInOfficialHost({ context: toolInfo(1) });
    view.setState({ page: 3 });
    const again = new QuietFrame();
    again.name = frame.name;
    const { view: other } = await openInOfficialHost({ frame: again, context: toolInfo(12) });
    expect(other.state).toBeUndefined();
  });

  test('stays in its frame where the host does not say which call it shows', async () => {
    const frame = new QuietFrame();
    frame.hasOrigin = true;
    const { view } = await openInOfficialHost({ frame });
    view.setState({ page: 3 });
    const again = new QuietFrame();
    again.name = frame.name;
    expect((await openInOfficialHost({ frame: again })).view.state).toEqual({ page: 3 });
    // All frames of an origin share its storage.
    const other = new QuietFrame();
    other.hasOrigin = true;
    for (const [key, value] of frame.storage) other.storage.set(key, value);
    expect((await openInOfficialHost({ frame: other })).view.state).toBeUndefined();
  });

  test('is kept by a host that keeps the states of views', async () => {
    const saved: unknown[] = [];
    const frame = Object.assign(new QuietFrame(), {
      openai: { widgetState: { page: 2 }, setWidgetState: (state: unknown) => saved.push(state) },
    });
    const { view } = await openInOfficialHost({ frame });
    expect(view.state).toEqual({ page: 2 });
    view.setState({ page: 4 });
    expect(saved).toEqual([{ page: 4 }]);
    expect(frame.name).toBe('');
  });
});
