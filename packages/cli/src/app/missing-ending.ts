import { dirname, join, relative, resolve, sep } from 'node:path';
import { currentText } from '@toolwright/operate/terminal';

/**
 * Says what is wrong with an import without an ending, which TypeScript accepts with `"moduleResolution": "bundler"`: an ES
 * module of Node.js imports files by their whole names.
 *
 * @param failure the text of the error that ended the app
 * @param cwd the folder from which places are shown
 * @returns undefined for any other error
 */
export function explainMissingEnding(failure: string, cwd: string): string | undefined {
  const [, wanted = '', importer = ''] =
    /(?:Cannot find module|Directory import) '([^']+)' .*?imported from ([^\n]+?\.[cm]?js)\b/.exec(failure) ??
    [];
  const found = ['.js', '.mjs', '/index.js'].find((ending) => currentText(wanted + ending) !== undefined);
  if (found === undefined) return undefined;
  const [before, after] = [wanted, wanted + found].map((path) =>
    specifier(relative(dirname(importer), path)),
  );
  return `${placeOf(importer, before!, cwd)}: Node.js imports files by their whole names. Write '${after}' in place of '${before}', in TypeScript too. With "module": "nodenext" in the tsconfig, the compiler says so.`;
}

function specifier(path: string): string {
  const name = path.split(sep).join('/');
  return name.startsWith('.') ? name : `./${name}`;
}

/** Where a module imports a name: in its source, if there is a map of it. */
function placeOf(module: string, name: string, cwd: string): string {
  const file = sourceOf(module);
  const lines = (currentText(file) ?? '').split('\n');
  const line = lines.findIndex((each) => each.includes(`'${name}'`) || each.includes(`"${name}"`));
  const shown = relative(cwd, file).split(sep).join('/');
  return line < 0 ? shown : `${shown}:${line + 1}:${lines[line]!.indexOf(name)}`;
}

function sourceOf(module: string): string {
  try {
    const { sources = [], sourceRoot = '' } = JSON.parse(currentText(`${module}.map`) ?? '{}') as {
      sources?: string[];
      sourceRoot?: string;
    };
    const [source] = sources;
    return source === undefined ? module : resolve(dirname(module), join(sourceRoot, source));
  } catch {
    return module;
  }
}
