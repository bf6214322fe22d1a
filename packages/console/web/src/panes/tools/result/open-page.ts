import { type OpenAiGlobals, openAiMarkup } from '@toolwright/views/open-ai';
import type { OwnCall } from '../../../../../src/api/call-api.js';
import type { AppFrame, AppFramePolicy } from '../../../../../src/api/console-api.js';
import { callOnce } from '../../../data/live.js';

/** The messages and the metadata that a host speaks: those of the extension, or those of the Apps SDK of OpenAI. */
export type Dialect = 'official' | 'openai';

/** A page as the server gives it. */
export interface ReadPage {
  readonly html: string;
  readonly csp: AppFramePolicy | undefined;
}

type OpenAiPolicy = Readonly<
  Partial<Record<'connect_domains' | 'resource_domains' | 'frame_domains', readonly string[]>>
>;

/** Reads the page as the caller of the call. @throws {Error} when it is not a page */
export async function readPage(uri: string, { request }: OwnCall, dialect: Dialect): Promise<ReadPage> {
  const { result, error } = await callOnce({ ...request, kind: 'resource', key: uri, arguments: {} });
  const [content] = (result?.['contents'] ?? []) as {
    text?: string;
    _meta?: { ui?: { csp?: AppFramePolicy }; 'openai/widgetCSP'?: OpenAiPolicy };
  }[];
  if (content?.text === undefined) throw new Error(error?.message ?? `${uri} is no page.`);
  const { ui, 'openai/widgetCSP': openAi } = content._meta ?? {};
  return { html: content.text, csp: dialect === 'official' ? ui?.csp : openAi && policyOf(openAi) };
}

function policyOf({ connect_domains, resource_domains, frame_domains }: OpenAiPolicy): AppFramePolicy {
  return {
    ...(connect_domains && { connectDomains: connect_domains }),
    ...(resource_domains && { resourceDomains: resource_domains }),
    ...(frame_domains && { frameDomains: frame_domains }),
  };
}

/** Hands a page over to the console's server, which shows it under a policy of its own. */
export async function framePage({ html, csp }: ReadPage, openAi: OpenAiGlobals | undefined): Promise<string> {
  const response = await fetch('frames', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html: openAi ? withOpenAi(html, openAi) : html, ...(csp && { csp }) }),
  });
  const answer = (await response.json()) as AppFrame & { message?: string };
  if (!response.ok) throw new Error(answer.message ?? `The console answered ${response.status}.`);
  return answer.url;
}

/** After the doctype, without which a browser would show the page by older rules. */
function withOpenAi(html: string, globals: OpenAiGlobals): string {
  const end = /^\s*<!doctype[^>]*>/i.exec(html)?.[0].length ?? 0;
  return html.slice(0, end) + openAiMarkup(globals) + html.slice(end);
}
