import type { ManualClock } from '@toolwright/testing';
import { Browser, hidden, type Shown } from './browser.js';
import type { RefundDesk } from './refund-desk.js';
import { type Json, Wire } from './wire.js';

/** A call of 2026-07-28 that waits for people. */
export interface Asked {
  readonly url: string;
  readonly id: string;
  /** The next round of the call, at a process. */
  resume(at?: RefundDesk): Promise<Json>;
}

/** Begins a call, and returns when its question is open. */
export async function ask(
  desk: RefundDesk,
  subject: string,
  tool: string,
  args: Json = { order: 'A1' },
): Promise<Asked> {
  const first = await new Wire(desk.server, desk.principal(subject)).call(tool, args);
  const { inputRequests, requestState } = first['result'] as Json;
  const [key, { params }] = Object.entries(inputRequests as Json)[0]! as [string, Json];
  const url = params['url'] as string;
  const answer = { requestState, inputResponses: { [key]: { action: 'accept' } } };
  return {
    url,
    id: url.split('/').at(-1)!,
    resume: async (at = desk) => {
      const { result, error } = await new Wire(at.server, at.principal(subject)).call(tool, args, answer);
      return (result ?? error) as Json;
    },
  };
}

/** Lets time pass until there is an answer. */
export async function withTime<T>(clock: ManualClock, answer: Promise<T>): Promise<T> {
  let isThere = false;
  const done = answer.finally(() => (isThere = true));
  while (!isThere) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(500);
  }
  return done;
}

/** Signs in as somebody, and answers the question at an address. */
export async function answerAs(user: string, url: string, decision: string): Promise<Shown> {
  const browser = new Browser();
  const { html } = await browser.openAs(user, url);
  return browser.open(url, { token: hidden(html, 'token'), decision });
}

/** The inbox of a person. */
export async function inboxOf(desk: RefundDesk, user: string, query = ''): Promise<Inbox> {
  const browser = new Browser();
  const { html } = await browser.openAs(user, desk.url);
  const shown = query === '' ? html : (await browser.open(`${desk.url}${query}`)).html;
  return { browser, html: shown, items: itemsOf(shown) };
}

export interface Inbox {
  readonly browser: Browser;
  readonly html: string;
  readonly items: readonly InboxItem[];
}

/** What waits: its text, and the form that answers it. */
export interface InboxItem {
  readonly html: string;
  readonly action: string;
  readonly token: string;
}

const itemsOf = (html: string): InboxItem[] =>
  html
    .split('<li><h2>')
    .slice(1)
    .map((item) => ({
      html: item,
      action: /action="([^"]+)"/.exec(item)![1]!,
      token: hidden(item, 'token'),
    }));
