export { Catalogue, PRODUCTS } from './catalogue.js';
export type { OrderLine } from './order-line.js';
export type { Product } from './product.js';
