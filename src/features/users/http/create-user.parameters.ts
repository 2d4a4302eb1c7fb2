import { IsString } from 'class-validator';

export class CreateUserParameters {
  @IsString()
  readonly email!: string;

  @IsString()
  readonly password!: string;

  @IsString()
  readonly full_name!: string;
}
