import { IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

/** A page to be changed, and what to change. Fields that are left out stay as they are. */
export class UpdatePageDto {
  /** Id of the page, as search_pages gives it. */
  @IsString()
  pageId!: string;

  /** A new title. */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  @Matches(/\S/, { message: 'title must not be blank' })
  title?: string;

  /** A new text, in Markdown; replaces the old one. */
  @IsOptional()
  @IsString()
  @MaxLength(500_000)
  content?: string;

  /** Id of the page to move it below; null moves it to the top. */
  @IsOptional()
  @IsString()
  parentId?: string | null;
}
