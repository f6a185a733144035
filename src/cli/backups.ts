import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../refusal.ts'
import type { AgeRecipient } from '../storage/backup/age.ts'
import { recipientIn } from '../storage/backup/age.ts'
import { archiveAt } from '../storage/backup/archive.ts'
import { backUp } from '../storage/backup/back-up.ts'
import { type BackupIntoResult, backUpInto } from '../storage/backup/back-up-into.ts'
import { formName, keysToRead } from '../storage/backup/backup-keys.ts'
import {
  backupSource,
  faultyPieces,
  type KeepRule,
  keepRuleIn,
  listBackups,
  piecesNamed,
} from '../storage/backup/backup-store.ts'
import type { ArchiveSource } from '../storage/backup/manifest.ts'
import { verify as verifySource } from '../storage/backup/verification.ts'
import { ensureBackupKey, noteBackup } from '../storage/settings.ts'
import { command, existingFarmOptions, Misuse } from './command.ts'
import { inFarmEvenIfIncomplete } from './existing-farm.ts'
import { BadValue, flag, many, type OptionValues, one, type ReadText } from './option.ts'
import { anyText } from './option-values.ts'
import { withProgress } from './progress.ts'
import { say, sayTable, unreadableFile, warn } from './terminal.ts'
import { arrivalOptions, arrive, contentsOf, counted, inBytes, sayDeparture } from './whole-farm.ts'

const passphraseFile = one('FILE', anyText, {
  help: 'The file whose first line is the passphrase of encrypted backups',
})

const keepRule: ReadText<KeepRule> = (text) => {
  const rule = keepRuleIn(text)
  if (rule === null) throw new BadValue('counts of hours, days, weeks, months and years such as 24h,7d,4w,12m,5y')
  return rule
}

const ageRecipient: ReadText<AgeRecipient> = (text) => {
  const recipient = recipientIn(text)
  if (recipient === null) throw new BadValue('a public key of age, age1…')
  return recipient
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

function readSecret(path: string): string {
  const [line = ''] = readText(path).split(/\r?\n/)
  if (line.length < 8) throw new Refusal('invalid-content', `The first line of ${path} has fewer than 8 characters.`)
  return line
}

export const backup = command({
  words: 'backup',
  summary: 'Back the whole farm up, into one archive or a directory of backups, while the server goes on',
  takes: {},
  mayTake: ['FILE', 'The archive to write, such as farm.tar.gz; it must not be there yet. Or give --to'],
  options: {
    ...existingFarmOptions,
    to: one('DIR', anyText, { help: 'A directory of backups, to which only what is new is written' }),
    keep: one('RULE', keepRule, {
      help: 'With --to: remove backups but the last of so many hours, days, weeks, months, years: 24h,7d,4w,12m,5y',
    }),
    recipient: many('KEY', ageRecipient, { help: 'With --to: encrypt for this age recipient' }),
    'passphrase-file': passphraseFile,
  },
  async run({ extra: file, options }) {
    const { to, keep, recipient, 'passphrase-file': secretFile, ...farm } = options
    if ((file === undefined) === (to === undefined))
      throw new Misuse('furrow backup takes a FILE to write, or --to DIR.')
    if (to === undefined && (keep ?? recipient ?? secretFile) !== undefined)
      throw new Misuse('--keep, --recipient and --passphrase-file go with --to DIR.')
    if (recipient !== undefined && secretFile !== undefined)
      throw new Misuse('Backups are encrypted for recipients or with a passphrase: give one of them.')
    const passphrase = secretFile === undefined ? undefined : readSecret(secretFile)
    await inFarmEvenIfIncomplete(farm, async ({ database, clock }) => {
      const at = clock()
      if (file !== undefined) {
        const done = await withProgress((report) => backUp(database, file, { clock, report }))
        sayDeparture(`${file} is written and verified`, done)
      } else if (to !== undefined) {
        const farmKey = () => database.write(ensureBackupKey)
        const keys = { recipients: recipient ?? [], passphrase }
        const done = await withProgress((report) =>
          backUpInto(database, to, { clock, report, keep: keep ?? null, keys, farmKey }),
        )
        sayBackupInto(to, done)
      }
      // A farm that cannot be written to any more is all the more worth a backup.
      await database
        .write((tx) => noteBackup(tx, at))
        .catch(() => warn('The farm could not note that it was backed up.'))
    })
  },
})

function sayBackupInto(
  directory: string,
  { name, written, removed, damagedLists, ...departure }: BackupIntoResult,
): void {
  sayDeparture(`${join(directory, name)} is written and verified`, departure)
  say(`New in it: ${counted(written.pieces, 'piece', 'pieces')} (${inBytes(written.bytes)}).`)
  if (removed.length > 0) say(`Removed, because no rule keeps them: ${removed.join(', ')}.`)
  if (damagedLists.length > 0)
    warn(
      `Damaged lists: ${damagedLists.join(', ')}. Nothing is removed while they are there; delete them once you have looked.`,
    )
}

const readingOptions = {
  backup: one('NAME', anyText, { help: 'Which backup of a directory, as furrow backup list names it; else the last' }),
  identity: one('FILE', anyText, { help: 'The identity file of age that opens backups for recipients' }),
  'passphrase-file': passphraseFile,
}

type ReadingValues = OptionValues<typeof readingOptions>

export const backupList = command({
  words: 'backup list',
  summary: 'List the backups in a directory',
  takes: { DIR: 'The directory that `furrow backup --to` has written' },
  options: {},
  async run({ names: { DIR: directory } }) {
    await keysToRead(directory, {})
    const { backups, damaged } = await listBackups(directory)
    sayTable(
      ['NAME', 'PIECES', 'SIZE'],
      backups.map(({ name, pieces }) => [
        name,
        String(pieces.length),
        inBytes(pieces.reduce((sum, [, , size]) => sum + size, 0)),
      ]),
    )
    if (damaged.length > 0) warn(`Damaged lists: ${damaged.join(', ')}.`)
  },
})

export const backupVerify = command({
  words: 'backup verify',
  summary: 'Compare every piece of a directory of backups with its sum, and the content of the last with its manifest',
  takes: { DIR: 'The directory that `furrow backup --to` has written' },
  options: readingOptions,
  async run({ names: { DIR: directory }, options }) {
    const { backup, keys } = await chosenBackup(directory, options)
    const { backups, damaged } = await listBackups(directory)
    if (damaged.length > 0)
      throw new Refusal('invalid-content', `${directory} cannot be trusted: damaged lists: ${damaged.join(', ')}.`)
    const pieces = piecesNamed(backups)
    const faulty = await withProgress((report) =>
      faultyPieces({ directory, pieces: pieces.values(), depth: 'bytes', report }),
    )
    if (faulty.size > 0) {
      const hurt = backups.filter((one) => one.pieces.some(([name]) => faulty.has(name))).map(({ name }) => name)
      const named = [...faulty].map(([name, fault]) => `${name} (${fault})`)
      throw new Refusal(
        'invalid-content',
        `${directory} cannot be trusted: ${named.join(', ')}. Backups that need them: ${hurt.join(', ')}.`,
      )
    }
    say(
      `${directory} is whole: ${counted(backups.length, 'backup', 'backups')}, ${counted(pieces.size, 'piece', 'pieces')}.`,
    )
    if (!keys.canRead) {
      say('What is in them was not read: give --identity FILE or --passphrase-file FILE.')
      return
    }
    const manifest = await withProgress((report) => verifySource(backupSource(directory, backup, keys), report))
    say(`${backup.name} holds ${contentsOf(manifest)}.`)
  },
})

/** The backup that was named, or the last, and what it is read with. */
async function chosenBackup(directory: string, options: ReadingValues) {
  const { backup: wanted, identity, 'passphrase-file': secretFile } = options
  const keys = await keysToRead(directory, {
    identity: identity === undefined ? undefined : readText(identity),
    passphrase: secretFile === undefined ? undefined : readSecret(secretFile),
  })
  const { backups } = await listBackups(directory)
  const backup = wanted === undefined ? backups.at(-1) : backups.find(({ name }) => name === wanted)
  if (backup !== undefined) return { backup, keys }
  const there = backups.map(({ name }) => name).join(', ') || 'none'
  throw new Refusal(
    'not-found',
    `${directory} has no backup${wanted === undefined ? '' : ` "${wanted}"`}: there are ${there}.`,
  )
}

export const verify = command({
  words: 'verify',
  summary: 'Read a backup to its last byte and compare it with its sums',
  takes: { FILE: 'The archive that `furrow backup` has written' },
  options: {},
  async run({ names: { FILE: file } }) {
    const manifest = await withProgress((report) => verifySource(archiveAt(file), report))
    say(`${file} is whole: ${contentsOf(manifest)}.`)
  },
})

export const restore = command({
  words: 'restore',
  summary: 'Make the farm what it was when a backup was written; the server must be stopped',
  takes: { FILE: 'The archive that `furrow backup` has written, or its directory of backups' },
  options: {
    ...arrivalOptions,
    replace: flag({ help: 'Replace the farm that is there; it is kept aside and not deleted' }),
    ...readingOptions,
  },
  run: async ({ names: { FILE: file }, options }) =>
    arrive(await sourceAt(file, options), options, options.replace ? 'keep-aside' : 'refuse'),
})

async function sourceAt(path: string, options: ReadingValues): Promise<ArchiveSource> {
  if (!existsSync(join(path, formName))) return archiveAt(path)
  const { backup, keys } = await chosenBackup(path, options)
  if (!keys.canRead)
    throw new Refusal('forbidden', `${path} is encrypted: give --identity FILE or --passphrase-file FILE.`)
  return backupSource(path, backup, keys)
}
