import { expect, test } from '@jest/globals';
import '../src/matchers/extend-expect.js';

const refused = { isError: true, content: [{ type: 'text', text: 'No page has the id 7.' }] };

test('the matchers exist for an imported `expect`', async () => {
  expect(refused).toBeToolError(/no page/i);
  expect({}).not.toBeToolError();
  const count = { type: 'object', properties: { count: { type: 'integer' } } } as const;
  await expect({ structuredContent: { count: 3 } }).toMatchOutputSchema(count);
  await expect(Promise.resolve({ structuredContent: { count: 3 } })).resolves.toMatchOutputSchema(count);
});
