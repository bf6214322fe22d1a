import { McpResource, McpServer, McpService, McpTool, structured, ToolError } from '@toolwright/core';
import { addMissing, around, type Entity, type Graph, type Relation, relationKey } from './graph.js';
import { GraphFile } from './graph-file.js';

const GRAPH_URI = 'memory://knowledge-graph';

const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const deletes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export interface NewObservations {
  /** name of the entity, which must exist */
  entityName: string;
  /** facts to remember */
  contents: string[];
}

export interface OldObservations {
  /** name of the entity */
  entityName: string;
  /** facts to forget, word for word */
  observations: string[];
}

/** What a model remembers from one conversation to the next. */
@McpService()
export class MemoryTools {
  constructor(
    private readonly file: GraphFile,
    private readonly server: McpServer,
  ) {}

  /** Remember people, things or ideas. Names that are known are left alone. Returns those that are new. */
  @McpTool({ name: 'create_entities', title: 'Create Entities', annotations: adds })
  async createEntities(entities: Entity[]) {
    const added = await this.change((graph) => addMissing(graph.entities, entities, ({ name }) => name));
    return structured({ entities: added }, pretty(added));
  }

  /** Remember how entities belong together. Returns the relations that are new. */
  @McpTool({ name: 'create_relations', title: 'Create Relations', annotations: adds })
  async createRelations(relations: Relation[]) {
    const added = await this.change((graph) => addMissing(graph.relations, relations, relationKey));
    return structured({ relations: added }, pretty(added));
  }

  /** Remember more about entities that exist. Returns for each what is new. */
  @McpTool({ name: 'add_observations', title: 'Add Observations', annotations: adds })
  async addObservations(observations: NewObservations[]) {
    const results = await this.change((graph) => observations.map((each) => observe(graph, each)));
    return structured({ results }, pretty(results));
  }

  /**
   * Forget entities, and all their relations.
   * @param entityNames names of the entities
   */
  @McpTool({ name: 'delete_entities', title: 'Delete Entities', annotations: deletes })
  deleteEntities(entityNames: string[]) {
    return this.forget('Entities', (graph) => {
      const gone = new Set(entityNames);
      graph.entities = graph.entities.filter(({ name }) => !gone.has(name));
      graph.relations = graph.relations.filter(({ from, to }) => !gone.has(from) && !gone.has(to));
    });
  }

  /** Forget single facts about entities. */
  @McpTool({ name: 'delete_observations', title: 'Delete Observations', annotations: deletes })
  deleteObservations(deletions: OldObservations[]) {
    return this.forget('Observations', ({ entities }) => {
      for (const { entityName, observations } of deletions) {
        const entity = entities.find(({ name }) => name === entityName);
        if (entity) entity.observations = entity.observations.filter((fact) => !observations.includes(fact));
      }
    });
  }

  /**
   * Forget relations.
   * @param relations each with all three parts, as read_graph gives it
   */
  @McpTool({ name: 'delete_relations', title: 'Delete Relations', annotations: deletes })
  deleteRelations(relations: Relation[]) {
    return this.forget('Relations', (graph) => {
      const gone = new Set(relations.map(relationKey));
      graph.relations = graph.relations.filter((relation) => !gone.has(relationKey(relation)));
    });
  }

  /** Read everything that is remembered. */
  @McpTool({ name: 'read_graph', title: 'Read Graph', annotations: reads })
  async readGraph() {
    return answer(await this.file.read());
  }

  /**
   * Find entities by a part of their name, kind or facts. Returns them with their relations.
   * @param query text to look for; capital letters make no difference
   */
  @McpTool({ name: 'search_nodes', title: 'Search Nodes', annotations: reads })
  async searchNodes(query: string) {
    const wanted = query.toLowerCase();
    const has = (text: string) => text.toLowerCase().includes(wanted);
    const fits = (entity: Entity) =>
      has(entity.name) || has(entity.entityType) || entity.observations.some(has);
    return answer(around(await this.file.read(), fits));
  }

  /**
   * Read entities by their names. Returns them with their relations.
   * @param names exact names
   */
  @McpTool({ name: 'open_nodes', title: 'Open Nodes', annotations: reads })
  async openNodes(names: string[]) {
    return answer(around(await this.file.read(), ({ name }) => names.includes(name)));
  }

  /** Everything that is remembered. */
  @McpResource({
    uri: GRAPH_URI,
    name: 'knowledge-graph',
    title: 'Knowledge Graph',
    mimeType: 'application/json',
  })
  async graph(): Promise<string> {
    return pretty(await this.file.read());
  }

  private async change<T>(edit: (graph: Graph) => T): Promise<T> {
    const result = await this.file.change(edit);
    this.server.resourceUpdated(GRAPH_URI);
    return result;
  }

  private async forget(what: string, edit: (graph: Graph) => void) {
    await this.change(edit);
    const message = `${what} deleted successfully`;
    return structured({ success: true, message }, message);
  }
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const answer = (graph: Graph) => structured(graph, pretty(graph));

function observe({ entities }: Graph, { entityName, contents }: NewObservations) {
  const entity = entities.find(({ name }) => name === entityName);
  if (!entity) throw new ToolError(`There is no entity "${entityName}". Create it with create_entities.`);
  return { entityName, addedObservations: addMissing(entity.observations, contents, (fact) => fact) };
}
