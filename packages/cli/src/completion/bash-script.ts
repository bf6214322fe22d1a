import type { CompletedCommand } from './completed-command.js';
import { quote, valuePatterns } from './shell-words.js';

/** Completion for bash 3.2 and later. The script contains all words, so pressing Tab starts no process. */
export function bashScript(name: string, commands: readonly CompletedCommand[]): string {
  const paths = commands
    .slice(1)
    .map(({ path }) => quote(path))
    .join('|');
  const words = commands.map(
    ({ path, commands: inner, options }) =>
      `    ${quote(path)}) commands=${quote(inner.map((each) => each.name).join(' '))}; ` +
      `options=${quote(options.flatMap(({ names }) => names).join(' '))} ;;`,
  );
  const { choices, files } = valuePatterns(commands);
  return `# Completion of ${name} for bash: ${name} completion bash > ~/.${name}-completion; source it in ~/.bashrc
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word commands='' options=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${paths}) path="$path $word" ;; esac
  done
  COMPREPLY=()
  case "$path|\${COMP_WORDS[COMP_CWORD-1]}" in
${choices.map(({ pattern, values }) => `    ${pattern}) COMPREPLY=($(compgen -W ${quote(values.join(' '))} -- "$current")); return ;;`).join('\n')}
    ${files}) return ;;
  esac
  case "$path" in
${words.join('\n')}
  esac
  case "$current" in -*) commands=$options ;; esac
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}
