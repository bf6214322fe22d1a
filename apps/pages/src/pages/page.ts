/** One page of the workspace. */
export interface Page {
  id: string;
  title: string;
  /** Where a client can read it: a `page://` resource. */
  url: string;
  /** The text, in Markdown. */
  content: string;
  /** The page it lies below; null at the top. */
  parentId: string | null;
  /** The pages directly below it, by title. */
  children: PageLink[];
  createdAt: Date;
  updatedAt: Date;
}

export interface PageLink {
  id: string;
  title: string;
}

export interface SearchHit {
  id: string;
  title: string;
  url: string;
  /** The passages that match best, the found words in **bold**. */
  snippet: string;
}

/** What a page is made of. */
export interface NewPage {
  title: string;
  content: string;
  parentId?: string;
}

/** What is left out stays as it is. */
export interface PageChanges {
  title?: string;
  content?: string;
  /** Null moves the page to the top. */
  parentId?: string | null;
}

/** The resource URI of a page. */
export function pageUrl(id: string): string {
  return `page://${encodeURIComponent(id)}`;
}
