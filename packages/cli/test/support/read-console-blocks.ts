/** A command on a page, and its output according to the page. */
export interface DocumentedCommand {
  /** The line on the page. */
  line: number;
  words: string[];
  expected: string;
  exitCode: number;
  /** The tags of its block. */
  tags: string[];
}

/** The commands of all ```console blocks of a page. Their lines begin with a dollar sign. */
export function readConsoleBlocks(markdown: string): DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let tags: string[] | undefined;
  markdown.split('\n').forEach((text, index) => {
    const [, info] = /^```(.*)$/.exec(text) ?? [];
    if (info !== undefined) tags = info.startsWith('console') ? info.split(' ').slice(1) : undefined;
    else if (tags && text.startsWith('$ '))
      commands.push({ line: index + 1, words: splitWords(text.slice(2)), expected: '', exitCode: 0, tags });
    else if (tags) addLine(commands.at(-1)!, text);
  });
  return commands;
}

function addLine(command: DocumentedCommand, text: string): void {
  const [, code] = /^\[exit code (\d+)\]$/.exec(text) ?? [];
  if (code === undefined) command.expected += `${text}\n`;
  else command.exitCode = Number(code);
}

function splitWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** The output on a page as a pattern, where an ellipsis stands for anything. */
export function patternOf(expected: string): RegExp {
  const literal = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('[^]*')}\\s*$`);
}
