import { IsOptional, IsString } from 'class-validator';

/** `POST /saved_snippets` */
export class CreateSavedSnippetParameters {
  @IsString()
  readonly title!: string;

  @IsString()
  readonly content!: string;
}

/** `PATCH /saved_snippets/{saved_snippet_id}` */
export class EditSavedSnippetParameters {
  @IsOptional()
  @IsString()
  readonly title?: string;

  @IsOptional()
  @IsString()
  readonly content?: string;
}
