import { Browser, hidden, type Shown } from '../../../../packages/identity/test/support/browser.js';

/** Opens the page of a question as this person, and approves if the page offers it. Returns the page that it showed. */
export async function approveAs(user: string, url: string): Promise<Shown> {
  const browser = new Browser();
  const shown = await browser.openAs(user, url);
  if (shown.html.includes('name="decision"'))
    await browser.open(url, { token: hidden(shown.html, 'token'), decision: 'approve' });
  return shown;
}
