import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import type { McpServer } from '@toolwright/core';
import '../../../search/src/index.js';
import { bootForFile } from '../../../core/test/support/booted-sources.js';
import { askServer } from '../../../core/test/support/describe-integers-in-stores.js';
import { formsOf, integers, integerTools, rowText } from '../../../core/test/support/integer-tools.js';
import { createGateway } from '../support/tools.js';

const behind = bootForFile(integerTools);
const open: { close(): unknown }[] = [];
let gateway: McpServer;
let seen: string[];
beforeAll(async () => {
  ({ seen } = behind.booted.load('tools.ts') as never);
  const served = await serveHttp(behind.booted.server, { port: 0, signals: false });
  gateway = await createGateway({ toolSearch: { above: 1_000_000 } } as never);
  open.push(served, gateway, await mountServer(gateway, 'rows', { url: served.url }));
});
afterAll(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
beforeEach(() => void (seen.length = 0));

const call = (name: string, args: object, more: object = {}) =>
  askServer(gateway, 'tools/call', { name, arguments: args, ...more });

test.each(integers.flatMap((id) => formsOf(id).map((form) => [id, form])))(
  'a mount passes the integer %s, sent as %s, in both directions and in each form of a type',
  async (id, form) => {
    expect(await call('give', { id: form })).toContain(`"structuredContent":${rowText(id)}`);
    expect(await call('call_tool', { name: 'give', arguments: { id: form } })).toContain(rowText(id));
    const whole = {
      id: form,
      ids: [form, 1],
      by: { a: form },
      map: { a: form },
      set: [form],
      deep: { rows: [{ id: form }] },
    };
    expect(JSON.parse(await call('take', whole)).result.content[0].text).toBe(id);
    const { inputRequests, requestState } = JSON.parse(await call('asked', { id: form })).result;
    const [[key, { params }]] = Object.entries<any>(inputRequests) as [[string, any]];
    expect(params.message).toContain(`Beside ${id}?`);
    const inputResponses = { [key]: { action: 'accept', content: { other: id } } };
    expect(await call('asked', { id: form }, { requestState, inputResponses })).toContain(rowText(id));
    const heard = await call('said', { id: form });
    expect(heard).toContain(`No row ${id}.`);
    const read = await askServer(gateway, 'resources/read', { uri: `row://${id}` });
    expect(JSON.parse(read).result.contents[0].text).toBe(rowText(id));
    const prompt = await askServer(gateway, 'prompts/get', { name: 'words', arguments: { id } });
    expect(prompt).toContain(`Row ${id}`);
    expect(new Set(seen.join().split(','))).toEqual(new Set([`bigint ${id}`]));
  },
);
