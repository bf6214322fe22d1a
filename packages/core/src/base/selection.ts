/** Which parts of a value are written. True: the part as a whole; false: nothing of it. */
export interface Selection {
  property(name: string): Selection | boolean;
  item(index: number): Selection | boolean;
}
