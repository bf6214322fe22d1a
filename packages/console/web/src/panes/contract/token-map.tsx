import { cutText } from '../../../../../json/src/text/cut-text.js';
import type { Contract } from '../../../../src/api/project-api.js';
import { go } from '../../shell/route.js';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Tile extends Box {
  readonly name: string;
  readonly tokens: number;
  readonly isOver: boolean;
  /** False for the tile of the rest. */
  readonly isTool: boolean;
}

const WIDTH = 1_000;
const HEIGHT = 320;
/** Smaller ones would be dots. They are one tile together. */
const MOST_TILES = 80;

/**
 * The tools as areas: how much of a model's context each takes. Tools that begin where the budget ends are red: without
 * them the rest would fit.
 */
export function TokenMap({ tokens: { total, budget, tools } }: { tokens: Contract['tokens'] }) {
  const sorted = [...tools].sort((a, b) => b.tokens - a.tokens);
  const shown = sorted.slice(0, MOST_TILES);
  const rest = sorted.slice(MOST_TILES).reduce((sum, each) => sum + each.tokens, 0);
  const parts = rest > 0 ? [...shown, { name: `${sorted.length - MOST_TILES} more`, tokens: rest }] : shown;
  const over = tooLarge(sorted, budget === undefined ? 0 : total - budget);
  const tiles = place(parts, { x: 0, y: 0, width: WIDTH, height: HEIGHT }).map((tile, index) => ({
    ...tile,
    isOver: over.has(tile.name),
    isTool: index < shown.length,
  }));
  const summary =
    `${tools.length} tools take about ${total.toLocaleString('en')} tokens` +
    (budget === undefined ? '.' : ` of a budget of ${budget.toLocaleString('en')}.`);
  return (
    <figure className="token-map">
      <svg role="img" aria-label={summary} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {tiles.map((tile) => (
          <Area key={tile.name} tile={tile} />
        ))}
      </svg>
      <figcaption className="faint">
        {summary} {over.size > 0 && `The red ones are the largest: a shorter text there brings the most.`} A
        click on an area opens the tool.
      </figcaption>
    </figure>
  );
}

function Area({ tile: { name, tokens, x, y, width, height, isOver, isTool } }: { tile: Tile }) {
  const characters = Math.floor((width - 12) / 7.6);
  const hasRoom = characters > 3 && height > 22;
  return (
    <g
      className={`token-area${isOver ? ' over' : ''}${isTool ? ' tool' : ''}`}
      onClick={isTool ? () => go('tools', 'tool', name) : undefined}
    >
      <title>{`${name}: about ${tokens.toLocaleString('en')} tokens`}</title>
      <rect x={x + 1} y={y + 1} width={Math.max(0, width - 2)} height={Math.max(0, height - 2)} rx={4} />
      {hasRoom && (
        <text x={x + 8} y={y + 18}>
          {name.length > characters ? cutText(name, characters - 1, '…') : name}
        </text>
      )}
      {hasRoom && height > 40 && (
        <text x={x + 8} y={y + 34} className="token-figure">
          {tokens.toLocaleString('en')}
        </text>
      )}
    </g>
  );
}

/** The largest tools that together take what is over the budget. */
function tooLarge(sorted: Contract['tokens']['tools'], over: number): ReadonlySet<string> {
  const found = new Set<string>();
  let left = over;
  for (const { name, tokens } of sorted) {
    if (left <= 0) break;
    found.add(name);
    left -= tokens;
  }
  return found;
}

/** A treemap: the list is cut where both halves weigh the same, across the longer side of the box. */
function place(parts: Contract['tokens']['tools'], box: Box): Omit<Tile, 'isOver' | 'isTool'>[] {
  if (parts.length === 0) return [];
  if (parts.length === 1) return [{ ...parts[0]!, ...box }];
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0) || 1;
  let cut = 0;
  let weight = 0;
  while (cut < parts.length - 1 && (cut === 0 || weight + parts[cut]!.tokens / 2 < sum / 2))
    weight += parts[cut++]!.tokens;
  const share = weight / sum;
  const { x, y, width, height } = box;
  const [first, second]: [Box, Box] =
    width >= height
      ? [
          { x, y, width: width * share, height },
          { x: x + width * share, y, width: width * (1 - share), height },
        ]
      : [
          { x, y, width, height: height * share },
          { x, y: y + height * share, width, height: height * (1 - share) },
        ];
  return [...place(parts.slice(0, cut), first), ...place(parts.slice(cut), second)];
}
