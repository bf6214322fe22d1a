import { CompletionProvider, McpPrompt, McpResourceTemplate, McpService } from '@toolwright/core';
import { PageStore } from '../pages/page-store.js';
import { PageIds } from './page-ids.js';

/** The workspace as resources and prompts, for people who pick what their model reads. */
@McpService()
export class PageReading {
  constructor(private readonly pages: PageStore) {}

  /** A page's Markdown. */
  @McpResourceTemplate({ uriTemplate: 'page://{id}', name: 'page', mimeType: 'text/markdown' })
  async page(@CompletionProvider({ provider: PageIds }) id: string): Promise<string | undefined> {
    return (await this.pages.find(id))?.content;
  }

  /**
   * Summarise a page.
   * @param pageId id of the page
   */
  @McpPrompt({ name: 'summarize_page', title: 'Summarise a page' })
  async summarizePage(@CompletionProvider({ provider: PageIds }) pageId: string): Promise<string> {
    return `Read page://${pageId} and summarise it in five sentences. Name the open questions.`;
  }
}
