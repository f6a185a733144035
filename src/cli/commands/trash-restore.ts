import { type RestoreResult, restoreIn } from '../../records/writing/restore.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { inOneChange } from '../operation/one-change.ts'
import { flag, one } from '../option.ts'
import { anyText } from '../option-values.ts'
import { say } from '../terminal.ts'

export const trashRestore = command({
  words: 'trash restore',
  summary: 'Bring a removed record back as it was',
  takes: { UUID: 'Its UUID, as furrow trash list shows it' },
  options: {
    'with-referents': flag({ help: 'Also what it refers to and lies in the trash too' }),
    'drop-missing': flag({ help: 'Leave out what it refers to and is gone for good' }),
    'dry-run': flag({ help: 'Only say what would come back, and what stands in the way' }),
    author: one('NAME', anyText, { help: 'The account that the change is noted as that of; none where none is given' }),
    ...existingFarmOptions,
  },
  async run({ names: { UUID: uuid }, options: { author, 'dry-run': dryRun, ...options } }) {
    const ending = dryRun ? 'undone' : 'kept'
    const restored = await inExistingFarm(options, (installation) =>
      inOneChange(installation, { author, ending }, (work) =>
        restoreIn(work, {
          records: [{ uuid: uuid.toLowerCase() }],
          referents: options['with-referents'] ? 'restore' : 'refuse',
          missing: options['drop-missing'] ? 'drop' : 'refuse',
        }),
      ),
    )
    say(...(dryRun ? [nothingKept] : []), ...linesOf(restored))
  },
})

const nothingKept = 'A dry run: nothing was changed. Without --dry-run:'

const linesOf = ({ records, dropped, namesakes }: RestoreResult): readonly string[] => [
  ...records.map(({ type, id, values }) => `${type} ${id} (${values.name}) is back.`),
  ...dropped.map(({ of, field, to, id }) => `${of.type} ${of.id} refers in ${field} to ${to} ${id} no longer.`),
  ...namesakes.map(
    ({ term, others }) => `term ${term.id} has the same name as ${others.map((id) => `term ${id}`).join(', ')}.`,
  ),
]
