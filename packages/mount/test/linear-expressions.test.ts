import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';

// A text of a server behind, or of a caller, must not hold the event loop: each regular expression that reads one takes a time
// that grows with the text alone.

const packages = join(__dirname, '..', '..');
const sources = [
  'mount/src',
  'search/src',
  'json/src',
  'core/src',
  'ground/src',
  'wire/src',
  'openapi/src',
  'identity/src',
  'http/src',
  'replay/src',
  'chat/src',
];

/** What the checker cannot judge, or judges without knowing what is read, and why it does no harm. */
const judged: Readonly<Record<string, string>> = {
  [String.raw`/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g`]: 'It reads the file of an operator.',
  [String.raw`/<\s*(?:important|system|instructions?|secret|hidden)\b[^<>]{0,200}>(?!\s*<(?:p|ul|ol|note)\b)/iu`]:
    'Its repetition has a bound, and blanks were made one before.',
  [String.raw`/\b(?:do not|don't|not|never|avoid|without)\s+(?:\w+\s+)?$/iu`]: 'It reads 30 characters.',
  [String.raw`/(?<!\S)[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}/g`]:
    'All its repetitions have bounds, and it begins after a blank alone.',
  [String.raw`/(?:https?:\/\/)?\b[\w-]+\.(?:com|org|net|io|dev|app|shop|eu|uk|de)\b\S*/g`]:
    'It reads a query, which is bounded.',
  [String.raw`/(?<!\S)@\w+/g`]: 'It begins after a blank alone.',
  [String.raw`/(?<!\S)#[a-z][\w-]+/g`]: 'It begins after a blank alone.',
  [String.raw`/(?<=[A-Z])(?=[A-Z][a-z])/g`]: 'It looks at three characters.',
  [String.raw`/(?:ed|ing)$(?<=[aeiouy].*[^aeiou](?:ed|ing))/`]: 'It looks back once, from the end.',
  [String.raw`/(?<=s|x|z|ch|sh)es$|(?<![siu])s$/`]: 'It looks at four characters.',
  [String.raw`/^(?:Bearer\s|Basic\s|sk-|sk_|rk_|pk_live|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|npm_|eyJ[\w-]+\.|-----BEGIN )/`]:
    'It is anchored, and has one repetition.',
  [String.raw`/^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=-]{32,}$/`]:
    'It is anchored, and each part is read once.',
  [String.raw`/^\/(?!\/)[^{}]*$/`]: 'It is anchored, and has one repetition.',
  [String.raw`/(?<![.!?…])[.!?…]+$/`]: 'A run of marks is read from its beginning alone.',
  [String.raw`/"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|[{}[\],:]/g`]:
    'A string ends at a quote or with the text, so each character is read once.',
  [String.raw`/,\s*(?=<)/`]: 'It begins at a comma alone, and the blanks behind it are read once.',
  [String.raw`/\n\s*\| /`]: 'It reads a type that was written a moment before.',
  [String.raw`/(?<!\\)(\\+)(ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|ud[89a-f][0-9a-f]{2})/g`]:
    'A run of backslashes is read from its beginning alone.',
  [String.raw`/^(import\b(?: type)?) \{([^{}]*)\} from '([^'\n]+)';\n/gm`]:
    'It reads code of the project, and stops at the next brace.',
  [String.raw`/^[^:/?#]+:(?:\/\/[^/?#]+\/|\/(?!\/))[^?#]*$/`]:
    'It is anchored, and its parts do not overlap.',
  [String.raw`/^([\da-f:.]{2,45})(?:%.*)?$/i`]: 'It is anchored, and its parts do not overlap.',
  [String.raw`/(?:,null)+\]$/`]: 'It reads a type of our own.',
  [String.raw`/\[[^\]]*\]/g`]: 'It reads a pattern that is valid, so each class has its end.',
  [String.raw`/"\$(?:dynamicRef|ref":"(?!#(?:\/(?:\$defs|definitions)\/[^/"]+)?"))/`]:
    'It looks ahead once, behind a name that is there once for each reference.',
  [String.raw`/\/\d+(?=\/|$)/g`]: 'A run of digits is read from its slash alone.',
  [String.raw`/^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)$/`]:
    'It is anchored, and reads each run of digits as often as there are units.',
  [String.raw`/((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/`]: 'It reads a line of a stack.',
  [String.raw`/\d+$/`]: 'It reads the name of a class.',
  [String.raw`/^toolwright-rest:\/\/\/([^/]{1,400})\/([\w-]+)$/`]: 'It is anchored.',
  [String.raw`/ \([^]*\),/`]: 'It reads the words of a rule.',
  [String.raw`/\b(?:the|web|rest|http|open|public|api|apis|v\d[\d.]*)\b/gi`]:
    'It reads the title of a specification.',
  [String.raw`/([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi`]:
    'It reads a header, which is bounded.',
  [String.raw`/\/+$/`]: 'It reads an address of the configuration.',
  [String.raw`/^(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)+$/`]:
    'It is anchored, and each segment begins with a slash.',
};

/** What the checker may try is bounded by the size of its automaton. A limit of time is for what hangs. */
const HANGS_MS = 300_000;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

function expressionsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

test('each regular expression over texts of strangers is linear, or says why it does no harm', () => {
  const all = sources.flatMap((folder) => filesOf(join(packages, folder)));
  const found = all.flatMap((file) =>
    expressionsIn(file).map((text) => ({ file: relative(packages, file), text })),
  );
  expect(found.length).toBeGreaterThan(400);
  const unsafe = found.filter(({ text }) => {
    if (text in judged) return false;
    const end = text.lastIndexOf('/');
    return (
      checkSync(text.slice(1, end), text.slice(end + 1), { timeout: HANGS_MS, checker: 'automaton' })
        .status !== 'safe'
    );
  });
  expect(unsafe).toEqual([]);
  const texts = new Set(found.map(({ text }) => text));
  expect(Object.keys(judged).filter((text) => !texts.has(text))).toEqual([]);
}, 600_000);
