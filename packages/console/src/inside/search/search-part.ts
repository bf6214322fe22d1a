import { present } from '@toolwright/json';
import type { FoundByQuery, SearchApi } from '../../api/search-api.js';
import { orRefuse } from '../or-refuse.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen } from '../unseen-client.js';

const MOST = 20;

interface Found {
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  readonly securitySchemes?: readonly { readonly scopes?: readonly string[] }[];
}

/** Why the search found these tools, and the words of the query that found none. */
interface Reasons {
  readonly tools: readonly Pick<FoundByQuery, 'name' | 'score' | 'matches'>[];
  readonly unmatched: readonly string[];
}

/** Searches as a caller does, and asks the package of the search why it found these tools. */
export function searchPart(host: PartHost): Part<keyof SearchApi> {
  return {
    async searchTools({ server: id, query, as }, by) {
      const server = host.server(id);
      const operator = server.operate(by);
      if (!operator.methods.includes('search.explain')) return { unmatched: [] };
      const { content, structuredContent, isError } = await askUnseen(server, as, (client) =>
        client.call('search_tools', { query, limit: MOST }),
      );
      if (isError) return { unmatched: [], refusal: textOf(content) };
      const { tools } = structuredContent as unknown as { tools: readonly Found[] };
      const names = tools.map(({ name }) => name);
      const { tools: reasons, unmatched } = (await orRefuse(
        operator.ask('search.explain', { query, tools: names }),
      )) as Reasons;
      const byName = new Map(reasons.map((each) => [each.name, each]));
      const found = tools.map(({ name, description, category, securitySchemes }) => {
        const { score = 0, matches = [] } = byName.get(name) ?? {};
        const missingScopes = securitySchemes?.flatMap(({ scopes = [] }) => scopes);
        return present({ name, description, score, matches, category, missingScopes });
      });
      return { found, unmatched };
    },
  };
}

function textOf(content: unknown): string {
  const [first] = content as { text?: string }[];
  return first?.text ?? 'The server has refused the search.';
}
