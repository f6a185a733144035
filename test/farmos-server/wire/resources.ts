import type { Account, Asset, Farm, Log, Term, Values, Vocabulary } from '../data/farm.ts'
import { accountsShown, assetsShown, logsShown, type Shown, termsShown, vocabulariesShown } from '../shapes/records.ts'
import type { View } from '../shapes/view.ts'

export type Property = string | number

/** One row of a list: what it can be sorted and filtered by, and the fields of its bundle. */
export interface Row<T> {
  readonly source: T
  readonly properties: Readonly<Record<string, Property>>
  readonly bundle: string
  readonly values: Values
}

export interface Resource {
  readonly rows: (farm: Farm) => Row<unknown>[]
  readonly shown: (sources: readonly unknown[], view: View) => Shown[]
  /** What a viewer may not see is counted all the same: her pages are shorter. */
  readonly isVisible: (source: unknown, view: View) => boolean
  readonly idName: string
  /** What its rows can be sorted and filtered by. */
  readonly properties: readonly string[]
  /** What is answered for one that is not there. */
  readonly missing: 'page' | Shown | []
}

interface Described<T> {
  readonly properties: readonly string[]
  readonly of: (farm: Farm) => readonly T[]
  readonly row: (source: T, farm: Farm) => Omit<Row<T>, 'source'>
  readonly shown: (sources: readonly T[], view: View) => Shown[]
  readonly idName: string
  readonly missing: Resource['missing']
  readonly isVisible?: (source: T, view: View) => boolean
}

const resource = <T>({ of, row, shown, idName, properties, missing, isVisible }: Described<T>): Resource => ({
  rows: (farm) => of(farm).map((source) => ({ source, ...row(source, farm) })),
  shown: (sources, view) => shown(sources as readonly T[], view),
  isVisible: (source, view) => isVisible?.(source as T, view) ?? true,
  idName,
  properties,
  missing,
})

export const resources: Readonly<Record<string, Resource>> = {
  log: resource<Log>({
    of: ({ logs }) => logs,
    row: ({ id, name, bundle, author, timestamp, created, changed, done, values }) => ({
      properties: { id, name, type: bundle, uid: author, timestamp, created, changed, done: done ? 1 : 0 },
      bundle,
      values,
    }),
    shown: logsShown,
    properties: ['id', 'name', 'type', 'uid', 'timestamp', 'created', 'changed', 'done'],
    idName: 'id',
    missing: 'page',
  }),
  farm_asset: resource<Asset>({
    of: ({ assets }) => assets,
    row: ({ id, name, bundle, author, created, changed, archived, values }) => ({
      properties: { id, name, type: bundle, uid: author, created, changed, archived },
      bundle,
      values,
    }),
    shown: assetsShown,
    properties: ['id', 'name', 'type', 'uid', 'created', 'changed', 'archived'],
    idName: 'id',
    missing: { location: [] },
  }),
  taxonomy_term: resource<Term>({
    of: ({ terms }) => terms,
    row: ({ id, name, bundle, description, weight, values }, { vocabularies }) => ({
      properties: {
        tid: id,
        name,
        description,
        weight,
        vocabulary: vocabularies.find(({ machineName }) => machineName === bundle)?.id ?? 0,
      },
      bundle,
      values,
    }),
    shown: termsShown,
    properties: ['tid', 'name', 'description', 'weight', 'vocabulary'],
    idName: 'tid',
    missing: { parent: [], parents_all: [] },
  }),
  taxonomy_vocabulary: resource<Vocabulary>({
    of: ({ vocabularies }) => vocabularies,
    row: ({ id, name, machineName }) => ({
      properties: { vid: id, name, machine_name: machineName },
      bundle: 'taxonomy_vocabulary',
      values: {},
    }),
    shown: vocabulariesShown,
    properties: ['vid', 'name', 'machine_name'],
    idName: 'vid',
    missing: [],
  }),
  user: resource<Account>({
    of: ({ accounts }) => accounts,
    row: ({ id, name, created }) => ({ properties: { uid: id, name, created }, bundle: 'user', values: {} }),
    shown: accountsShown,
    properties: ['uid', 'name', 'created'],
    isVisible: ({ isBlocked }, { viewer, farm }) => !isBlocked || viewer === 1 || farm.tellsOfBlockedAccounts,
    idName: 'uid',
    missing: 'page',
  }),
}
