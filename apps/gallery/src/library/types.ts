import type { integer } from '@toolwright/core';

export interface Book {
  isbn?: string;
  title?: string;
  author?: string;
  year?: integer | string;
  free?: integer | string;
}

export interface Loan {
  id?: integer | string;
  isbn?: string;
  reader?: integer | string;
  due?: string;
}
