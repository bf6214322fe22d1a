declare module '@toolwright/core/extend' {
  interface ExtraServiceOptions {
    /** The API, the server or the database that the tools of the class came from. */
    origin?: string;
    /** The category of all tools of the class. */
    category?: string;
  }
}

/** Any value of JSON, for columns that have one. */
export type Json = string | number | boolean | null | object | Json[];
