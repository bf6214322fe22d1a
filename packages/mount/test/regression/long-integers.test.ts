import { connect } from '@toolwright/client';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { call, send } from '../../../http/test/support/wire.js';
import { literalChild, results, serveLiterals } from '../support/literal-upstream.js';
import { createGateway } from '../support/tools.js';

/** The same request with other digits in place of the text `@`. */
const withDigits = ({ body, ...rest }: ReturnType<typeof call>, digits: string) => ({
  ...rest,
  body: JSON.stringify(body).replace('"@"', digits),
});

const open = closedAfterEach();

const over = (type: string) => async () => {
  const upstream = await serveLiterals(type);
  open.push(upstream);
  return { url: upstream.url };
};

const ways = {
  json: over('application/json'),
  'json, whose type speaks of streams': over('application/json; not=text/event-stream'),
  stream: over('text/event-stream'),
  'stream, whose type has capitals': over('Text/Event-Stream; charset=utf-8'),
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

  test('gets the digits that our caller has sent, in arguments and in nothing else', async () => {
    const { url } = await gateway();
    for (const id of ['1152921504606846976', '-9007199254740994', '5', '9223372036854775808']) {
      const { text, json } = await send(url, withDigits(call('echo', { id: '@' }), id));
      expect(json.result.content).toEqual([{ type: 'text', text: `{"id":${id}}` }]);
      expect(text).toContain('"x/id":"1610521604143693812"');
    }
  });

  test('has integers that a double holds passed on with the same digits', async () => {
    const { url } = await gateway();
    const { text } = await send(url, call('even'));
    expect(text).toContain(`"structuredContent":${results['even']}`);
  });

  test('has its values of arguments as words, where no double holds them', async () => {
    const { made } = await gateway();
    const tool = made.tools.list().find(({ name }) => name === 'echo');
    expect(tool!.inputSchema!.properties).toEqual({
      id: { type: 'integer', maximum: 2 ** 63 },
      since: { type: 'integer', description: 'Default: 1610521604143693812.' },
      kind: { type: 'integer', description: 'One of: 1610521604143693812, 5.' },
      other: { anyOf: [{ description: 'Always: 1610521604143693812.' }, { type: 'null' }] },
    });
  });

  test('says in its own words and numbers why a call failed', async () => {
    const { url } = await gateway();
    const { text } = await send(url, call('fails'));
    expect(text).toContain(
      '"error":{"code":-32050,"message":"No row.","data":{"id":"1610521604143693812","at":"1152921504606846976"}}',
    );
  });

  test('may have such an integer as a bound of its arguments', async () => {
    const { made } = await gateway();
    const [tool] = made.tools.list().filter(({ name }) => name === 'row');
    expect(tool!.inputSchema).toMatchObject({ properties: { limit: { type: 'integer', maximum: 2 ** 63 } } });
  });
});
