import { IsIn, IsOptional, IsString } from 'class-validator';
import type { PropagateMode } from '../domain/edit-message.js';

/** api.md, endpoint 2, as far as it is about the words. */
export class UpdateMessageParameters {
  @IsOptional()
  @IsString()
  readonly content?: string;

  @IsOptional()
  @IsString()
  readonly prev_content_sha256?: string;

  @IsOptional()
  @IsIn(['change_one', 'change_later', 'change_all'])
  readonly propagate_mode: PropagateMode = 'change_one';
}
