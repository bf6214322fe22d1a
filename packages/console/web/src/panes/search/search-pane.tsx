import { type FormEvent, useState } from 'react';
import type { FoundByQuery } from '../../../../src/api/search-api.js';
import { useAsk } from '../../data/ask.js';
import { useIdentity, useServer } from '../../data/current.js';
import { hrefOf } from '../../shell/route.js';
import { Badge, Empty, Button, Table, Problem } from '../../ui/pieces.js';
import './search.css';

/** What the chosen caller finds with `search_tools`, and why. Each search is one of the caller: it is in the audit log. */
export default function SearchPane() {
  const [server] = useServer();
  const [as] = useIdentity();
  const [query, setQuery] = useState<string>();
  const { data, error, isFetching } = useAsk(
    'searchTools',
    server && query !== undefined ? { server: server.id, query, ...(as && { as }) } : undefined,
    { staleTime: Infinity },
  );
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setQuery((new FormData(event.currentTarget).get('query') as string).trim());
  };
  if (data && !data.found && data.refusal === undefined)
    return (
      <Empty title="This server does not search">
        Install <code>@toolwright/search</code>, and set the option <code>toolSearch: true</code>.
      </Empty>
    );
  return (
    <div className="pane-of-lists search" tabIndex={0} role="region" aria-label="Search">
      <form className="row" onSubmit={search}>
        <label className="search-query">
          Query of {as?.subject ?? 'an anonymous caller'} <input name="query" required autoComplete="off" />
        </label>
        <Button type="submit" look="primary" disabled={isFetching}>
          Search
        </Button>
      </form>
      <Problem>{error?.message}</Problem>
      <Problem>{data?.refusal}</Problem>
      {query === undefined && (
        <Empty title="See what a model finds">
          Search in the words of a person, such as “send an invoice”. You see each tool that this caller
          finds, and the words that found it.
        </Empty>
      )}
      {data?.found && <Results found={data.found} unmatched={data.unmatched} />}
    </div>
  );
}

function Results({ found, unmatched }: { found: readonly FoundByQuery[]; unmatched: readonly string[] }) {
  return (
    <>
      <p role="status">
        {found.length === 0 ? 'Nothing is found.' : `${found.length} found, best first.`}
        {unmatched.length > 0 && ` Words that find none of them: ${unmatched.join(', ')}.`}
      </p>
      {found.length > 0 && (
        <div className="search-rows" tabIndex={0} role="region" aria-label="What is found, table">
          <Table titles={['Tool', 'Category', 'Score', 'Words']} numbers={['Score']}>
            {found.map((each) => (
              <Row key={each.name} tool={each} />
            ))}
          </Table>
        </div>
      )}
    </>
  );
}

function Row({
  tool: { name, description, category, missingScopes, score, matches },
}: {
  tool: FoundByQuery;
}) {
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf('explain', name)}>{name}</a>
        <p className="search-description">{description}</p>
        {missingScopes && <Badge tone="warn">lacks {missingScopes.join(', ')}</Badge>}
      </th>
      <td>{category}</td>
      <td className="number">{score.toFixed(2)}</td>
      <td>
        {matches.length === 0 && 'no word: a model of yours found it'}
        <ul className="search-words">
          {matches.map(({ said, found, parts }) => (
            <li key={said}>
              <code>{said}</code>
              {said !== found && (
                <>
                  {' as '}
                  <code>{found}</code>
                </>
              )}{' '}
              in {parts.join(', ')}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
