import { Shop, textOf } from './support/shop.js';

let shop: Shop;
beforeEach(() => void (shop = new Shop()));
afterEach(() => shop.close());

/** Names that mean something in JavaScript, that are no identifiers, or that differ only in what identifiers lose. */
const NAMES = [
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__', 'prototype'],
  ...['catch', 'finally', 'toJSON', 'length', 'name', 'call', 'await', 'delete', 'class', 'default'],
  ...['find-order', 'find_order', 'find.order', 'findOrder', '1st', '-', '_'],
];

const tool = (name: string) => ({
  name,
  description: `Says ${name}.`,
  outputSchema: { type: 'object' as const, properties: { name: { type: 'string' } } },
  handler: () => ({ name }),
});

test('each tool is called by its own name, whatever the name means elsewhere', async () => {
  await shop.start({}, NAMES.map(tool));
  const code = `
    const names = ${JSON.stringify(NAMES)};
    const found = await Promise.all(names.map(async (name) => (await tools[name]({})).name));
    const own = [await tools.constructor(), await tools.toString(), await tools.__proto__(), await tools.findOrder()];
    return { found, own: own.map(({ name }) => name), is: await tools === tools, tag: Object.getPrototypeOf(tools) };`;
  expect((await shop.round(code)).structuredContent).toEqual({
    result: {
      found: NAMES,
      own: ['constructor', 'toString', '__proto__', 'findOrder'],
      is: true,
      tag: null,
    },
  });
});

test('a tool named "then" is called by clients, and never by `await tools`', async () => {
  await shop.start({}, [tool('then')]);
  const code = `const same = await tools; return [same === tools, typeof tools.then, 'then' in tools, typeof tools['then']]`;
  expect((await shop.round(code)).structuredContent).toEqual({
    result: [true, 'undefined', false, 'undefined'],
  });
  expect(shop.recordsOf('then')).toEqual([]);
  expect((await shop.wire().call('then', {})).result.structuredContent).toEqual({ name: 'then' });
});

test('a name that nobody has is an error, also the names of what every object has', async () => {
  await shop.start();
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'größe', '検索', 'e\u0301'];
  const code = `return Promise.all(${JSON.stringify(names)}.map((name) => tools[name]({}).then(() => 'called', ({ message }) => message)))`;
  const { result } = (await shop.round(code)).structuredContent;
  expect(result).toEqual(names.map((name) => expect.stringContaining(`Unknown tool: "${name}"`)));
  expect(textOf(await shop.round('return await tools.then({})'))).toMatch(/not a function/);
});
