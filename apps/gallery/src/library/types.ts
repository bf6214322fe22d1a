import type { integer } from '@toolwright/core';

export interface Book {
  isbn?: string;
  title?: string;
  author?: string;
  year?: integer;
  free?: integer;
}

export interface Loan {
  id?: integer;
  isbn?: string;
  reader?: integer;
  due?: string;
}
