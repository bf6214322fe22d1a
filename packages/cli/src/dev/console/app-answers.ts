import type { ConsoleMethod, ResultOf } from '@toolwright/console';
import { tokensOfTool, type ToolInList } from '@toolwright/json';
import { loadCounter } from '../../contract/tokens/count-tokens.js';
import type { SourceStacks } from '../source-stacks.js';

type Located = { readonly location?: string };
type Explanation = ResultOf<'explain'>;
type Surface = ResultOf<'surface'>;

/**
 * The app knows only what runs: the places in its compiled files, and an estimate of tokens. `dev` puts the places of the
 * sources there, and the count of `toolwright lint`, so that each pane says the same of a tool.
 */
export class AppAnswers {
  constructor(private readonly stacks: SourceStacks) {}

  async complete(method: ConsoleMethod, answer: unknown): Promise<unknown> {
    if (method === 'surface') return this.#surface(answer as Surface);
    return method === 'explain' ? this.#explanation(answer as Explanation) : answer;
  }

  async #surface(surface: Surface): Promise<Surface> {
    const count = await loadCounter();
    const operations = surface.operations.map((each) => ({
      ...this.#inSource(each),
      tokens:
        each.kind === 'tool'
          ? tokensOfTool(each.listed as unknown as ToolInList, count)
          : count(JSON.stringify(each.listed)),
    }));
    return { ...surface, operations, tokens: operations.reduce((sum, { tokens }) => sum + tokens, 0) };
  }

  #explanation(explanation: Explanation): Explanation {
    const { others } = explanation;
    return {
      ...this.#inSource(explanation),
      ...(others && { others: others.map((each) => this.#explanation(each)) }),
    };
  }

  #inSource<T extends Located>(each: T): T {
    return each.location === undefined ? each : { ...each, location: this.stacks.inSources(each.location) };
  }
}
