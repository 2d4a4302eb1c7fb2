import { IsString, MaxLength } from 'class-validator';
import { MAX_EMAIL } from '../../../events/users/users.settings.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';

/** `POST /accounts/register/`. Without a password, the form is shown. */
export class RegisterParameters {
  @IsString() readonly key!: string;
  @OptionalText() readonly full_name: string = '';
  @OptionalText() readonly password?: string;
}

/** `POST /join/{key}/` */
export class JoinParameters {
  @IsString() @MaxLength(MAX_EMAIL) readonly email!: string;
}
