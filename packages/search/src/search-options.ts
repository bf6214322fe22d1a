import { type AnyOptionSchema, type OptionSchema, optionRules } from '@toolwright/core/options';

const { callback, count, either, filledText, group, listOf, named } = optionRules;

/** How the tools of a server are searched. */
export interface ToolSearchOptions {
  /**
   * Callers whose tools take at most this number of tokens in `tools/list` get all of them, and no search. Default 0:
   * everybody searches.
   */
  above?: number;
  /** The names of tools that stay in the list beside the search. */
  pinned?: readonly string[];
  /**
   * The names of clients that search by themselves, as clients state them. They get the whole list, with the group of each
   * tool in its `_meta`.
   */
  wholeListFor?: readonly string[];
  /**
   * Makes a vector of each text with a model of yours. Searches then also find what only means the same. When it fails,
   * words alone decide.
   *
   * @returns a vector for each text, all of one length
   */
  embed?: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
}

export type ToolSearchOption = true | ToolSearchOptions;

const names = (of: string) => listOf(`a list of names of ${of}`, filledText);

const searchOptions = {
  above: count,
  pinned: names('tools'),
  wholeListFor: names('clients'),
  embed: callback,
} satisfies OptionSchema<ToolSearchOptions>;

/** The option that the package adds to `createMcpServer`. */
export const toolSearchOption: AnyOptionSchema = {
  toolSearch: named(
    'true, or an object such as { above: 10_000 }',
    either(optionRules.yes, group(searchOptions)),
  ),
};

declare module '@toolwright/core/extend' {
  interface ExtraToolOptions {
    /** Words that callers may use for the tool and that its name and description do not have. */
    searchTerms?: readonly string[];
    /** What the tool is about, in a word or two. Results of searches show it, and a query that names it gets its tools first. */
    category?: string;
    /** The API or the server that the tool came from. Packages that bring tools in set it. */
    origin?: string;
    /** The group of the tool. A caller gets all tools of a group into its list with `load_group`. */
    group?: string;
  }
  interface ExtraServiceOptions {
    /** The category of all tools of the class. */
    category?: string;
    /** The API or the server that the tools of the class came from. */
    origin?: string;
    /** The group of all tools of the class. A caller gets them into its list with `load_group`. */
    group?: string;
  }
}

const place = { category: filledText, origin: filledText, group: filledText };

/** The options that the package adds to `@McpTool` and `server.tools.add`. */
export const toolOptions: AnyOptionSchema = {
  searchTerms: listOf('a list of words', filledText),
  ...place,
};

/** The options that the package adds to `@McpService`. */
export const serviceOptions: AnyOptionSchema = place;

/** The value of the option `toolSearch`. */
export function searchOptionsOf(value: ToolSearchOption | undefined): ToolSearchOptions {
  return typeof value === 'object' ? value : {};
}
