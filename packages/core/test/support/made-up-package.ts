import { optionRules } from '@toolwright/core/options';
import { definePolicy, ToolError, type Principal } from '@toolwright/core';
import type { Extension, ExtensionHost, ExtensionParts, ExtraServerOptions } from '@toolwright/core/extend';

declare module '@toolwright/core/extend' {
  interface ExtraServerOptions {
    /** How many units each caller has. */
    units?: { each: number };
  }
  interface ExtraToolOptions {
    /** How many units one call of the tool uses. */
    units?: number;
  }
  interface ExtraServiceOptions {
    units?: number;
  }
  interface ExtraContext {
    readonly units?: { left(): number };
  }
}

const { group, positiveCount, required } = optionRules;

/** What the made-up package offers beside its parts, to those who start it by a call. */
export interface UnitsParts extends ExtensionParts {
  left(principal: Principal | undefined): number;
  readonly log: string[];
}

/**
 * A made-up package that adds one of each: callers have units, and each tool says how many a call uses. It adds an option
 * of the server, options of `@McpTool` and `@McpService`, a member of `ToolContext`, two methods of JSON-RPC with their
 * capability, a tool at boot and one later, a list, a guard, and it reads a field of the manifest.
 */
export const unitsExtension: Extension<UnitsParts> = {
  name: '@made-up/units',
  options: { units: group({ each: required(positiveCount) }, '{ each }') },
  toolOptions: { units: positiveCount },
  serviceOptions: { units: positiveCount },
  start: startUnits,
};

/** The decorator of the package. A server that has it needs no option and no call. */
export const Metered = definePolicy<[], object>('metered', { parse: () => ({}), extension: unitsExtension });

function startUnits({ server, options, logger, manifestFields }: ExtensionHost): UnitsParts {
  const { each } = (options as ExtraServerOptions).units ?? { each: 10 };
  const used = new Map<string, number>();
  const log: string[] = [];
  const of = (principal: Principal | undefined) => principal?.subject ?? '';
  const left = (principal: Principal | undefined) => each - (used.get(of(principal)) ?? 0);
  return {
    left,
    log,
    guards: [
      {
        name: 'units',
        position: 55,
        summary: 'Takes units of the caller.',
        plan({ extra: { units } = {} }) {
          if (units === undefined) return undefined;
          return {
            detail: `${units} units`,
            step({ request: { principal } }, next) {
              if (left(principal) < units) throw new ToolError('No units are left.');
              used.set(of(principal), (used.get(of(principal)) ?? 0) + units);
              return next();
            },
          };
        },
      },
    ],
    context: { units: ({ request }) => ({ left: () => left(request.principal) }) },
    methods: [
      {
        name: 'units/get',
        capability: 'example/units',
        handle: (_params, { principal }) => ({ left: left(principal), fields: manifestFields() }),
      },
      {
        name: 'units/reset',
        capability: 'example/units',
        eras: ['stateless'],
        async handle({ subject }) {
          used.delete(subject as string);
          return {};
        },
      },
    ],
    capabilities: [
      { name: 'example/units', settings: { each } },
      { name: 'units', isOffered: () => false },
    ],
    lists: {
      // Who has no units left is shown one tool.
      tools: (visible, { principal }) =>
        left(principal) > 0 ? visible : server.tools.list().filter(({ name }) => name === 'buy_units'),
    },
    ready() {
      server.tools.add({ name: 'buy_units', description: 'Buys units.', handler: () => 'bought' });
      logger.debug({}, 'units are there');
      log.push('ready');
    },
    close: () => void log.push('closed'),
  };
}
