import { MaxOutput } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

test.each(['9007199254740993', '1234567890123456789', '1152921504606846976', '1e400', '7'])(
  'a text of JSON that is cut has the digits of its integers: %s',
  async (id) => {
    const whole = `[${Array.from({ length: 40 }, (_, at) => `{"id":${id},"at":${at}}`).join()}]`;
    const server = await boot({ services: [], rateLimit: false });
    server.tools.add({
      ...{ name: 'rows', description: 'Reads.', annotations: { readOnlyHint: true } },
      policies: [MaxOutput.entry({ bytes: 400 })],
      handler: () => ({ content: [{ type: 'text', text: whole }] }),
    });
    const wire = StatelessWire.of(server, 'ada');
    const pages: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const { result } = await wire.call('rows', cursor === undefined ? {} : { cursor });
      expect(result.isError).toBeFalsy();
      pages.push(result.content[0].text);
      cursor = /"cursor": "([^"]+)"/.exec(result.content[1]?.text ?? '')?.[1];
    }
    // Items are left out at the end of an array, and a text is cut anywhere.
    const joined = pages.every((page) => page.endsWith(']'))
      ? `[${pages.map((page) => page.slice(1, -1)).join()}]`
      : pages.join('');
    expect(joined).toBe(whole);
    await server.close(0);
  },
);
