import { IsString } from 'class-validator';

export class FetchApiKeyParameters {
  @IsString() readonly username!: string;
  @IsString() readonly password!: string;
}
