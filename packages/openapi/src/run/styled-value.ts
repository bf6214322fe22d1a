/** A value with the way in which it is written. `OpenAPI` calls them styles. */
export class StyledValue {
  constructor(
    readonly style: ValueStyle,
    readonly value: unknown,
  ) {}
}

/** Values without a style are written as `form` in a query and as `simple` in a path or a header. */
export type ValueStyle =
  | 'commaSeparated'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'exploded'
  | 'label'
  | 'labelExploded'
  | 'matrix'
  | 'matrixExploded'
  | 'json'
  | 'reserved';

const styled = (style: ValueStyle) => (value: unknown) => new StyledValue(style, value);

/** `ids=1,2,3` in place of `ids=1&ids=2&ids=3`. */
export const commaSeparated = styled('commaSeparated');
/** `ids=1%202%203` */
export const spaceDelimited = styled('spaceDelimited');
/** `ids=1|2|3` */
export const pipeDelimited = styled('pipeDelimited');
/** `filter[name]=a&filter[age]=1` */
export const deepObject = styled('deepObject');
/** An object in a path or a header as `name=a,age=1`. */
export const exploded = styled('exploded');
/** `.1,2` in a path. */
export const label = styled('label');
/** `.1.2` in a path. */
export const labelExploded = styled('labelExploded');
/** `;ids=1,2` in a path. */
export const matrix = styled('matrix');
/** `;ids=1;ids=2` in a path. */
export const matrixExploded = styled('matrixExploded');
/** The value as JSON. */
export const asJson = styled('json');
/** A text, or a list in any of these styles, whose reserved characters, such as `/` and `:`, stay as they are. */
export const reserved = styled('reserved');

/** The ways by name, for tools that are made at run time. */
export function withStyle(value: unknown, style: string): unknown {
  return style === 'form' || style === 'simple' || value === undefined
    ? value
    : new StyledValue(style as ValueStyle, value);
}
