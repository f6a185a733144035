import { addAccount, requireSoundAccount, requireUnusedName } from '../../access/accounts.ts'
import { knownLanguage } from '../../access/locales.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { command } from '../command.ts'
import { type FarmValues, farmOptions } from '../farm-options.ts'
import { loadFarm } from '../modules.ts'
import { inInstallation } from '../open-installation.ts'
import { inFarmIfThere } from '../operation/existing-farm.ts'
import { one, required } from '../option.ts'
import { anyText } from '../option-values.ts'
import { askForPassword, say } from '../terminal.ts'
import { passwordOptions, readRole, roleWords } from '../user-options.ts'

export const userAdd = command({
  words: 'user add',
  summary: 'Create an account',
  takes: { NAME: 'The name to log in with' },
  options: {
    role: required(roleWords, readRole, { help: 'What the account may do' }),
    mail: one('M', anyText, { help: "The person's mail address" }),
    language: one('L', anyText, { help: "The person's language, such as en; the farm's where none is given" }),
    ...passwordOptions,
    ...farmOptions,
  },
  async run({ names: { NAME: name }, options }) {
    await refuseBeforeAsking(name, options)
    const password = await askForPassword(options['password-stdin'] ? 'stdin' : 'terminal')
    await inInstallation(options, async (installation) => {
      const farmSettings = await installation.database.read(readFarmSettings)
      await addAccount(installation, {
        name,
        password,
        role: options.role,
        mail: options.mail ?? '',
        language: knownLanguage(installation.farm, options.language ?? farmSettings.language),
        allowWeakPassword: options['allow-weak-password'],
      })
    })
    say(`${name} can log in now, ${options.role === null ? 'without a role' : `as ${options.role}`}.`)
  },
})

type Wanted = FarmValues & { readonly mail: string | undefined; readonly language: string | undefined }

/** A farm that is not there yet is not made before there is a password. */
async function refuseBeforeAsking(name: string, options: Wanted): Promise<void> {
  requireSoundAccount({ name, mail: options.mail ?? '' })
  if (options.language !== undefined) knownLanguage(await loadFarm(options.module ?? []), options.language)
  await inFarmIfThere(options, (installation) => requireUnusedName(installation, name))
}
