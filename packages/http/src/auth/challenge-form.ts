/** How a call is refused whose caller lacks scopes. It decides the form only, never who may call. */
export type ChallengeForm = 'http' | 'result' | 'auto';

/**
 * Clients that look for a challenge only in the result of a tool, by the name in their `clientInfo`. ChatGPT is
 * `openai-mcp`. docs/authorization.md has the same list.
 */
export const readResultsOnly: readonly string[] = ['openai-mcp'];

/** @param client what the client calls itself: the name, or the name and a version (`openai-mcp/1.0.0`) */
export function formFor(form: ChallengeForm, client: string | undefined): 'http' | 'result' {
  if (form !== 'auto') return form;
  const [name = ''] = (client ?? '').split('/', 1);
  return readResultsOnly.includes(name.toLowerCase()) ? 'result' : 'http';
}
