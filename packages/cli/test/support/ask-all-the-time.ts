import type { McpClient } from '@toolwright/client';

/** Sends requests without a pause until it is stopped, and counts every answer, above all failures. */
export function askAllTheTime(client: McpClient) {
  let going = true;
  let answers = 0;
  const asked = (async () => {
    while (going) {
      const { structuredContent } = await client.call('find_notes', { query: 'milk' });
      expect(structuredContent).toEqual({ texts: [expect.stringContaining('Buy milk.')] });
      answers++;
    }
  })();
  return {
    stop: async () => {
      going = false;
      await asked;
      return answers;
    },
  };
}
