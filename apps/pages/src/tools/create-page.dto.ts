import { IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

/** A page to be created. */
export class CreatePageDto {
  /** What the page is called. */
  @IsString()
  @Length(1, 200)
  @Matches(/\S/, { message: 'title must not be blank' })
  title!: string;

  /** The text, in Markdown. */
  @IsString()
  @MaxLength(500_000)
  content: string = '';

  /** Id of the page to put it below; at the top when left out. */
  @IsOptional()
  @IsString()
  parentId?: string;
}
