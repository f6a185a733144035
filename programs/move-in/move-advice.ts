import { resolve } from 'node:path'
import type { Farm } from '../../src/farm/farm.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { printable } from '../../src/fields/text.ts'
import { listsIn } from './api-reader.ts'
import { othersIn } from './api-source.ts'
import type { Say } from './findings.ts'
import type { SourceInterface } from './login.ts'
import { describedBundles, lastPageIn, sourceLists, sourceTypes } from './source-lists.ts'
import type { SourceServer } from './source-server.ts'

/** What is known of a move before it starts. */
export interface MoveForecast {
  readonly spoken: SourceInterface
  readonly pages: number
  readonly seconds: number
  /** Types of the source that this farm does not know. */
  readonly unknown: readonly string[]
  /** Resource types of the source that have no place here, beside those of every farmOS. */
  readonly others: readonly string[]
  /** A token of a 1.x opens no session, which its private files need. */
  readonly withoutPrivateFiles: boolean
}

export async function forecast(server: SourceServer, farm: Farm): Promise<MoveForecast> {
  const info = await server.info()
  const { spoken } = server
  const isApi = spoken === 'api'
  return {
    spoken,
    ...(await (isApi ? estimateApi(server, info) : estimateOlder(server))),
    unknown: (isApi ? unknownTypes(farm, info) : unknownBundles(farm, info)).map(printable),
    others: isApi ? othersIn(info).map(printable) : [],
    withoutPrivateFiles: server.login.kind === 'token' && !isApi,
  }
}

/** Says what will be read, about how long it takes, and what does not come along. */
export async function sayBeforehand(server: SourceServer, farm: Farm, say: Say): Promise<void> {
  const { spoken, pages, seconds, unknown, others, withoutPrivateFiles } = await forecast(server, farm)
  const isApi = spoken === 'api'
  say(isApi ? notMovedByApi(others) : notMovedByOlder)
  if (withoutPrivateFiles) say('A token reads no private files: give --user and a password to bring them along.')
  if (unknown.length > 0)
    say(`This farm does not know ${unknown.join(', ')}: if there are records, a module has to declare them.`)
  say(
    `To read: ${isApi ? 'at most ' : ''}${pages.toLocaleString('en')} pages, about ${duration(seconds)}, and the files.`,
  )
}

const notMovedByOlder =
  'Not told by the interface of a farmOS 1.x, and so not moved: sensor data, plans, revisions, passwords and roles.'

const notMovedByApi = (others: readonly string[]): string => {
  const named = others.length === 0 ? '' : ` (${others.join(', ')})`
  return `Not moved: sensor data and keys, plans and organizations${named}, earlier revisions, passwords and roles.`
}

const unknownTypes = (farm: Farm, { links }: Tree): readonly string[] =>
  Object.keys(isTree(links) ? links : {}).filter(
    (name) => /^(asset|log|taxonomy_term)--/.test(name) && !resourceTypes(farm).has(name),
  )

const unknownBundles = (farm: Farm, info: Tree): readonly string[] =>
  sourceTypes.flatMap((type) =>
    [...describedBundles({ info }, type).keys()].filter((name) => !Object.hasOwn(farm.records[type].bundles, name)),
  )

interface Estimate {
  readonly pages: number
  readonly seconds: number
}

const together = 2

/** The first page of each list says how many there are. Everything is read twice: once to move, once to compare. */
async function estimateOlder(server: SourceServer): Promise<Estimate> {
  const began = Date.now()
  let pages = 0
  for (const { resource } of sourceLists) {
    const answer = await server.jsonIfAny(`/${resource}.json?limit=100&page=0`)
    if (isTree(answer)) pages += lastPageIn(answer) + 1
  }
  const each = (Date.now() - began) / 1000 / sourceLists.length
  return { pages: 2 * pages, seconds: (2 * pages * each) / together }
}

/** Lists of JSON:API have no length. The highest number of a type limits it. */
async function estimateApi(server: SourceServer, entry: Tree): Promise<Estimate> {
  const began = Date.now()
  const lists = listsIn(entry, server)
  const highest = new Map<string, number>()
  for (const { family, path } of lists) {
    const number = { taxonomy_term: 'tid', user: 'uid', file: 'fid', asset: 'id', log: 'id', quantity: 'id' }[family]
    const answer = await server.jsonIfAny(`${path}?sort=-drupal_internal__${number}&page%5Blimit%5D=1`)
    const [first] = isTree(answer) && Array.isArray(answer.data) ? answer.data : []
    const attributes = isTree(first) && isTree(first.attributes) ? first.attributes : {}
    const last = Number(attributes[`drupal_internal__${number}`] ?? 0) % 1_000_000_000
    highest.set(family, Math.max(highest.get(family) ?? 0, last))
  }
  const each = (Date.now() - began) / 1000 / Math.max(lists.length, 1)
  const pages = 2 * (lists.length + [...highest.values()].reduce((sum, last) => sum + Math.ceil(last / 50), 0))
  return { pages, seconds: (pages * each) / together }
}

function duration(seconds: number): string {
  if (seconds < 60) return 'a minute'
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

/** What has to be changed outside of this farm, and how people get in. */
export const adviceAfterwards = (server: SourceServer, modules: readonly string[]): readonly string[] => [
  '',
  'The accounts that came along are blocked and have neither password nor role. To let somebody in again:',
  '  furrow user set-role NAME worker',
  '  furrow user set-password NAME',
  '  furrow user unblock NAME',
  'To make a manager of your own: furrow user add NAME --role manager',
  '',
  'Before people work here:',
  `  Let ${server.address} lead to this farm, or tell everybody the new address.`,
  '  Phones log in again: apps for farmOS ask for the address, the name and the new password.',
  '  Scripts need the new address and a new token; tokens and API keys of the other server end with it.',
  ...(modules.length === 0
    ? []
    : [
        `  The service needs the module, too: furrow serve ${modules.map((file) => `--module ${resolve(file)}`).join(' ')}`,
      ]),
]
