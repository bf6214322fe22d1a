// Rules of this repository alone, for `oxlint.config.mjs`.

/** Words that make a reader of a comment stop, and what to write instead. docs/contributing.md has the rules. */
const unclearWords = [
  [/\bso many\b/i, 'name the number: "this many", "the largest number of", "after how many milliseconds"'],
  [/\b(those|that those) that\b/i, 'repeat the noun: "the tools that"'],
  [/\bwhat is not\b/i, 'name the thing: "a server that does not serve yet"'],
  [/(?<!\bthere )\b(is|are) none\b/i, 'say what it is: "it is not a date"'],
  [/\btold\b/i, 'say who hears, gets or learns it'],
  [/\bstands\b/i, 'write "is", "means" or "has"'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b|other\b|such\b)/i, 'write "is not a"'],
  [
    /\b(faults?|breach(es)?)\b/i,
    'write "problem" (boot, build), "refusal" (a guard) or "failure" (run time)',
  ],
];

const plainWords = {
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        const text = value.replace(/\s*\n\s*\*?\s*/g, ' ');
        for (const [words, advice] of unclearWords)
          if (words.test(text)) context.report({ loc, message: `"${words.exec(text)[0]}": ${advice}.` });
      }
    },
  }),
};

/** See docs/adr/0258. */
const noLongLivedFunction = {
  create: (context) => ({
    AssignmentExpression({ left, right }) {
      if (left.type === 'MemberExpression' && /^(Arrow)?FunctionExpression$/.test(right.type))
        context.report({
          node: right,
          message: 'V8 keeps such a function, and all it refers to, until a full collection. Write a method.',
        });
    },
  }),
};

/** The beginning of a text: `text.slice(0, 80)`, with whatever is called on it. */
function isCut(node) {
  const { type, callee, arguments: [from] = [] } = node;
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const isBeginning = /^(slice|substring|substr)$/.test(callee.property.name) && from?.value === 0;
  return isBeginning || isCut(callee.object);
}

const isEllipsis = (text) => typeof text === 'string' && /^(…|\.\.\.)/.test(text);

/** A cut by index takes half of an emoji, and strict readers refuse the whole message. */
const noCutCharacters = {
  create: (context) => {
    const report = (node) =>
      context.report({ node, message: 'Write `cutText` of @toolwright/json: it keeps characters whole.' });
    return {
      TemplateLiteral({ expressions, quasis }) {
        for (const [index, each] of expressions.entries())
          if (isCut(each) && isEllipsis(quasis[index + 1].value.cooked)) report(each);
      },
      BinaryExpression({ operator, left, right }) {
        if (operator === '+' && isCut(left) && isEllipsis(right.value)) report(left);
      },
    };
  },
};

/** A static member that nobody may use, such as `Date.now`, and what to write instead. */
const withoutMember = (object, member, message) => ({
  create: (context) => ({
    MemberExpression(node) {
      if (node.object.name === object && (node.property.name ?? node.property.value) === member)
        context.report({ node, message });
    },
  }),
});

/** Optimised code of Node.js 20 gives it the wrong text for Latin-1 letters. */
const noCanParse = withoutMember(
  'URL',
  'canParse',
  'Write `readUrl` of @toolwright/json: Node.js 20 refuses letters such as ä here on hot code.',
);

/** Somebody may set the machine's clock, also backwards. */
const noDateNow = withoutMember(
  'Date',
  'now',
  'For a wait or a duration, write `monotonic(clock)` or `performance.now()`; for a date, `clock.now()`.',
);

/** True for `clock.now()`, whatever leads to the clock. */
function isWallTime(node) {
  const { type, callee } = node ?? {};
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression' || callee.property.name !== 'now')
    return false;
  return /clock$/i.test(callee.object.property?.name ?? callee.object.name ?? '');
}

/**
 * Whoever calculates with the wall clock waits for too long, or not at all, when somebody sets it. `dated` of
 * `oxlint.config.mjs` lists the files whose times come from others, or are for others.
 */
const noWallWait = {
  create: (context) => {
    const names = new Set();
    const isWall = (node) => isWallTime(node) || (node.type === 'Identifier' && names.has(node.name));
    const message =
      'Write `monotonic(clock)` for a wait or a duration. A file whose times others share or date belongs to `dated`.';
    return {
      VariableDeclarator({ id, init }) {
        if (id.type !== 'Identifier') return;
        if (isWallTime(init)) names.add(id.name);
        else names.delete(id.name);
      },
      BinaryExpression(node) {
        const { operator, left, right } = node;
        if (/^([+-]|[<>]=?)$/.test(operator) && (isWall(left) || isWall(right)))
          context.report({ node, message });
      },
    };
  },
};

export default {
  meta: { name: 'own' },
  rules: {
    'plain-words': plainWords,
    'no-long-lived-function': noLongLivedFunction,
    'no-cut-characters': noCutCharacters,
    'no-can-parse': noCanParse,
    'no-date-now': noDateNow,
    'no-wall-wait': noWallWait,
  },
};
