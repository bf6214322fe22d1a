import { Confirm } from '@toolwright/core';
import { bootForFile } from '../../../core/test/support/booted-sources.js';
import { askServer } from '../../../core/test/support/describe-integers-in-stores.js';
import { formsOf, integers } from '../../../core/test/support/integer-tools.js';
import { Browser, hidden } from '../support/browser.js';
import { RefundDesk } from '../support/refund-desk.js';

const source = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
export const seen: string[] = [];
@McpService() export class Tools {
  @McpTool()
  remove(id: bigint, beside: bigint[], limit: number): string {
    seen.push([id, ...beside].map((each) => typeof each + ' ' + each).join());
    return String(id);
  }
}`);

let desk: RefundDesk;
let seen: string[];
beforeAll(async () => {
  const { Tools, ...rest } = source.booted.load('tools.ts');
  seen = rest['seen'] as never;
  desk = await RefundDesk.open({ services: [Tools!], manifest: () => source.booted.manifest });
  const words = ({ id }: { id: bigint }) => `Delete ${id}?`;
  desk.server.tools.update('remove', { policies: { add: [Confirm.entry(words, { by: 'page' })] } });
});
afterAll(() => desk.close());

test.each(integers.flatMap((id) => formsOf(id).map((form) => [id, form])))(
  'a person reads and approves the integer %s, sent as %s, with all its digits',
  async (id, form) => {
    seen.length = 0;
    const call = { name: 'remove', arguments: { id: form, beside: [form], limit: '@1152921504606846976' } };
    const options = { principal: desk.principal('ann'), capabilities: { elicitation: { url: {} } } };
    const ask = async (more: object = {}) =>
      JSON.parse(await askServer(desk.server, 'tools/call', { ...call, ...more }, options)).result;
    const { inputRequests, requestState } = await ask();
    const [[key, { params }]] = Object.entries<any>(inputRequests) as [[string, any]];
    expect(params.message).toBe(`Delete ${id}?`);
    const browser = new Browser();
    const { html } = await browser.openAs('ann', params.url);
    // The question, two arguments, and the limit, if that is the same one.
    expect(html.split(id).length - 1).toBe(id === '1152921504606846976' ? 4 : 3);
    expect(html).toContain('1152921504606846976');
    await browser.open(params.url, { token: hidden(html, 'token'), decision: 'approve' });
    const done = await ask({ requestState, inputResponses: { [key]: { action: 'accept' } } });
    expect(done.content[0].text).toBe(id);
    expect(seen).toEqual([`bigint ${id},bigint ${id}`]);
  },
);
