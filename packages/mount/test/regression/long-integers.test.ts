import { connect } from '@toolwright/client';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { call, send } from '../../../http/test/support/wire.js';
import { literalChild, results, serveLiterals } from '../support/literal-upstream.js';
import { createGateway } from '../support/tools.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const ways = {
  async json() {
    const upstream = await serveLiterals('json');
    open.push(upstream);
    return { url: upstream.url };
  },
  async stream() {
    const upstream = await serveLiterals('stream');
    open.push(upstream);
    return { url: upstream.url };
  },
  stdio: () => Promise.resolve(literalChild()),
};

describe.each(Object.entries(ways))('a server behind that answers over %s', (_name, options) => {
  async function gateway() {
    const made = await createGateway();
    open.push(made);
    await mountServer(made, 'rows', (await options()) as never);
    const served = await serveHttp(made, { port: 0, signals: false });
    open.push(served);
    return { made, url: served.url };
  }

  test('has its integers passed on digit for digit where its schema says so', async () => {
    const { url } = await gateway();
    const { text } = await send(url, call('row'));
    expect(text).toContain(`"structuredContent":${results['row']}`);
    expect(text).not.toContain('isError');
  });

  test('has digits passed on as text where it says nothing', async () => {
    const { url, made } = await gateway();
    const { json } = await send(url, call('open'));
    expect(json.result.structuredContent).toEqual({ id: '1610521604143693812' });
    expect(json.result.content).toEqual([{ type: 'text', text: results['open'] }]);
    const client = await connect(made);
    open.push(client);
    expect((await client.call('open', {})).structuredContent).toEqual({ id: '1610521604143693812' });
  });

  test('may have such an integer as a bound of its arguments', async () => {
    const { made } = await gateway();
    const [tool] = made.tools.list().filter(({ name }) => name === 'row');
    expect(tool!.inputSchema).toMatchObject({ properties: { limit: { type: 'integer', maximum: 2 ** 63 } } });
  });
});
