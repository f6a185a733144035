import { Misuse, command, farmOptions } from '../command.ts'

import { serverAddress } from '../farmos/address.ts'
import { moveIn, verifyOnly } from '../farmos/move-in.ts'

import { flag, one, oneOrElse } from '../option.ts'
import { anyText, oneOf } from '../option-values.ts'
import { readWord } from '../arguments.ts'

export const importFarmos = command({
  words: 'import farmos',
  summary: 'Move a live farmOS 1.x into an empty farm, and compare every record on both sides',
  takes: { URL: 'The address of the farmOS' },
  options: {
    user: one('NAME', anyText, { help: 'The account to read as, with its password: it also reads private files' }),
    'password-stdin': flag({
      help: 'Read the password from standard input instead of asking for it',
      opposite: 'token-stdin',
    }),
    'token-stdin': flag({ help: 'Read an OAuth access token from standard input instead', opposite: 'password-stdin' }),
    'dry-run': flag({
      help: 'Read everything and say what would become of it; the farm stays as it is',
      opposite: 'verify-only',
    }),
    resume: flag({ help: 'Go on with a reading that was begun' }),
    'verify-only': flag({ help: 'Compare only, with the farm that was moved in before' }),
    'write-module': one('FILE', anyText, {
      help: 'Declare what this farm does not know in a module, show it, and end',
    }),
    notes: oneOrElse('text|html', oneOf(['text', 'html']), {
      help: 'How notes are taken: as what was written, or as the farmOS renders them',
      fallback: 'text',
    }),
    insecure: flag({ help: 'Speak plain http also beyond private networks' }),
    ...farmOptions,
  },
  async run({ names: { URL: address }, options }) {
    const url = readWord('URL', address, serverAddress)
    if (!options['token-stdin'] && options.user === undefined)
      throw new Misuse('furrow import farmos needs --user NAME with a password, or --token-stdin.')
    if (options['verify-only']) await verifyOnly(url, options)
    else await moveIn(url, options)
  },
})
