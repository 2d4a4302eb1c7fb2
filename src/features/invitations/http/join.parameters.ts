import { IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_EMAIL } from '../../../events/users/users.settings.js';

/** `POST /accounts/register/`. Without a password, the form is shown. */
export class RegisterParameters {
  @IsString()
  readonly key!: string;

  @IsOptional()
  @IsString()
  readonly full_name: string = '';

  @IsOptional()
  @IsString()
  readonly password?: string;
}

/** `POST /join/{key}/` */
export class JoinParameters {
  @IsString()
  @MaxLength(MAX_EMAIL)
  readonly email!: string;
}
