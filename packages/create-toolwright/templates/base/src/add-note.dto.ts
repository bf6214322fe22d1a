import { Length } from 'class-validator';

/** Checked by class-validator; the same decorators make the tool's schema. */
export class AddNoteDto {
  /** What to write down. */
  @Length(1, 2000)
  text!: string;
}
