import { IsString, MaxLength } from 'class-validator';

/** `POST /realm/playgrounds` */
export class AddPlaygroundParameters {
  @IsString() @MaxLength(100) readonly name!: string;
  @IsString() @MaxLength(40) readonly pygments_language!: string;
  @IsString() readonly url_template!: string;
}
