import { IsBoolean } from 'class-validator';
import { JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';

export class LogoParameters {
  /** Whether the logo is the one of dark themes. */
  @JsonText()
  @IsBoolean()
  readonly night!: boolean;
}

/** Parameters of an upload in the query string. Clients send them beside the file instead. */
export class LogoUploadParameters {
  @OptionalFlag()
  readonly night?: boolean;
}
