import type { ApprovalsOptions } from '@toolwright/identity';

/** Posts what waits for an approval to the chat of the team. The address in it approves nothing: whoever opens it signs in. */
export const postToChat =
  (webhook: string): NonNullable<ApprovalsOptions['notify']> =>
  async ({ message, url, caller }, signal) => {
    const response = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `${caller.subject} of ${caller.tenant} asks: ${message} ${url}` }),
      signal,
    });
    if (!response.ok) throw new Error(`The chat has answered with ${response.status}.`);
  };
