import type { JsonSchema } from '@toolwright/json';
import type { KeywordOrigin } from '@toolwright/schema-compiler';
import { describeSchema } from '../output/describe-schema.js';
import { describeSchedule } from '../output/describe-schedule.js';
import { styleFor, type Style } from '../terminal/style.js';
import { formatTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Explanation } from './explain-tool.js';

/**
 * An explanation for people: schemas with the origin of each keyword, then the steps from outside to inside.
 */
export function formatExplanation(explanation: Explanation, terminal: Pick<Terminal, 'colours'>): string[] {
  const style = styleFor(terminal);
  const {
    name,
    key,
    description,
    annotations = {},
    input,
    output,
    origins,
    completed,
    schedule,
  } = explanation;
  const hints = Object.entries(annotations).map(([hint, value]) => `${hint}: ${value}`);
  return [
    `${style.bold(name)}  ${style.dim(key)}`,
    ...(description ? description.split('\n').map((line) => `  ${line}`) : []),
    ...(hints.length > 0 ? [`  ${style.cyan(hints.join(', '))}`] : []),
    ...(schedule ? ['', style.bold('Schedule'), `  ${describeSchedule(schedule)}`] : []),
    '',
    style.bold('Input'),
    ...(completed === undefined ? [] : [`  ${style.dim(completed)}`]),
    ...formatSchema(input, origins.input, style),
    '',
    style.bold('Output'),
    ...(output ? formatSchema(output, origins.output, style) : ['  nothing']),
    '',
    style.bold('Pipeline, outermost first'),
    ...formatPipeline(explanation, style),
  ];
}

function formatSchema(schema: JsonSchema, origins: KeywordOrigin[], style: Style): string[] {
  const lines = formatTable(origins.map((origin) => row(schema, origin, style)));
  return [`  ${describeSchema(schema)}`, ...lines.map((line) => `    ${line}`)];
}

/** The dotted path of the property, with a star if it is required. */
function row(
  schema: JsonSchema,
  { path, keyword, value, origin, location }: KeywordOrigin,
  style: Style,
): string[] {
  const name = path.replaceAll('/properties/', '.').replaceAll('/items', '[]').slice(1) || '(all)';
  const isRequired = schema.required?.includes(name) === true;
  const place = location ? `${location.file}:${location.line}:${location.column}` : '';
  return [
    isRequired ? `${name} *` : name,
    keyword,
    shorten(JSON.stringify(value)),
    `<- ${origin}`,
    style.dim(place),
  ];
}

const shorten = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

function formatPipeline({ pipeline, note }: Explanation, style: Style): string[] {
  if (!pipeline) return [`  ${style.yellow(note ?? 'unknown')}`];
  const rows = pipeline.map(({ name, origin, detail }, index) => [
    `${index + 1}.`,
    name,
    detail ?? '',
    `<- ${origin}`,
  ]);
  return formatTable(rows).map((line) => `  ${line}`);
}
