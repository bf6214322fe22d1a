import { definePolicy, type McpServer } from '@toolwright/core';
import { extend, type Extension, type ExtensionParts } from '@toolwright/core/extend';
import { type AnsweredRequest, outcomeOf } from './answered-request.js';
import { noteEndings } from './list-endings.js';
import { openApiMetrics } from './metrics.js';

const DURATION = 'toolwright.server.api.duration';

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /** Takes note of a request to an API. `ApiClient` calls it. */
    readonly apiAnswered?: (request: AnsweredRequest) => void;
  }
  interface ExtraServiceOptions {
    /** The API or the server that the tools of the class came from. */
    origin?: string;
    /** The category of all tools of the class. */
    category?: string;
  }
  interface BackgroundNouns {
    'api request': true;
  }
}

/** Where a tool comes from: an operation of a specification. */
export interface ApiOrigin {
  /** `GET /pets/{petId}` */
  readonly operation: string;
  /** The file of the specification, or the title of its API. */
  readonly specification: string | undefined;
}

/** What one server keeps of its APIs. */
interface ApiParts extends ExtensionParts {
  /** Logs what the author of the server should know about a specification. */
  remark(specification: string, remarks: readonly string[]): void;
}

const extension: Extension<ApiParts> = {
  name: '@toolwright/openapi',
  start({ duration, record, logger }) {
    const measure = duration(DURATION, openApiMetrics[DURATION][2]);
    return {
      remark(specification, remarks) {
        if (remarks.length === 0) return;
        logger.warn(
          { specification, remarks },
          'Not everything of a specification is as it is written there',
        );
      },
      context: {
        apiAnswered:
          ({ operation, request: { principal } }) =>
          (request: AnsweredRequest) => {
            const outcome = outcomeOf(request);
            measure(request.ms / 1_000, {
              'gen_ai.tool.name': 'name' in operation ? operation.name : undefined,
              'toolwright.api.operation': request.name,
              'toolwright.api.outcome': outcome,
            });
            record({
              operation: 'api request',
              name: request.name,
              principal,
              outcome: outcome === '2xx' || outcome === '3xx' ? 'ok' : outcome,
              fields: { status: request.status ?? null, ms: Math.round(request.ms) },
            });
          },
      },
    };
  },
};

/**
 * Says which operation of an API a tool calls. The console shows it. The requests that the tool makes with `ApiClient` are
 * measured, and they are in the audit log with their status and time.
 *
 * @example
 * class PetTools { @McpTool() @CallsApi('GET /pets/{petId}', 'petstore.yaml') getPet() { … } }
 */
export const CallsApi = definePolicy('calls API', {
  extension,
  parse: (operation: string, specification?: string): ApiOrigin => ({ operation, specification }),
  plan: () => noteEndings,
});

/** Has a server note the requests of tools that were added at run time. */
export const noteRequests = (server: McpServer) => extend(server, extension);
