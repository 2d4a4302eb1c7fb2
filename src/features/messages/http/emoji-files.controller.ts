import { Controller, Get } from '@nestjs/common';
import { FOR_A_DAY, FOR_EVER, ServedFile } from '../../../platform/http/answers/served-file.js';
import { Public } from '../../../platform/http/route-marks.js';
import { EMOJI_DATA, EMOJI_DATA_PATH, ZULIP_EMOJI, ZULIP_EMOJI_PATH } from '../../markdown/emoji.js';

/** Serves what is the same for every organization: the names of emoji, and pictures of emoji that are no characters. */
@Public()
@Controller()
export class EmojiFilesController {
  @Get(ZULIP_EMOJI_PATH)
  zulip(): ServedFile {
    return new ServedFile({ type: 'image/png', headers: FOR_A_DAY, content: ZULIP_EMOJI });
  }

  @Get(EMOJI_DATA_PATH)
  data(): ServedFile {
    return new ServedFile({ type: 'application/json; charset=utf-8', headers: FOR_EVER, content: EMOJI_DATA });
  }
}
