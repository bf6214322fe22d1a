/** Markdown's fences, emphasis, headings, tables and rules, as a regular expression of Postgres. */
const marks = '```\\S*|[*`#|]+|-{3,}';

/**
 * Finds pages for `$1` (the words as typed), `$2` (the same words one by one, empty to switch the fallback off) and
 * `$3` (how many at most).
 *
 * Pages that hold every word come first, in stemmed English. Pages with any word, or with a word that starts like
 * one, follow: a model often asks with more words than a page has. Snippets are costly, so they are cut for the
 * chosen pages only, from the text without the marks of headings, emphasis, code and tables.
 */
export const searchSql = `
  with asked as (
    select websearch_to_tsquery('english', $1) as all_words,
           (select to_tsquery('simple', string_agg(word || ':*', ' | '))
              from unnest($2::text[]) as word
             where to_tsvector('english', word) <> ''::tsvector) as any_word
  ), hits as (
    select id, title, content, search @@ all_words as has_all,
           ts_rank(search, case when search @@ all_words then all_words else any_word end, 1) as rank
      from pages, asked
     where search @@ all_words or search @@ any_word
     order by has_all desc, rank desc, title, id
     limit $3
  )
  select id, title,
         case when has_all
           then ts_headline('english', text, all_words, options)
           else ts_headline('simple', text, any_word, options)
         end as snippet
    from hits, asked,
         lateral regexp_replace(left(content, 100000), '${marks}', ' ', 'g') as text,
         (values ('MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … ", StartSel=**, StopSel=**'))
           as format (options)
   order by has_all desc, rank desc, title, id`;

/** A query as web search reads it, except that a dash before the first word, or a double one, excludes nothing. */
export function searchText(query: string): string {
  return query.replace(/--+/g, ' ').replace(/^\s*-/, '');
}

/** The words of a query for the fallback; none when it uses search operators, which the fallback would overrule. */
export function wordsOf(text: string): string[] {
  const usesOperators = /"|\s-|\sor\s/i.test(text);
  return usesOperators ? [] : (text.match(/[\p{L}\p{N}]+/gu) ?? []);
}
