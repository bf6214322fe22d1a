import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsString,
  Length,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export class TagDto {
  @IsString() @Length(1, 20) label!: string;
  @IsInt() @Min(0) weight!: number;
}

/** Five fields, one of them nested: the size of DTO that most endpoints have. */
export class PageDto {
  @IsString() @MinLength(2) title!: string;
  @IsString() body!: string;
  @IsInt() @Min(1) @Max(9) stars!: number;
  @IsString() author!: string;
  @IsArray() @ArrayMaxSize(10) @ValidateNested({ each: true }) @Type(() => TagDto) tags!: TagDto[];
}

/** What the compiler makes of `PageDto`. */
export const pageSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 2 },
    body: { type: 'string' },
    stars: { type: 'integer', minimum: 1, maximum: 9 },
    author: { type: 'string' },
    tags: {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'object',
        properties: {
          label: { type: 'string', minLength: 1, maxLength: 20 },
          weight: { type: 'integer', minimum: 0 },
        },
        required: ['label', 'weight'],
        additionalProperties: false,
      },
    },
  },
  required: ['title', 'body', 'stars', 'author', 'tags'],
  additionalProperties: false,
};

export const page = {
  title: 'Decorators',
  body: 'A decorator records, and the kernel builds.',
  stars: 5,
  author: 'ann',
  tags: [
    { label: 'mcp', weight: 1 },
    { label: 'typescript', weight: 2 },
  ],
};
