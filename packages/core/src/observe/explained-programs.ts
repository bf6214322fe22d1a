/** A tool that programs of a caller may call. */
interface CallableTool {
  readonly name: string;
  /** It only reads. */
  readonly reads: boolean;
  /** The caller's person is asked before it runs. */
  readonly confirms: boolean;
  /** A program gets one text, because the tool has no output schema. */
  readonly isText: boolean;
}

/** What the programs of a caller may do, as `@toolwright/code` answers the question `code.explain` of an operator. What only a call decides (`authorize`, a policy engine) is left out. */
export interface ExplainedPrograms {
  readonly limits: {
    /** Calls of tools, over all rounds of a program. */
    readonly calls: number;
    /** What a program itself may work in a round, in milliseconds. */
    readonly time: number;
    /** Bytes. */
    readonly memory: number;
    /** Bytes of the result, of an inner result, and of the arguments of a call. */
    readonly result: number;
    /** Programs of a process that work at a time. */
    readonly programs: number;
  };
  readonly tools: readonly CallableTool[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}
