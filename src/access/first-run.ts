import { Refusal } from '../refusal.ts'
import { writeFarmSetting } from '../storage/settings.ts'
import { accountFrom, insertNewAccount } from './accounts.ts'
import type { Installation } from './installation.ts'
import { knownLanguage } from './locales.ts'
import { isSame, sealOf } from './secrets.ts'
import type { ConfirmedSession } from './sessions.ts'
import { closeSetup, isSetupOpen } from './setup-state.ts'

/**
 * Path and query of the setup page, or null once an account exists or existed. It is the same on every node and start.
 */
export async function prepareFirstRun(installation: Installation): Promise<string | null> {
  return (await isSetupOpen(installation)) ? `/setup?key=${await setupKey(installation)}` : null
}

async function setupKey({ database }: Installation): Promise<string> {
  return sealOf(database, 'setup', 'first run')
}

/** The setup page answers 404 without the key, and for everyone after the setup. */
export async function requireSetup(installation: Installation, key: string): Promise<void> {
  if (!(await isSetupOpen(installation))) throw new SetupIsOver()
  if (!isSame(key, await setupKey(installation))) throw new Refusal('not-found', 'There is nothing at this address.')
}

export class SetupIsOver extends Refusal {
  constructor() {
    super('not-found', 'This farm is already set up: log in.')
  }
}

interface Setup {
  readonly key: string
  readonly farmName: string
  readonly systemOfMeasurement: string
  /** Empty: the default of a new farm. */
  readonly timezone: string
  readonly language: string
  readonly name: string
  readonly password: string
}

/** If several requests race, exactly one becomes the first manager. */
export async function setUp(installation: Installation, setup: Setup): Promise<ConfirmedSession> {
  await requireSetup(installation, setup.key)
  const { name, password } = setup
  const now = installation.clock()
  const language = setup.language === '' ? {} : { language: knownLanguage(installation.farm, setup.language) }
  const manager = await accountFrom({ name, password, role: 'manager', ...language }, now)
  return installation.database.write(async (tx) => {
    if (!(await closeSetup(tx, now))) throw new SetupIsOver()
    await writeFarmSetting(tx, 'name', setup.farmName)
    await writeFarmSetting(tx, 'system_of_measurement', setup.systemOfMeasurement)
    if (setup.timezone !== '') await writeFarmSetting(tx, 'timezone', setup.timezone)
    if (setup.language !== '') await writeFarmSetting(tx, 'language', setup.language)
    const { uid } = await insertNewAccount(tx, manager)
    return { uid, password_hash: manager.password_hash }
  })
}
