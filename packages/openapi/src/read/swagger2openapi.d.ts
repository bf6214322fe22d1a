declare module 'swagger2openapi';
