import { chartServers, PAGE } from './support/charts.js';

const start = chartServers();

const marked = (property: object) => ({ type: 'object' as const, properties: { iban: property } });
const secret = { type: 'string', 'x-sensitive': true };

/** Adds a tool whose page gets something that is marked sensitive. */
async function add(schemas: object, sensitive?: unknown, resourceUri: string | undefined = 'ui://bank/page') {
  const { server, wire } = await start({});
  server.resources.add({ uri: 'ui://bank/page', name: 'page', ui: {}, handler: () => PAGE });
  const ui = { ...(resourceUri && { resourceUri }), ...(sensitive !== undefined && { sensitive }) } as object;
  server.tools.add({ name: 'account', handler: () => ({ iban: 'DE00' }), ...schemas, ui });
  return (await wire.request('tools/list')).result.tools[0];
}

describe('a value that is marked sensitive', () => {
  it.each([
    ['an argument', { inputSchema: marked(secret) }],
    ['a password', { inputSchema: marked({ type: 'string', writeOnly: true }) }],
    ['a property of a result', { outputSchema: marked(secret) }],
    [
      'a property deep inside',
      { outputSchema: { type: 'object', properties: { rows: { type: 'array', items: marked(secret) } } } },
    ],
    ['a reference', { outputSchema: { ...marked({ $ref: '#/$defs/Iban' }), $defs: { Iban: secret } } }],
  ])('does not reach a page that does not declare it: %s', async (_case, schemas) => {
    await expect(add(schemas)).rejects.toThrow("its page would get 'iban', which is marked sensitive");
    await expect(add(schemas, ['bic'])).rejects.toThrow("'iban'");
  });

  it('reaches a page that declares it, and hosts learn nothing of the declaration', async () => {
    const { _meta } = await add({ outputSchema: marked(secret) }, ['iban']);
    expect(_meta.ui).toEqual({ resourceUri: 'ui://bank/page' });
  });

  it('may be in a tool without a page', async () => {
    expect(await add({ outputSchema: marked(secret) }, undefined, '')).toMatchObject({ name: 'account' });
  });

  it('is declared as a list of names', async () => {
    await expect(add({}, 'iban')).rejects.toThrow('its list sensitive is "iban"');
  });
});
