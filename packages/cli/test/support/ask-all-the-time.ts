import type { McpClient } from '@toolwright/client';

/** Asks without a pause until told to stop; every answer counts, a failure above all. */
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
