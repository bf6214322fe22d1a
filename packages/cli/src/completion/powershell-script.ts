import { type CompletedCommand, NAMING_TOOLS } from './completion-script.js';

/** Text in single quotes for PowerShell. */
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

const list = (words: readonly string[]) => `@(${words.map(quote).join(', ')})`;

/** Completion for PowerShell 5.1 and later. */
export function powershellScript(name: string, commands: readonly CompletedCommand[]): string {
  const paths = list(commands.slice(1).map(({ path }) => path));
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(({ names, choices }) =>
        names.map((option) => `    ${quote(`${path}|${option}`)} { $values = ${list(choices)} }`),
      ),
  );
  const words = commands.map(
    ({ path, commands: inner, options }) =>
      `    ${quote(path)} { $commands = ${list(inner.map((each) => each.name))}; ` +
      `$options = ${list(options.flatMap(({ names }) => names))} }`,
  );
  return `# Completion of ${name} for PowerShell: ${name} completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName ${name} -ScriptBlock {
  param($current, $line, $cursor)
  $current = [string]$current
  $words = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $paths = ${paths}
  $path = ''
  foreach ($word in @($words | Select-Object -Skip 1)) { if ($paths -ccontains "$path $word") { $path = "$path $word" } }
  $before = ''
  $previous = $words[-1]
  if ($current -match '^(--[^=]+)=(.*)$') { $previous = $Matches[1]; $before = "$previous="; $current = $Matches[2] }
  $values = $null
  switch -CaseSensitive -Exact ("$path|$previous") {
${values.join('\n')}
  }
  $commands = @()
  $options = @()
  switch -CaseSensitive -Exact ($path) {
${words.join('\n')}
  }
  if ($null -eq $values) {
    if ($current.StartsWith('-')) { $values = $options }
    elseif (${list(NAMING_TOOLS)} -ccontains $path) { $values = @(& $words[0] complete-tools @($words | Select-Object -Skip 2) 2>$null) }
    else { $values = $commands }
  }
  foreach ($value in $values) {
    if ($value.StartsWith($current)) {
      [System.Management.Automation.CompletionResult]::new("$before$value", $value, 'ParameterValue', $value)
    }
  }
}
`;
}
