import { Confirm, type integer, McpService, McpTool, RateLimit, ToolError } from '@toolwright/core';
import type { Page, SearchHit } from '../pages/page.js';
import { PagePlaceError, PageStore } from '../pages/page-store.js';
// Types only: class-validator is then loaded with the first page that is written, not when the server starts.
import type { CreatePageDto } from './create-page.dto.js';
import type { UpdatePageDto } from './update-page.dto.js';

export interface SearchResult {
  /** Best match first. */
  results: SearchHit[];
}

/** The workspace as tools for a model. */
@McpService()
export class PageTools {
  constructor(private readonly pages: PageStore) {}

  /**
   * Search pages by title or content. Returns ids, titles, URLs and matching passages, best match first.
   * @param query words to look for; quotes for a phrase, a dash before a word to leave it out
   * @param limit how many results at most
   */
  @McpTool({ name: 'search_pages', annotations: { readOnlyHint: true, openWorldHint: false } })
  async searchPages(
    /** @minLength 2 @maxLength 1000 */ query: string,
    /** @minimum 1 @maximum 100 */ limit: integer = 10,
  ): Promise<SearchResult> {
    return { results: await this.pages.search(query, limit) };
  }

  /**
   * Read a page: its Markdown, the page above it and the pages below it.
   * @param pageId id of the page, as search_pages gives it
   */
  @McpTool({
    name: 'get_page',
    annotations: { readOnlyHint: true, openWorldHint: false },
    // Hosts that show views let a person edit the page.
    ui: { view: './views/editor.tsx', prefersBorder: true },
  })
  async getPage(pageId: string): Promise<Page> {
    return (await this.pages.find(pageId)) ?? noPage(pageId);
  }

  /** Create a page. Returns it with its new id. */
  @McpTool({ name: 'create_page', annotations: { destructiveHint: false, openWorldHint: false } })
  @RateLimit({ points: 120, per: '1m' })
  async createPage(page: CreatePageDto): Promise<Page> {
    return this.pages.create(page).catch(explainPlace);
  }

  /** Change a page's title, text or place. Returns the page as it is then. */
  @McpTool({ name: 'update_page', annotations: { idempotentHint: true, openWorldHint: false } })
  @RateLimit({ points: 120, per: '1m' })
  async updatePage({ pageId, ...changes }: UpdatePageDto): Promise<Page> {
    return (await this.pages.update(pageId, changes).catch(explainPlace)) ?? noPage(pageId);
  }

  /**
   * Delete a page for good. Pages below it move to the top.
   * @param pageId id of the page, as search_pages gives it
   */
  @McpTool({ name: 'delete_page', annotations: { destructiveHint: true, openWorldHint: false } })
  @Confirm(({ pageId }: { pageId: string }) => `Delete page ${pageId} for good?`)
  async deletePage(pageId: string): Promise<void> {
    if (!(await this.pages.delete(pageId))) noPage(pageId);
  }
}

function noPage(pageId: string): never {
  throw new ToolError(`No page has the id "${pageId}". Find ids with search_pages.`);
}

/** What is wrong with the place is something the caller can mend; any other failure is not theirs to see. */
function explainPlace(error: unknown): never {
  throw error instanceof PagePlaceError ? new ToolError(error.message, { cause: error }) : error;
}
