import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { DeactivateUser } from '../domain/deactivate-user.js';

const MAX_COMMENT = 2000;

export class DeactivateUserParameters {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_COMMENT)
  readonly deactivation_notification_comment?: string;
}

/** Takes the text `null` as no comment: libraries of this API send their language's null as this text. */
export const noticeOf = ({
  deactivation_notification_comment: comment,
}: DeactivateUserParameters): DeactivateUser['notice'] =>
  comment === undefined || comment === 'null' ? null : { comment };
