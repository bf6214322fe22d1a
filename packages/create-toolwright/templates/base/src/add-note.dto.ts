import { Length } from 'class-validator';

/** class-validator checks the arguments. The schema of the tool comes from the same decorators. */
export class AddNoteDto {
  /** What to write down. */
  @Length(1, 2000)
  text!: string;
}
