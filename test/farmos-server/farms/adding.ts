import { createHash } from 'node:crypto'
import { assetBundles } from '../data/asset-bundles.ts'
import type { Account, Asset, Farm, Log, StoredFile, Term } from '../data/farm.ts'
import { logBundles } from '../data/log-bundles.ts'
import { termBundles } from '../data/term-bundles.ts'
import type { Movement } from '../shapes/collections.ts'
import { combined } from '../shapes/geometry.ts'

/** Unix seconds of a day, at noon. */
export const day = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000

const vocabularies = [
  ['farm_log_categories', 'Farm Log Categories'],
  ['farm_quantity_units', 'Farm Quantity Units'],
  ['farm_areas', 'Farm Areas'],
  ['farm_materials', 'Farm Materials'],
  ['farm_season', 'Farm Season'],
  ['farm_crop_families', 'Farm Crop Families'],
  ['farm_crops', 'Farm Crops/Varieties'],
  ['farm_animal_types', 'Farm Animal Species/Breeds'],
  ['farm_soil_names', 'Farm Soil Names'],
] as const

const firstCategories = ['Plantings', 'Animals', 'Equipment', 'Soil', 'Tillage', 'Water', 'Compost', 'Sensors']

/** A farm as it is after the installation: nobody but the first user, and eight categories. */
export function newFarm(name: string): Farm {
  const farm: Farm = {
    name,
    systemOfMeasurement: 'metric',
    tellsOfBlockedAccounts: false,
    accounts: [],
    vocabularies: vocabularies.map(([machineName, label], index) => ({
      id: index + 1,
      machineName,
      name: label,
      description: '',
    })),
    terms: [],
    assets: [],
    logs: [],
    files: [],
    bundles: [...termBundles, ...assetBundles, ...logBundles],
  }
  addAccount(farm, 'Anonymous', { id: 0, roles: [] })
  addAccount(farm, 'admin', { id: 1, roles: [2] })
  for (const category of firstCategories) addTerm(farm, category, { bundle: 'farm_log_categories' })
  return farm
}

const nextId = (rows: readonly { readonly id: number }[]): number =>
  rows.reduce((highest, { id }) => Math.max(highest, id), 0) + 1

export function addAccount(farm: Farm, name: string, more: Partial<Account> = {}): number {
  const id = more.id ?? nextId(farm.accounts)
  const mail = `${name}@hill.example`
  const account = {
    id,
    name,
    mail,
    password: `${name} secret`,
    created: day('2018-01-01'),
    roles: [2, 3],
    isBlocked: false,
  }
  farm.accounts.push({ ...account, ...more })
  return id
}

export function addTerm(farm: Farm, name: string, more: Partial<Term> & Pick<Term, 'bundle'>): number {
  const id = more.id ?? nextId(farm.terms)
  farm.terms.push({ id, name, description: '', weight: 0, parents: [], values: {}, ...more })
  return id
}

export function addAsset(farm: Farm, name: string, more: Partial<Asset> & Pick<Asset, 'bundle'>): number {
  const id = more.id ?? nextId(farm.assets)
  const at = day('2019-01-01') + id
  farm.assets.push({ id, name, author: 3, created: at, changed: at, archived: 0, values: {}, ...more })
  return id
}

/** As the other server saves it: the author owns it, and areas lend it their geometry. */
export function addLog(farm: Farm, name: string, more: Partial<Log> & Pick<Log, 'bundle'>): number {
  const id = more.id ?? nextId(farm.logs)
  const timestamp = day('2019-03-01') + id * 3600
  const author = more.author ?? 3
  const log = { id, name, author, timestamp, created: timestamp, changed: timestamp, done: true, values: {}, ...more }
  log.values = { log_owner: [author], ...log.values }
  const fields = farm.bundles.find((bundle) => bundle.kind === 'log' && bundle.name === log.bundle)?.fields ?? {}
  if ('geofield' in fields && log.values.geofield === undefined) lend(farm, log, 'geofield')
  if (log.values.movement !== undefined) lend(farm, log, 'movement')
  farm.logs.push(log)
  return id
}

function lend(farm: Farm, { values }: Log, field: 'geofield' | 'movement'): void {
  const movement = (values.movement ?? {}) as Movement
  const areas = field === 'movement' ? movement.area : (values.area as number[] | undefined)
  const geometry = combined((areas ?? []).flatMap((id) => geometriesOf(farm, id)))
  if (geometry === undefined) return
  if (field === 'geofield') values.geofield = [geometry]
  else if (movement.geometry === undefined) values.movement = { ...movement, geometry }
}

const geometriesOf = ({ terms }: Farm, id: number): string[] =>
  (terms.find((term) => term.id === id)?.values.geofield as string[] | undefined) ?? []

export function addFile(farm: Farm, name: string, more: Partial<StoredFile> & Pick<StoredFile, 'place'>): number {
  const id = more.id ?? nextId(farm.files)
  const mime = name.endsWith('.png') ? 'image/png' : name.endsWith('.pdf') ? 'application/pdf' : 'text/plain'
  const file = {
    id,
    name,
    mime,
    path: `farm/${name}`,
    content: contentFor(name),
    timestamp: day('2019-02-01'),
    owner: 3,
  }
  farm.files.push({ ...file, ...more })
  return id
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Each its own; a picture is a picture that can be shown. */
const contentFor = (name: string): Buffer =>
  name.endsWith('.png')
    ? Buffer.concat([png, createHash('sha256').update(name).digest()])
    : Buffer.from(`The content of ${name}.\n`)
