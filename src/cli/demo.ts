import { dayAt } from '../../programs/demo/calendar.ts'
import { callerFor, type DemoAuthor, fill, requireEmptyFarm } from '../../programs/demo/fill.ts'
import { planFarm } from '../../programs/demo/plan.ts'
import { readWords } from '../../programs/demo/words.ts'
import { listAccounts } from '../access/accounts.ts'
import type { Installation } from '../access/installation.ts'
import { nameKey } from '../access/names.ts'
import { wallClock } from '../clock.ts'
import { openRecords } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import { nameFarm } from '../storage/settings.ts'
import { command, farmOptions } from './command.ts'
import { inInstallation } from './existing-farm.ts'
import { one, oneOrElse } from './option.ts'
import { anyText, calendarDate, wholeNumber } from './option-values.ts'
import { withProgress } from './progress.ts'
import { say } from './terminal.ts'

export const demo = command({
  words: 'demo',
  summary: 'Fill an empty farm with the records of a made-up mixed farm',
  takes: {},
  options: {
    seed: oneOrElse('N', wholeNumber(0, 4_294_967_295), {
      help: 'Another number, another farm; the same number, the same farm',
      fallback: '1',
    }),
    today: one('DATE', calendarDate, {
      help: 'The day on which its book ends, such as 2026-06-15; the present one where none is given',
    }),
    author: one('NAME', anyText, {
      help: 'The account that the records are of; the first manager where none is given',
    }),
    ...farmOptions,
  },
  async run({ options }) {
    const words = readWords()
    const planned = planFarm(options.seed, options.today ?? dayAt(wallClock()), words)
    await inInstallation(options, async (installation) => {
      const caller = callerFor(await authorOf(installation, options.author))
      const records = await openRecords(installation)
      await requireEmptyFarm(records)
      await withProgress((report) => fill({ records, caller, report }, planned))
      await installation.database.write((tx) => nameFarm(tx, words.areas.farm))
    })
    const count = (type: string) => planned.filter((one) => one.type === type).length
    say(
      `Planted ${count('term')} terms, ${count('asset')} assets and ${count('log')} logs, and the units, materials and other words that they name.`,
    )
  },
})

async function authorOf(installation: Installation, name: string | undefined): Promise<DemoAuthor> {
  const accounts = (await listAccounts(installation)).filter(({ blocked, isService }) => !blocked && !isService)
  const author = accounts.find((one) =>
    name === undefined ? one.role === 'manager' : nameKey(one.name) === nameKey(name),
  )
  if (author !== undefined) return author
  throw new Refusal(
    'not-found',
    name === undefined
      ? 'There is no manager yet whose records these could be: create one with `furrow user add NAME --role manager`.'
      : `There is no account named "${name}": \`furrow user list\` lists them.`,
  )
}
