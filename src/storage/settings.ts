import { randomBytes, randomUUID } from 'node:crypto'
import { unprintable } from '../fields/text.ts'
import { isTimezone } from '../fields/time.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot, Transaction } from './database.ts'
import { allowedLayers, faultsOfLayers, layersIn, type MapLayer } from './map-layers.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
import { lastBackupSetting } from './sql/table-fates.ts'

/** Settings of the farm in the database, unlike those of the server (src/config.ts). */
export interface FarmSettings {
  readonly name: string
  readonly system_of_measurement: 'metric' | 'us'
  readonly language: string
  /** Codes of the languages that the farm lists beside its own, with commas between them. */
  readonly languages: string
  /** Days of retention in the trash; 0: none. */
  readonly trash_days: number
  /** The time zone for times without an offset, as in sheets. */
  readonly timezone: string
  /** Map layers as JSON; empty for none (see map-layers.ts). */
  readonly map_layers: string
  /** The head of papers: where the farm is, its holding numbers (a line for each species), who certifies it, under which number. */
  readonly paper_address: string
  readonly holding_numbers: string
  readonly certifier: string
  readonly certifier_number: string
  /** By how much proposed days of withholding are multiplied; organic farms say 2. */
  readonly withholding_factor: string
  /** Today lists animals that are older than this many days and have no tag. */
  readonly tag_days: string
}

export type FarmSettingName = keyof FarmSettings

const onAFreshFarm: FarmSettings = {
  name: 'My farm',
  system_of_measurement: 'metric',
  language: 'en',
  languages: '',
  trash_days: 90,
  timezone: 'UTC',
  map_layers: '',
  paper_address: '',
  holding_numbers: '',
  certifier: '',
  certifier_number: '',
  withholding_factor: '1',
  tag_days: '7',
}

export const farmSettingNames: readonly FarmSettingName[] = [
  'name',
  'system_of_measurement',
  'language',
  'languages',
  'trash_days',
  'timezone',
  'map_layers',
  'paper_address',
  'holding_numbers',
  'certifier',
  'certifier_number',
  'withholding_factor',
  'tag_days',
]

const isShortLine = (value: string): boolean => value.length <= 255 && value.trim() !== '' && !unprintable.test(value)

/** A hundred years. */
export const mostTrashDays = 36_500

const isNumberOfDays = (value: string): boolean => /^(0|[1-9]\d{0,4})$/.test(value) && Number(value) <= mostTrashDays

const isLineOrNothing = (value: string): boolean => value === '' || isShortLine(value)

const isFewLines = (value: string): boolean =>
  value.length <= 1000 && value.split('\n').every((line) => !unprintable.test(line))

const line = { fits: isLineOrNothing, allowed: 'one line of at most 255 characters, or nothing' }
const lines = { fits: isFewLines, allowed: 'a few lines of at most 1,000 characters, or nothing' }

const rules: Readonly<Record<FarmSettingName, { fits(value: string): boolean; readonly allowed: string }>> = {
  name: { fits: isShortLine, allowed: 'one line of 1 to 255 characters' },
  system_of_measurement: { fits: (value) => /^(metric|us)$/.test(value), allowed: 'metric or us' },
  language: { fits: (value) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(value), allowed: 'a language code such as en' },
  languages: {
    fits: (value) => /^$|^[a-z]{2,3}(-[a-z0-9]{2,8})*(,[a-z]{2,3}(-[a-z0-9]{2,8})*)*$/i.test(value),
    allowed: 'language codes such as de,es',
  },
  trash_days: { fits: isNumberOfDays, allowed: `a whole number of days from 0 to ${mostTrashDays}` },
  timezone: { fits: isTimezone, allowed: 'a time zone such as Europe/Berlin, or UTC' },
  map_layers: { fits: (value) => faultsOfLayers(layersIn(value)).length === 0, allowed: allowedLayers },
  paper_address: lines,
  holding_numbers: lines,
  certifier: line,
  certifier_number: line,
  withholding_factor: { fits: (value) => /^[1-9]$/.test(value), allowed: 'a whole number from 1 to 9' },
  tag_days: { fits: (value) => /^(0|[1-9]\d{0,2})$/.test(value), allowed: 'a whole number of days from 0 to 999' },
}

export const isSettingValue = (name: FarmSettingName, value: string): boolean => rules[name].fits(value)

export async function readFarmSettings(snapshot: Snapshot): Promise<FarmSettings> {
  const found = await settingsNamed(snapshot, { names: farmSettingNames })
  const { trash_days = onAFreshFarm.trash_days, ...words } = Object.fromEntries(
    found.map(({ name, value }) => [name, value]),
  )
  return { ...onAFreshFarm, ...words, trash_days: Number(trash_days) }
}

export const readTrashDays = async (snapshot: Snapshot): Promise<number> =>
  Number((await findSetting(snapshot, 'trash_days')) ?? onAFreshFarm.trash_days)

/** The time zone of the farm. */
export const readTimezone = async (snapshot: Snapshot): Promise<string> =>
  (await findSetting(snapshot, 'timezone')) ?? onAFreshFarm.timezone

export const readMapLayers = async (snapshot: Snapshot): Promise<readonly MapLayer[]> =>
  layersIn((await findSetting(snapshot, 'map_layers')) ?? onAFreshFarm.map_layers) ?? []

const settingsNamed = prepared((snapshot, { names }: { readonly names: readonly string[] }) =>
  snapshot.selectFrom('setting').select(['name', 'value']).where('name', 'in', names),
)

/** The fault of a setting's value; null if valid. */
export function faultOfSetting(name: FarmSettingName, value: string): string | null {
  const { fits, allowed } = rules[name]
  return fits(value) ? null : `${name} takes ${allowed}.`
}

export async function writeFarmSetting(tx: Transaction, name: FarmSettingName, value: string): Promise<void> {
  const fault = faultOfSetting(name, value)
  if (fault !== null) throw new Refusal('invalid-content', fault)
  await putSetting(tx, name, value)
}

/** The time of the last backup, in Unix seconds. It is not restored: a restored farm has no backup yet. */
export const noteBackup = (tx: Transaction, at: number): Promise<void> => putSetting(tx, lastBackupSetting, String(at))

export const readLastBackup = async (snapshot: Snapshot): Promise<number | null> => {
  const at = await findSetting(snapshot, lastBackupSetting)
  return at === undefined ? null : Number(at)
}

const backupKeyName = 'backup_key'

/** What names the pieces of encrypted backups; it goes with the farm, so that a restored one goes on with the same pieces. */
export async function ensureBackupKey(tx: Transaction): Promise<Buffer> {
  await claimSetting(tx, backupKeyName, randomBytes(32).toString('hex'))
  return Buffer.from((await findSetting(tx, backupKeyName)) ?? '', 'hex')
}

const uuidName = 'farm_uuid'

/** Gives the farm a word of its own, which goes with it through backups and restores, unlike its edition. */
export async function ensureFarmUuid(tx: Transaction): Promise<void> {
  await claimSetting(tx, uuidName, randomUUID())
}

export const readFarmUuid = async (snapshot: Snapshot): Promise<string> => (await findSetting(snapshot, uuidName)) ?? ''

/** Names a farm that has no name of its own yet. */
export async function nameFarm(tx: Transaction, name: string): Promise<void> {
  const settings = await readFarmSettings(tx)
  if (settings.name === onAFreshFarm.name) await writeFarmSetting(tx, 'name', name)
}

interface SettingEntry {
  readonly name: string
  readonly value: string
}

export async function findSetting(snapshot: Snapshot, name: string): Promise<string | undefined> {
  return (await settingNamed(snapshot, { name }))?.value
}

const settingNamed = preparedFirst((snapshot, { name }: { readonly name: string }) =>
  snapshot.selectFrom('setting').select('value').where('name', '=', name),
)

export async function putSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await insertOrChange(tx, { name, value })
}

const insertOrChange = preparedChange((tx, { name, value }: SettingEntry) =>
  tx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
)

/** If several requests race, true for exactly one. */
export async function claimSetting(tx: Transaction, name: string, value: string): Promise<boolean> {
  return (await insertIfNew(tx, { name, value })) === 1
}

const insertIfNew = preparedChange((tx, setting: SettingEntry) =>
  tx
    .insertInto('setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('name').doNothing()),
)
