import { IsOptional, IsString, MaxLength } from 'class-validator';
import { TextOrNull } from '../../../platform/http/parameters/parameter-decorators.js';
import type { DeactivateUser } from '../domain/deactivate-user.js';

const MAX_COMMENT = 2000;

export class DeactivateUserParameters {
  /** null: nobody is told. */
  @TextOrNull()
  @IsOptional()
  @IsString()
  @MaxLength(MAX_COMMENT)
  readonly deactivation_notification_comment: string | null = null;
}

export const noticeOf = ({
  deactivation_notification_comment: comment,
}: DeactivateUserParameters): DeactivateUser['notice'] => (comment === null ? null : { comment });
