/** How much a word counts, by the part of the tool that has it. */
export const BOOSTS = {
  name: 4,
  searchTerms: 5,
  category: 2.4,
  summary: 3.5,
  description: 0.5,
  arguments: 0.4,
};

export const WEIGHTS = {
  /** How quickly further words of a tool count less. */
  saturation: 1.1,
  /** A word that is only like the one of the query. */
  typo: 0.7,
  /** A word that only shares its stem with the one of the query, where tools have that word itself. */
  sameStem: 0.75,
  /** What a verb counts at most: every tool has one. */
  verb: 2,
  /** A word that the query begins. */
  prefix: 0.5,
  /** How much it counts that a tool has all words of the query. */
  coverage: 0.55,
  /** How much a word of a name costs that the query does not have. */
  extraName: 0.8,
  /** What a tool with another verb gets. */
  otherAction: 0.7,
  /** What a tool outside of the API that the query names gets. */
  otherSpace: 0.4,
  /** How much arguments that a call must have cost. */
  required: 0.03,
  /** What a tool of an API gets for each better one of this API, after the first two, if the query names none. */
  sameSpace: 0.95,
  /** A word after `by`, `in` and the like. */
  aside: 0.7,
  /** What a tool gains that has all neighbouring words of the query side by side. */
  neighbours: 0.15,
  /** What a tool gains that is about the thing of the query: in `the members of a board`, these are the members. */
  thing: 0.1,
  /** What a tool gets that is about another thing of the query. */
  otherThing: 0.75,
  /** Two words of the query that are one word of the tool. */
  joined: 0.8,
  /** The rarity that a word counts at most which everyday speech may mean. */
  everydayRarity: 6,
  /** A synonym of such a word, compared with synonyms of words that are said. */
  senseSynonym: 0.3,
  /** A word of a phrase whose meaning counts. */
  withinPhrase: 0.2,
  /** How much a question says that something is to be read, compared with a phrase that says what to do. */
  question: 1.2,
  /** How much a verb of APIs says what to do, compared with such a phrase. */
  literalVote: 0.8,
  /** `otherAction`, `extraName`, `required` and `coverage` in everyday speech. */
  spokenOtherAction: 0.6,
  spokenExtraName: 0.8,
  spokenRequired: 0.06,
  spokenCoverage: 0.3,
  /** In everyday speech: what each word of a name costs after the first four. */
  spokenLong: 0.1,
  /** The rarity that a word of everyday speech counts at most: its rare words are rarely those of a tool. */
  spokenRarity: 4.3,
  /** How much of a phrase must be said, in any order. */
  leastLoose: 0.6,
  /** What such a phrase counts, and how quickly it counts less if less of it is said. */
  loose: 0.8,
  loosePower: 2.8,
  /** How much such a phrase says what to do, compared with one that is said as it is. */
  looseVote: 1,
  /** If no tool among the best has this share of a query, the query is read as everyday speech, too. */
  understood: 0.65,
  /** What the ranking of the words as they are written counts then, compared with that of everyday speech. */
  written: 0.8,
  /** A lower number trusts the first places of both rankings more. */
  fusion: 3,
};
