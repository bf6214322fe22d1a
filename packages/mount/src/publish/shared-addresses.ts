import { BUDGET } from '../budget.js';

/** One step of a template: the characters that it takes, once, or as many times as there are. */
interface Step {
  /** One character, or the class that a variable has. */
  readonly takes: string | typeof SEGMENT | typeof ANYTHING;
  readonly repeats?: boolean;
}

const SEGMENT = Symbol('all but the ends of a segment');
const ANYTHING = Symbol('all characters');

/** The URIs that a resource or a template means, as far as two of them are compared. */
export class AddressSet {
  /** Is made when it is compared for the first time: most addresses begin differently, and are not followed. */
  #made: readonly Step[] | undefined;
  /** What all its URIs begin with. */
  readonly #start: string;

  constructor(readonly address: string) {
    const pieces = address.length > BUDGET.addressLength ? [address] : address.split(/\{([^{}]*)\}/);
    this.#start = pieces[0]!;
  }

  get #steps(): readonly Step[] {
    const { address } = this;
    this.#made ??=
      address.length > BUDGET.addressLength
        ? []
        : address
            .split(/\{([^{}]*)\}/)
            .flatMap((piece, at) => (at % 2 ? variablesOf(piece) : literal(piece)));
    return this.#made;
  }

  /** Why nobody may have it, whatever the others have. */
  get problem(): string | undefined {
    if (this.address.length > BUDGET.addressLength)
      return `it is longer than ${BUDGET.addressLength} characters`;
    return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(this.#start) ? undefined : 'it means URIs of every scheme';
  }

  /**
   * Whether some URI is in both. The answer may be true for two that only nearly meet, and it is never false for two that
   * meet. Both are followed at the same time.
   *
   * @param left the steps that all comparisons of a change may still take. Over them, two are taken to meet
   */
  meets(other: AddressSet, left = { steps: BUDGET.meetingSteps }): boolean {
    const [mine, theirs] = [this.#steps, other.#steps];
    if (!this.#start.startsWith(other.#start) && !other.#start.startsWith(this.#start)) return false;
    const width = theirs.length + 1;
    // What is allocated costs, too.
    left.steps -= (width * (mine.length + 1)) / 256;
    const seen = new Uint8Array((mine.length + 1) * width);
    const open: [number, number][] = [[0, 0]];
    for (let place = open.pop(); place; place = open.pop()) {
      const [one, two] = place;
      if (--left.steps < 0) return true;
      if (seen[one * width + two]) continue;
      seen[one * width + two] = 1;
      const [a, b] = [mine[one], theirs[two]];
      if (!a && !b) return true;
      if (a?.repeats) open.push([one + 1, two]);
      if (b?.repeats) open.push([one, two + 1]);
      if (a && b && haveCommon(a.takes, b.takes))
        open.push([a.repeats ? one : one + 1, b.repeats ? two : two + 1]);
    }
    return false;
  }
}

const literal = (text: string): Step[] => [...text].map((takes) => ASCII[takes.charCodeAt(0)] ?? { takes });

/** There may be millions of steps, and nearly all of them are these. */
const ASCII: readonly Step[] = Array.from({ length: 128 }, (_, code) => ({
  takes: String.fromCharCode(code),
}));

/** A value has at least one character, and a query may be left out. */
function variablesOf(expression: string): Step[] {
  const operator = /^[+#./;?&]/.exec(expression)?.[0] ?? '';
  if (operator === '?' || operator === '&') return [{ takes: ANYTHING, repeats: true }];
  const before = literal('#./;'.includes(operator) ? operator : '');
  const isWide = operator === '+' || operator === '#' || /[*,]/.test(expression) || operator === ';';
  const takes = isWide ? ANYTHING : SEGMENT;
  return [...before, { takes }, { takes, repeats: true }];
}

function haveCommon(one: Step['takes'], other: Step['takes']): boolean {
  if (one === other || one === ANYTHING || other === ANYTHING) return true;
  const character = typeof one === 'string' ? one : other;
  return typeof one !== typeof other && !'/?#'.includes(character as string);
}
