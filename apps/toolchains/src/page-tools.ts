import { CompletionProvider, Inject, McpPrompt, McpService, McpTool, type integer } from '@toolwright/core';
import { GREETING, type Greeting } from './greeting.js';
import { PageStore } from './page-store.js';
import { PageTitles } from './page-titles.js';

/** The idiomatic service, without parameter decorators: so it compiles with both kinds of decorators. */
@McpService()
@Inject({ greeting: GREETING })
export class PageTools {
  constructor(
    private readonly pages: PageStore,
    private readonly greeting: Greeting,
  ) {}

  /**
   * Read a page.
   * @param id the page
   * @param times how often
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  readPage(id: string, /** @minimum 1 */ times: integer = 1): string {
    const page = this.pages.find(id) ?? 'nothing';
    return `${this.greeting.text} ${page.repeat(times)}`;
  }

  /** Write a page. */
  @McpTool({ annotations: { destructiveHint: false } })
  @Inject({ greeting: GREETING })
  writePage(text: string, store: PageStore, greeting: Greeting): string {
    return `${greeting.text} ${store.dated(text)}`;
  }

  /** Summarise a page. */
  @McpPrompt()
  @CompletionProvider({ provider: PageTitles, argument: 'id' })
  summarise(id: string): string {
    return `Summarise page ${id}.`;
  }
}
