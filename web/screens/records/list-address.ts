import { areaBundle } from '../../../src/farm/bundle-names.ts'
import type { Chooser } from '../../look/list.tsx'
import { replace, route, withQuery } from '../../look/router.ts'
import { farmTime } from '../../words/format.ts'

export const kinds = ['logs', 'assets', 'areas', 'terms'] as const
export type ListKind = (typeof kinds)[number]

/** Filters of a list, all in the address; null is any. */
export interface Filters {
  /** Search words; with them a null kind means all kinds. */
  readonly q: string
  readonly of: ListKind | null
  /** Bundle of a log or asset, type of an area, or vocabulary. */
  readonly type: string | null
  readonly done: 'yes' | 'no' | null
  readonly archived: 'yes' | null
  /** Animals without a tag. */
  readonly tag: 'none' | null
  readonly flag: string | null
  readonly area: string | null
  /** The asset of logs, or the herd of assets. */
  readonly asset: string | null
  /** Days of the farm, inclusive. */
  readonly from: string | null
  readonly to: string | null
  /** Query for the logs behind a figure of a report. */
  readonly figure: string | null
}

/** Filters shown as removable chips. */
const chipNames = ['type', 'done', 'archived', 'tag', 'flag', 'area', 'asset', 'from', 'to', 'figure'] as const
export type ChipName = (typeof chipNames)[number]

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)
const isId = (text: string) => /^\d+$/.test(text)
const isWord = (text: string) => text !== ''

export function readFilters(query: URLSearchParams): Filters {
  const given = (name: string, fits: (text: string) => boolean) => {
    const text = query.get(name)
    return text !== null && fits(text) ? text : null
  }
  return {
    q: query.get('q') ?? '',
    of: kinds.find((kind) => kind === query.get('of')) ?? null,
    type: given('type', isWord),
    done: query.get('done') === 'yes' ? 'yes' : query.get('done') === 'no' ? 'no' : null,
    archived: query.get('archived') === 'yes' ? 'yes' : null,
    tag: query.get('tag') === 'none' ? 'none' : null,
    flag: given('flag', isWord),
    area: given('area', isId),
    asset: given('asset', isId),
    from: given('from', isDay),
    to: given('to', isDay),
    figure: given('figure', isWord),
  }
}

/** Address of a list, below `/app`. */
export function listAddress(filters: Partial<Filters>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '/records' : `/records?${text}`
}

/** Listed kind without search words. */
export function kindOf({ of }: Filters): ListKind {
  return of ?? 'logs'
}

/** Filters of each kind. */
export const filtersOf: Readonly<Record<ListKind, readonly ChipName[]>> = {
  logs: ['type', 'done', 'flag', 'area', 'asset', 'from', 'to', 'figure'],
  assets: ['type', 'archived', 'tag', 'flag', 'area', 'asset'],
  areas: ['type'],
  terms: ['type'],
}

/** Active filters that the kind has. */
export function activeFilters(filters: Filters): readonly ChipName[] {
  return filtersOf[kindOf(filters)].filter((name) => filters[name] !== null)
}

const day = 86_400

/** Start of the first day, and end of the last. */
export function timesOf({ from, to }: Filters): { readonly from?: number; readonly before?: number } {
  return {
    ...(from === null ? {} : { from: farmTime(from) }),
    ...(to === null ? {} : { before: farmTime(nextDay(to)) }),
  }
}

function nextDay(written: string): string {
  return new Date(Date.parse(`${written}T00:00:00Z`) + day * 1000).toISOString().slice(0, 10)
}

const paths: Readonly<Record<ListKind, string>> = {
  logs: '/log',
  assets: '/farm_asset',
  areas: '/taxonomy_term',
  terms: '/taxonomy_term',
}

/**
 * The list as a path of the record interface, without extension. Null if it has no such filter: several fields link a
 * log to an asset or area, the interface filters by one, and it does not list animals without a tag.
 */
export function listOnServer(filters: Filters): string | null {
  const kind = kindOf(filters)
  if (filters.q !== '' || filters.asset !== null || filters.tag !== null || (kind === 'logs' && filters.area !== null))
    return null
  const figure = kind === 'logs' ? new URLSearchParams(filters.figure ?? '') : []
  return `${paths[kind]}?${new URLSearchParams([...figure, ...Object.entries(wordsOf[kind](filters))])}`
}

type Words = Record<string, string>

const wordsOf: Readonly<Record<ListKind, (filters: Filters) => Words>> = {
  logs: (filters) => ({
    ...present({ type: filters.type, flags: filters.flag }),
    ...(filters.done === null ? {} : { done: filters.done === 'yes' ? '1' : '0' }),
    ...spelledTimes(filters),
    sort: 'timestamp',
    direction: 'DESC',
  }),
  assets: ({ type, flag, area, archived }) => ({
    ...present({ type, flags: flag, location: area }),
    ...(archived === 'yes' ? { 'archived[gt]': '0' } : { archived: '0' }),
    sort: 'name',
  }),
  areas: ({ type }) => ({ bundle: areaBundle, ...present({ area_type: type }), sort: 'name' }),
  terms: ({ type }) => ({ ...(type === null ? { 'bundle[ne]': areaBundle } : { bundle: type }), sort: 'name' }),
}

function spelledTimes(filters: Filters): Words {
  const { from, before } = timesOf(filters)
  return {
    ...(from === undefined ? {} : { 'timestamp[ge]': String(from) }),
    ...(before === undefined ? {} : { 'timestamp[lt]': String(before) }),
  }
}

function present(words: Readonly<Record<string, string | null>>): Words {
  return Object.fromEntries(Object.entries(words).filter((word): word is [string, string] => word[1] !== null))
}

/** Chosen ids in the address: `?select=5,7`; "none" before the first. Null if not choosing. */
export function chosenIds(query: URLSearchParams): readonly string[] | null {
  const given = query.get('select')
  if (given === null || route.value.path !== '/records') return null
  return given === none ? [] : given.split(',')
}

const none = 'none'

export const startChoosing = (): void => replace(withQuery({ select: none }))
export const endChoosing = (): void => replace(withQuery({ select: null }))

export function chooseAll(ids: readonly string[]): void {
  replace(withQuery({ select: ids.length === 0 ? none : ids.join(',') }))
}

export function chooserOf(chosen: readonly string[]): Chooser {
  return {
    isChosen: (page) => chosen.includes(idIn(page)),
    choose: (page) => {
      const id = idIn(page)
      chooseAll(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
    },
  }
}

/** "/asset/5" */
const idIn = (page: string): string => page.split('?')[0]?.split('/').at(-1) ?? ''
