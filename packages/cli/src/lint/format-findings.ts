import { visible, visibleJson } from '../terminal/visible-text.js';
import type { Finding } from './finding.js';

export const findingFormats = ['text', 'json', 'github'] as const;

/** @param placeOf returns the path of a file for the reader of the lines */
export function formatFindings(
  findings: readonly Finding[],
  format: (typeof findingFormats)[number],
  placeOf: (file: string) => string,
): string[] {
  if (format === 'json')
    return [visibleJson(findings.map((finding) => ({ ...finding, docs: `docs/lint.md#${finding.rule}` })))];
  const asText = format === 'github' ? asCommand : asLine;
  return findings.map((finding) => visible(asText(withSource(finding), placeOf)));
}

/** The rule of a directory is named with the page on which it stands. */
function withSource({ directory, source, ...finding }: Finding): Finding {
  const rule = directory === undefined ? '' : ` (${directory}: ${source})`;
  return { ...finding, message: `${finding.message}${rule}` };
}

function asLine(
  { rule, severity, message, tool, location }: Finding,
  placeOf: (file: string) => string,
): string {
  const place = location ? `${placeOf(location.file)}:${location.line}:${location.column}: ` : '';
  return `${place}${severity}: ${rule}: ${tool === undefined ? '' : `${tool}: `}${message}`;
}

/** A workflow command. GitHub shows it at the line that it names. */
function asCommand(
  { rule, severity, message, tool, location }: Finding,
  placeOf: (file: string) => string,
): string {
  const place = location
    ? `file=${escape(placeOf(location.file))},line=${location.line},col=${location.column},`
    : '';
  return `::${severity} ${place}title=${rule}::${escape(tool === undefined ? message : `${tool}: ${message}`)}`;
}

/** The text may come from a name or a path. It must not end the command or start another one. */
function escape(text: string): string {
  return text.replace(/[%\r\n:,]/g, (character) => encodeURIComponent(character));
}
