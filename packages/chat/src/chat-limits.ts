/** What bounds a chat. The guide has the same numbers; a test compares them. */
export const chatLimits = {
  /** Turns of one chat. */
  turns: 50,
  /** Answers of the model in one turn. */
  answers: 12,
  /** Calls in one turn, whether or not they can be made. */
  calls: 30,
  /** How often a turn may make one call with the same arguments. */
  sameCalls: 3,
  /** Answers in a row of which no call can be made. */
  brokenAnswers: 3,
  /** Characters of what a person writes in one turn. */
  text: 20_000,
  /** Characters of one result, as the model gets it. */
  result: 50_000,
  /** Bytes of one request to the model. */
  request: 4_000_000,
  /** Bytes of one answer of the model. */
  answer: 4_000_000,
  /** Levels of objects and lists in one answer, and in the arguments of a call. */
  levels: 100,
  /** Milliseconds that one answer may take. */
  answerMs: 120_000,
} as const;
