/** Which parts of a value are written. True: the whole part. False: nothing of it. */
export interface Selection {
  property(name: string): Selection | boolean;
  item(index: number): Selection | boolean;
}
